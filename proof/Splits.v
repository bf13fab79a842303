(** * The proof of one class: splits and leaves (checker.py, [walk] and [Leaf.__init__])

    A problem of one class has positives with what it costs to miss them ([None]: they must be
    covered), negatives with what it costs to cover them, and rows that must not be covered.
    [prove_sound]: if [prove] finds nothing wrong with a proof of [bound], every set of legal
    rules that the problem admits costs at least [bound]. *)

From Coq Require Import String ZArith List Lia Bool.
From Laconic Require Import Statement Sums Duality Search Exchange Choice Certificate.
Import ListNotations.
Local Open Scope Z_scope.
Local Open Scope list_scope.

Record class_problem := ClassProblem
  { positives : list (Z * option Z);
    negatives : list (Z * Z);
    must_not : list Z;
    per_rule : Z; per_literal : Z }.

Definition class_admitted (P : class_problem) (F : list body_t) : Prop :=
  (forall m, In (m, None) (positives P) -> set_covers F m = true) /\
  (forall m, In m (must_not P) -> set_covers F m = false).

Definition missing_cost (F : list body_t) (p : Z * option Z) : Z :=
  if set_covers F (fst p) then 0 else match snd p with Some c => c | None => 0 end.
Definition price_of_rule (P : class_problem) (R : body_t) : Z := per_rule P + per_literal P * Z.of_nat (length R).
Definition class_cost (P : class_problem) (F : list body_t) : Z :=
  sum (missing_cost F) (positives P)
  + sum (fun n => if set_covers F (fst n) then snd n else 0) (negatives P)
  + sum (price_of_rule P) F.

Definition proper (P : class_problem) : Prop :=
  (forall m c, In (m, Some c) (positives P) -> 0 <= c) /\ (forall m w, In (m, w) (negatives P) -> 0 <= w).

(** ** Splits: some rule covers all rows of a set, or none does; a set is the mask of its common literals *)

Definition with_some (m : Z) (P : class_problem) : class_problem :=
  ClassProblem (positives P ++ [(m, None)]) (negatives P) (must_not P) (per_rule P) (per_literal P).
Definition with_none (m : Z) (P : class_problem) : class_problem :=
  ClassProblem (positives P) (negatives P) (must_not P ++ [m]) (per_rule P) (per_literal P).

Lemma split_sound m P F : class_admitted P F ->
  (class_admitted (with_some m P) F /\ class_cost (with_some m P) F = class_cost P F) \/
  (class_admitted (with_none m P) F /\ class_cost (with_none m P) F = class_cost P F).
Proof.
  intros [A B]. destruct (set_covers F m) eqn:E; [left|right]; (split; [split|]); cbn [positives must_not with_some with_none].
  - intros x Hx. apply in_app_or in Hx. destruct Hx as [Hx|[Hx|[]]]; [auto|inversion Hx; congruence].
  - assumption.
  - unfold class_cost. cbn [positives negatives with_some]. rewrite sum_app. unfold missing_cost at 2. cbn. rewrite E.
    change (price_of_rule (with_some m P)) with (price_of_rule P). lia.
  - assumption.
  - intros x Hx. apply in_app_or in Hx. destruct Hx as [Hx|[<-|[]]]; [auto|assumption].
  - reflexivity.
Qed.

Lemma proper_some m P : proper P -> proper (with_some m P).
Proof.
  intros [A B]. split; [|assumption]. intros x c Hx. cbn in Hx. apply in_app_or in Hx.
  destruct Hx as [Hx|[Hx|[]]]; [eauto|discriminate].
Qed.

(** ** A leaf as a problem of [Duality.v] *)

Definition bucket {A} (id : A -> Z) (items : list A) (g : Z) : list A := filter (fun x => id x =? g) items.
Definition numbers (n : nat) : list Z := map Z.of_nat (seq 0 n).
Fixpoint entry {A} (none : A) (k : Z) (l : list (Z * A)) : A :=
  match l with [] => none | (k', x) :: l => if k' =? k then x else entry none k l end.

Definition pos_items (P : class_problem) (p : prices) : list (pos_item * Z) :=
  map (fun x : (Z * option Z) * (Z * Z) =>
         let (mc, yg) := x in
         let (m, c) := mc in
         let (y, g) := yg in
         (Pos m y (match c with Some w => w | None => 1 end)
              (match c with Some w => Some (w * scale p) | None => None end), g))
      (combine (positives P) (combine (price_of p) (group_of p))).

Definition neg_items (P : class_problem) (p : prices) : list (neg_item * Z) :=
  map (fun x : (Z * Z) * Z => (Neg (fst (fst x)) (snd (fst x)), snd x)) (combine (negatives P) (neg_group_of p)).

Definition leaf_of (P : class_problem) (p : prices) : leaf_problem :=
  let rows := map (fun h => entry [] h (blame p)) (numbers (n_neg_groups p)) in
  let items := pos_items P p in
  let negs := neg_items P p in
  Problem (map (fun g => (map (entry 0 g) rows, map fst (bucket snd items g))) (numbers (n_groups p)))
          (map (fun h => map fst (bucket snd negs h)) (numbers (n_neg_groups p)))
          (must_not P) (per_rule P) (per_literal P) (scale p).

(** Each group of negatives has blame at most once, groups of positives are named in order, and
    units are positive.  The theorem does not need this; the Python checker asks for it as well. *)
Fixpoint in_order (low n : Z) (l : list Z) : bool :=
  match l with [] => true | x :: l => (low <? x) && (x <? n) && in_order x n l end.
Fixpoint tidy_blame (n_pos n_neg : Z) (rows : list (Z * list (Z * Z))) : bool :=
  match rows with
  | [] => true
  | (h, shares) :: rows =>
      (0 <=? h) && (h <? n_neg) && negb (existsb (fun r => fst r =? h) rows)
      && in_order (-1) n_pos (map fst shares) && forallb (fun s => 0 <? snd s) shares
      && tidy_blame n_pos n_neg rows
  end.

Definition sound_leafb (L : leaf_problem) : bool :=
  forallb (fun g => forallb (fun i =>
      (0 <=? price i) && (0 <=? unit_weight i) && match cap i with Some c => price i <=? c | None => true end) (snd g)
    && forallb (Z.leb 0) (fst g)) (groups L)
  && forallb (forallb (fun j => 0 <=? nweight j)) (neg_groups L)
  && forallb (fun x => x <=? scale_of L) (spent_blame L)
  && (0 <=? Duality.rule_cost L) && (0 <=? Duality.literal_cost L) && (0 <? scale_of L).

Lemma sound_leafb_spec L : sound_leafb L = true -> sound_leaf L.
Proof.
  unfold sound_leafb. rewrite !andb_true_iff, !Z.leb_le, Z.ltb_lt, !forallb_forall.
  intros (((((A & B) & C) & D) & E) & F). split.
  - intros g i Hg Hi. specialize (A g Hg). apply andb_true_iff in A. destruct A as [A _].
    rewrite forallb_forall in A. specialize (A i Hi). rewrite !andb_true_iff, !Z.leb_le in A.
    destruct A as ((A1 & A2) & A3). repeat split; auto. intros c Hc. rewrite Hc in A3. now apply Z.leb_le.
  - intros g Hg. specialize (A g Hg). apply andb_true_iff in A. destruct A as [_ A].
    rewrite forallb_forall in A. apply Forall_forall. intros x Hx. apply Z.leb_le. auto.
  - intros js j Hj Hjj. specialize (B js Hj). rewrite forallb_forall in B. apply Z.leb_le. auto.
  - apply Forall_forall. intros x Hx. apply Z.leb_le. auto.
  - auto.
Qed.

(** Each literal, as the rows on which it holds; those that another one beats are not needed. *)
Definition literal_cover (L : leaf_problem) (l : Z) : cover :=
  Cover [l] (bits (fun i => has l (pmask i)) (flat_map snd (groups L)))
        (bits (has l) (map nmask (concat (neg_groups L)) ++ hards L)) 0.
Definition needed_literals (L : leaf_problem) (lits : list Z) : list Z :=
  rev (flat_map crule (unbeaten (map (literal_cover L) lits) [])).

Section Prove.
Variable lits : list Z.            (* the positions of the literals that rules may use *)
Variable feature_of : Z -> Z.      (* a rule has at most one literal of a feature *)
Variable keys : list Z.            (* the rows of the merged table *)

Definition legal (R : body_t) : Prop := NoDup (map feature_of R) /\ incl R lits.

(** Where a rule must be for its own sake, rules that cover nothing count, so that literals are not
    exchanged, and no rule has two literals of a feature. *)
Definition search_leaf (L : leaf_problem) (slack : Z) (for_its_own_sake : bool) : option (list body_t) :=
  let n := S (length lits) in
  if for_its_own_sake
  then visit L slack feature_of n [] (root L) lits []
  else visit L slack (fun l => l) n [] (root L) (needed_literals L lits) [].

Definition refuse_leaf (P : class_problem) (bound : Z) (p : prices) : option string :=
  if negb (Nat.eqb (length (price_of p)) (length (positives P)) && Nat.eqb (length (group_of p)) (length (positives P))
           && Nat.eqb (length (neg_group_of p)) (length (negatives P)))
  then Some "a leaf has more or fewer prices or groups than rows"%string
  else if negb (tidy_blame (Z.of_nat (n_groups p)) (Z.of_nat (n_neg_groups p)) (blame p))
  then Some "blame is not on groups that there are, or not in order, or not positive"%string
  else
    let L := leaf_of P p in
    if negb (sound_leafb L)
    then Some "a price exceeds the weight of its row, or blame the weight of a negative, or one is negative"%string
    else
      let limit := (bound - 1) * scale p in
      let room := limit - total_price L in
      match search_leaf L (Z.max 0 (room + 1)) (existsb (fun x => fst x =? -1) (positives P)) with
      | None => Some "a rule is overpaid"%string
      | Some found =>
          if room <? 0 then None
          else if choice L limit found then None
          else Some "there may be a cheaper set"%string
      end.

(** The literals that hold on all rows of a set; all of them if there are none. *)
Definition mask_of (rows : list nat) : option Z :=
  fold_right (fun k m => match nth_error keys k, m with
                         | Some a, Some b => Some (Z.land a b)
                         | _, _ => None
                         end) (Some (-1)) rows.

Fixpoint refuse (P : class_problem) (bound : Z) (tree : proof) : option string :=
  match tree with
  | Leaf p => refuse_leaf P bound p
  | Split rows some none =>
      match mask_of rows with
      | None => Some "a split names a row that is not in the table"%string
      | Some m =>
          match refuse (with_some m P) bound some with
          | Some why => Some why
          | None => refuse (with_none m P) bound none
          end
      end
  end.

(** ** Soundness *)

Lemma sum_combine {A B} (f : A -> Z) (l : list A) (m : list B) : (forall x, In x l -> 0 <= f x) ->
  sum (fun x => f (fst x)) (combine l m) <= sum f l.
Proof.
  revert m; induction l as [|x l IH]; intros m H; [cbn; lia|]. destruct m as [|y m].
  - cbn [combine]. change (sum (fun x0 : A * B => f (fst x0)) []) with 0. now apply sum_nonneg.
  - cbn [combine]. rewrite !sum_cons. cbn [fst]. specialize (IH m (fun x Hx => H x (or_intror Hx))). lia.
Qed.

Lemma numbers_nodup n : NoDup (numbers n).
Proof. apply FinFun.Injective_map_NoDup; [intros a b; apply Nat2Z.inj|apply seq_NoDup]. Qed.

Lemma bucket_sum {A} (id : A -> Z) (f : A -> Z) items gs : NoDup gs -> (forall x, In x items -> 0 <= f x) ->
  sum (fun g => sum f (bucket id items g)) gs <= sum f items.
Proof.
  intros N H. unfold bucket.
  rewrite (sum_eq _ (fun g => sum (fun x => if id x =? g then f x else 0) items)) by (intros; apply sum_filter).
  rewrite sum_swap. apply sum_le. intros x Hx. specialize (H x Hx).
  clear - N H. induction N as [|g gs NI N IH]; [cbn; lia|]. rewrite sum_cons.
  destruct (id x =? g) eqn:E; [|lia]. apply Z.eqb_eq in E.
  rewrite (sum_eq _ (fun _ => 0)); [rewrite sum_zero; lia|]. intros g' Hg'.
  destruct (id x =? g') eqn:E'; [|reflexivity]. apply Z.eqb_eq in E'. congruence.
Qed.

Lemma pos_items_in P p i g : In (i, g) (pos_items P p) ->
  exists c, In (pmask i, c) (positives P) /\ cap i = match c with Some w => Some (w * scale p) | None => None end.
Proof.
  unfold pos_items. rewrite in_map_iff. intros (((m & c) & (y & g')) & E & H). apply in_combine_l in H.
  inversion E; subst. exists c. cbn. auto.
Qed.

Lemma leaf_item P p g i : In g (groups (leaf_of P p)) -> In i (snd g) -> exists h, In (i, h) (pos_items P p).
Proof.
  cbn [leaf_of groups]. rewrite in_map_iff. intros (k & <- & Hk) Hi. cbn [snd] in Hi. apply in_map_iff in Hi.
  destruct Hi as ((i' & h) & E & Hi). cbn in E. subst. unfold bucket in Hi. apply filter_In in Hi. exists h. tauto.
Qed.

Lemma leaf_relaxes P p F : proper P -> 0 < scale p -> class_admitted P F ->
  admitted (leaf_of P p) F /\ set_cost (leaf_of P p) F <= scale p * class_cost P F.
Proof.
  intros [PP PN] Hs [A1 A2]. split; [split|].
  - intros g i Hg Hi Hc. destruct (leaf_item P p g i Hg Hi) as (h & H). apply pos_items_in in H.
    destruct H as (c & Hin & Hcap). destruct c; [congruence|]. auto.
  - exact A2.
  - unfold set_cost, class_cost.
    assert (E1 : over (fun _ i => missed F i) (groups (leaf_of P p)) <= scale p * sum (missing_cost F) (positives P)).
    { unfold over. cbn [leaf_of groups]. rewrite sum_map. cbn [fst snd].
      rewrite (sum_eq _ (fun g => sum (fun x : pos_item * Z => missed F (fst x)) (bucket snd (pos_items P p) g)))
        by (intros; apply sum_map).
      etransitivity.
      - apply bucket_sum; [apply numbers_nodup|]. intros (i & g) H. apply pos_items_in in H. destruct H as (c & Hin & Hcap).
        cbn [fst]. unfold missed. destruct (set_covers F (pmask i)); [lia|]. rewrite Hcap. destruct c; [|lia].
        specialize (PP _ _ Hin). nia.
      - unfold pos_items. rewrite sum_map. rewrite <- sum_scale.
        etransitivity; [|apply (sum_combine (fun x => scale p * missing_cost F x) (positives P) (combine (price_of p) (group_of p)))].
        + apply Z.eq_le_incl, sum_eq. intros ((m & c) & (y & g)) _. cbn [fst snd]. unfold missed, missing_cost. cbn [pmask cap fst snd].
          destruct (set_covers F m); [lia|]. destruct c; lia.
        + intros (m & c) Hin. unfold missing_cost. cbn [fst snd]. destruct (set_covers F m); [lia|]. destruct c; [|lia].
          specialize (PP _ _ Hin). nia. }
    assert (E2 : sum (weight_where (fun j => set_covers F (nmask j))) (neg_groups (leaf_of P p))
                 <= sum (fun n => if set_covers F (fst n) then snd n else 0) (negatives P)).
    { cbn [leaf_of neg_groups]. rewrite sum_map. unfold weight_where.
      rewrite (sum_eq _ (fun g => sum (fun x : neg_item * Z => if set_covers F (nmask (fst x)) then nweight (fst x) else 0)
                                      (bucket snd (neg_items P p) g))) by (intros; apply sum_map).
      etransitivity.
      - apply bucket_sum; [apply numbers_nodup|]. intros (j & g) H. unfold neg_items in H. apply in_map_iff in H.
        destruct H as (((m & w) & h) & E & H). inversion E; subst. apply in_combine_l in H. cbn.
        specialize (PN _ _ H). destruct (set_covers F m); lia.
      - unfold neg_items. rewrite sum_map. cbn [fst snd nmask nweight].
        apply (sum_combine (fun n => if set_covers F (fst n) then snd n else 0)). intros (m & w) H. cbn.
        specialize (PN _ _ H). destruct (set_covers F m); lia. }
    assert (E3 : sum (rule_price (leaf_of P p)) F = scale p * sum (price_of_rule P) F) by apply sum_scale.
    rewrite E3. change (scale_of (leaf_of P p)) with (scale p). nia.
Qed.

Lemma literal_beats L l k : beats (literal_cover L k) (literal_cover L l) = true ->
  (forall g i, In g (groups L) -> In i (snd g) -> Z.testbit (pmask i) l = true -> Z.testbit (pmask i) k = true) /\
  (forall m, In m (map nmask (concat (neg_groups L)) ++ hards L) -> Z.testbit m k = true -> Z.testbit m l = true).
Proof.
  unfold beats, literal_cover. cbn [cpos cneg csize]. intros H. rewrite !andb_true_iff in H. destruct H as [[_ H1] H2].
  split.
  - intros g i Hg Hi. apply (within_bits (fun i => has l (pmask i)) (fun i => has k (pmask i)) _ H1). apply in_flat_map. eauto.
  - intros m Hm. apply (within_bits (has k) (has l) _ H2 m Hm).
Qed.

Lemma needed_literals_spec L l : In l lits ->
  exists k, In k (needed_literals L lits) /\ beats (literal_cover L k) (literal_cover L l) = true.
Proof.
  intros Hl. destruct (unbeaten_spec (map (literal_cover L) lits) []) as [U1 U2].
  destruct (U1 (literal_cover L l)) as (c & Hc & Bc); [left; now apply in_map|].
  destruct (U2 c Hc) as [Hc'|[]]. apply in_map_iff in Hc'. destruct Hc' as (k & <- & Hk).
  exists k. split; [|assumption]. unfold needed_literals. rewrite <- in_rev. apply in_flat_map.
  eexists. split; [eassumption|]. now left.
Qed.

Lemma exchange_literals L R : incl R lits ->
  exists Q, inner (fun l => l) (needed_literals L lits) Q /\ dominates L Q R.
Proof.
  intros I.
  assert (E : exists Q, incl Q (needed_literals L lits) /\
     Forall2 (fun k l => beats (literal_cover L k) (literal_cover L l) = true) Q R).
  { induction R as [|l R IH]; [exists []; split; [intros x []|constructor]|].
    destruct IH as (Q & IQ & FQ); [intros x Hx; apply I; now right|].
    destruct (needed_literals_spec L l (I l (or_introl eq_refl))) as (k & Hk & Bk).
    exists (k :: Q). split; [intros x [<-|Hx]; auto|now constructor]. }
  destruct E as (Q & IQ & FQ). exists (nodup Z.eq_dec Q).
  assert (C : forall m, covers_mask (nodup Z.eq_dec Q) m = covers_mask Q m).
  { intros m. apply covers_ext; intros x; now rewrite nodup_In. }
  split.
  - split; [rewrite map_id; apply NoDup_nodup|]. intros x Hx. apply IQ. now apply nodup_In in Hx.
  - split; [|split; [|split]].
    + intros g i Hg Hi. rewrite C. clear - FQ Hg Hi. induction FQ as [|k l Q R B FQ IH]; [auto|].
      unfold covers_mask in *. cbn [forallb]. rewrite !andb_true_iff. intros [H1 H2]. split; [|auto].
      apply literal_beats in B. destruct B as [B _]. eapply B; eauto.
    + intros js j Hj Hjj. rewrite C.
      assert (Hm : In (nmask j) (map nmask (concat (neg_groups L)) ++ hards L)).
      { apply in_or_app. left. apply in_map. apply in_concat. eauto. }
      clear - FQ Hm. induction FQ as [|k l Q R B FQ IH]; [auto|].
      unfold covers_mask in *. cbn [forallb]. rewrite !andb_true_iff. intros [H1 H2]. split; [|auto].
      apply literal_beats in B. destruct B as [_ B]. eapply B; eauto.
    + intros h Hh. rewrite C.
      assert (Hm : In h (map nmask (concat (neg_groups L)) ++ hards L)) by (apply in_or_app; now right).
      clear - FQ Hm. induction FQ as [|k l Q R B FQ IH]; [auto|].
      unfold covers_mask in *. cbn [forallb]. rewrite !andb_true_iff. intros [H1 H2]. split; [|auto].
      apply literal_beats in B. destruct B as [_ B]. eapply B; eauto.
    + assert (EL : length Q = length R) by (clear - FQ; induction FQ; cbn; congruence).
      rewrite <- EL. clear. induction Q as [|k Q IH]; [cbn; lia|]. cbn [nodup].
      destruct (in_dec Z.eq_dec k Q); cbn [length]; lia.
Qed.

Lemma dominates_refl L R : dominates L R R.
Proof. repeat split; auto. Qed.

Theorem refuse_leaf_sound P bound p F : proper P -> refuse_leaf P bound p = None ->
  (forall R, In R F -> legal R) -> class_admitted P F -> bound <= class_cost P F.
Proof.
  intros HP E HL HA. unfold refuse_leaf in E.
  destruct (negb (_ && _ && _)); [discriminate|]. destruct (negb (tidy_blame _ _ _)); [discriminate|].
  destruct (sound_leafb (leaf_of P p)) eqn:ES; cbn [negb] in E; [|discriminate].
  apply sound_leafb_spec in ES. set (L := leaf_of P p) in *.
  set (limit := (bound - 1) * scale p) in *.
  set (slack := Z.max 0 (limit - total_price L + 1)) in *.
  destruct (search_leaf L slack _) as [found|] eqn:EF; [|discriminate].
  assert (Hs : 0 < scale p) by (destruct (costs_nonneg L ES) as (_ & _ & H); exact H).
  destruct (leaf_relaxes P p F HP Hs HA) as [AL CL]. fold L in AL, CL.
  assert (CH : total_price L <= limit -> forall G, incl G found -> admitted L G -> limit < set_cost L G).
  { intros Hr. destruct (limit - total_price L <? 0) eqn:ER; [apply Z.ltb_lt in ER; lia|].
    destruct (choice L limit found) eqn:EC; [|discriminate]. now apply choice_sound. }
  assert (Low : limit < set_cost L F); [|unfold limit in Low; nia].
  unfold search_leaf in EF. destruct (existsb _ (positives P)).
  - eapply (leaf_sound L ES slack) with (legal := legal); eauto; try (unfold slack; lia).
    intros R HR _. exists R. split; [exact HR|apply dominates_refl].
  - eapply (leaf_sound L ES slack) with (legal := legal); eauto; try (unfold slack; lia).
    intros R HR _. apply exchange_literals. apply HR.
Qed.

Theorem refuse_sound : forall tree P bound F, proper P -> refuse P bound tree = None ->
  (forall R, In R F -> legal R) -> class_admitted P F -> bound <= class_cost P F.
Proof.
  induction tree as [p|rows some IHs none IHn]; intros P bound F HP E HL HA.
  - cbn [refuse] in E. eapply refuse_leaf_sound; eauto.
  - cbn [refuse] in E. destruct (mask_of rows) as [m|]; [|discriminate].
    destruct (refuse (with_some m P) bound some) eqn:E1; [discriminate|].
    destruct (split_sound m P F HA) as [[A C]|[A C]]; rewrite <- C.
    + apply IHs; auto. now apply proper_some.
    + apply IHn; auto.
Qed.
End Prove.
