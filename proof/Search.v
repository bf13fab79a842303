(** * The exhaustive search for rules (checker.py, [Leaf.close])

    [visit] walks through all rules that can be made of the usable literals and leaves a rule
    with all that can come of it by adding literals where one of these holds:
    - (a) the prices still covered do not pay for the rule, or for one more literal;
    - (b) some literal of it recovers too little blame;
    - (c) its value and the blame that all further literals recover are not enough;
    - (d) some literal alone excludes negatives of too little weight;
    - it covers no positive.
    A literal that alone excludes a hard negative is exempt from (b) and (d).

    [visit_complete]: every rule that passes these tests with all its parts is found, and has no
    positive value.  [Exchange.v] shows that no other rules are needed. *)

From Coq Require Import ZArith List Lia Permutation Bool Orders Mergesort.
From Laconic Require Import Statement Sums Duality Trees.
Import ListNotations.
Local Open Scope Z_scope.

(** ** What is known of a rule: the rows that it covers, and those that only one literal excludes *)

Record data := Data
  { dpos : list (tree Z * list pos_item);
    dneg : tree (list neg_item);
    dhard : list Z;
    dalone : list (tree (list neg_item) * list Z);   (* for each literal of the rule *)
    dsize : Z }.

Definition has (l : Z) (m : Z) : bool := Z.testbit m l.
Definition lacks (l : Z) (m : Z) : bool := negb (Z.testbit m l).

Definition holds_on (l : Z) (j : neg_item) : bool := has l (nmask j).
Definition fails_on (l : Z) (j : neg_item) : bool := lacks l (nmask j).

Fixpoint keep_pos {C} (l : Z) (gs : list (C * list pos_item)) : list (C * list pos_item) :=
  match gs with
  | [] => []
  | (c, is_) :: gs =>
      match filter (fun i => has l (pmask i)) is_ with
      | [] => keep_pos l gs
      | is_ => (c, is_) :: keep_pos l gs
      end
  end.

Definition root (L : leaf_problem) : data :=
  let depth := depth_of L in
  Data (map (fun g => (units_tree depth (fst g), snd g)) (groups L)) (part L (fun _ => true)) (hards L) [] 0.

Definition extend (l : Z) (d : data) : data :=
  Data (keep_pos l (dpos d)) (keep_neg (holds_on l) (dneg d)) (filter (has l) (dhard d))
       ((keep_neg (fails_on l) (dneg d), filter (lacks l) (dhard d))
        :: map (fun a => (keep_neg (holds_on l) (fst a), filter (has l) (snd a))) (dalone d))
       (dsize d + 1).

Definition price_at (L : leaf_problem) (size : Z) : Z := scale_of L * (rule_cost L + literal_cost L * size).
Definition literal_unit (L : leaf_problem) : Z := scale_of L * literal_cost L.

(** The value, without regard to hard negatives. *)
Definition value_in (L : leaf_problem) (d : data) : Z :=
  let w := weights (dneg d) in
  sum (fun g => let c := tree_dot (fst g) w in
                sum (fun i => Z.max 0 (price i - unit_weight i * c)) (snd g)) (dpos d)
  - price_at L (dsize d).

Definition kept_in (d : data) : Z := sum (fun g => sum price (snd g)) (dpos d).

(** The most blame that negatives [ns] can give back on the positives covered. *)
Definition recovered (d : data) (ns : tree (list neg_item)) : Z :=
  let w := weights ns in
  sum (fun g => let c := tree_dot (fst g) w in
                sum (fun i => Z.min (price i) (unit_weight i * c)) (snd g)) (dpos d).

(** Whether they give back more than [least], counted as far as needed. *)
Fixpoint recovers_more (least so_far : Z) (w : tree Z) (gs : list (tree Z * list pos_item)) : bool :=
  if least <? so_far then true
  else
    match gs with
    | [] => false
    | g :: gs =>
        let c := tree_dot (fst g) w in
        recovers_more least (so_far + sum (fun i => Z.min (price i) (unit_weight i * c)) (snd g)) w gs
    end.

Definition is_nil {A} (l : list A) : bool := match l with [] => true | _ => false end.

(** (b) and (d) for one literal, by the rows that it alone excludes. *)
Definition needed_in (L : leaf_problem) (slack : Z) (d : data) (a : tree (list neg_item) * list Z) : bool :=
  if is_nil (snd a)
  then let w := weights (fst a) in
       if literal_cost L <? total w then recovers_more (literal_unit L - slack) 0 w (dpos d) else false
  else true.

Definition viable (L : leaf_problem) (slack : Z) (d : data) : bool :=
  if is_nil (dpos d) then false
  else if - slack <? kept_in d - price_at L (dsize d) - (if is_nil (dhard d) then 0 else literal_unit L)
  then forallb (needed_in L slack d) (dalone d) else false.

(** A literal that may come next, the rule with it, and the blame that it recovers. *)
Record kid := Kid { lit : Z; with_lit : data; regain : Z }.

Definition gain (L : leaf_problem) (k : kid) : Z := Z.max 0 (regain k - literal_unit L).

Module KidOrder <: TotalLeBool.
  Definition t := kid.
  Definition leb (a b : kid) : bool := regain b <=? regain a.
  Theorem leb_total : forall a b, leb a b = true \/ leb b a = true.
  Proof. intros a b. unfold leb. rewrite !Z.leb_le. lia. Qed.
End KidOrder.
Module KidSort := Sort KidOrder.

Fixpoint fewest (ways : Z -> Z) (best n : Z) (hs : list Z) : Z :=
  match hs with
  | [] => best
  | h :: hs => let k := ways h in if k <? n then fewest ways h k hs else fewest ways best n hs
  end.

Section Visit.
Variable L : leaf_problem.
Variable slack : Z.
Variable feature_of : Z -> Z.

Definition kids_of (d : data) (usable : list Z) : list kid :=
  flat_map (fun l =>
    let d' := extend l d in
    if viable L slack d'
    then [Kid l d' (match dalone d' with [] => 0 | a :: _ => recovered d' (fst a) end)] else []) usable.

(** A hard negative must be excluded: branch on one with the fewest ways to do so. *)
Definition branches (hard : list Z) (kids : list kid) : list kid * list kid :=
  match hard with
  | [] => (kids, [])
  | h :: hs =>
      let ways h := count (fun k => lacks (lit k) h) kids in
      let h := fewest ways h (ways h) hs in
      (filter (fun k => lacks (lit k) h) kids, filter (fun k => has (lit k) h) kids)
  end.

Fixpoint explore (go : body_t -> data -> list Z -> list body_t -> option (list body_t))
    (R : body_t) (base total : Z) (others branch : list kid) (found : list body_t) : option (list body_t) :=
  match branch with
  | [] => Some found
  | k :: later =>
      if base + total <=? - slack then Some found
      else
        let rest := filter (fun k' => negb (feature_of (lit k') =? feature_of (lit k))) (later ++ others) in
        match go (lit k :: R) (with_lit k) (map lit rest) found with
        | None => None
        | Some found => explore go R base (total - gain L k) others later found
        end
  end.

Fixpoint visit (fuel : nat) (R : body_t) (d : data) (usable : list Z) (found : list body_t)
    : option (list body_t) :=
  match fuel with
  | O => None
  | S fuel =>
      let v := value_in L d in
      let free := is_nil (dhard d) in
      if free && (0 <? v) then None
      else
        let found := if free && (- slack <? v) then R :: found else found in
        if kept_in d - price_at L (dsize d) - literal_unit L <=? - slack then Some found
        else
          let kids := kids_of d usable in
          let (branch, others) := branches (dhard d) kids in
          explore (visit fuel) R v (sum (gain L) kids) others (KidSort.sort branch) found
  end.

(** ** The data of a rule are what they should be *)

Fixpoint data_of (R : body_t) : data :=
  match R with [] => root L | l :: R => extend l (data_of R) end.

Lemma over_keep {C} l (f : C -> pos_item -> Z) gs :
  over f (keep_pos l gs) = over (fun c i => if has l (pmask i) then f c i else 0) gs.
Proof.
  induction gs as [|[c is_] gs IH]; [reflexivity|]. cbn [keep_pos].
  assert (E : sum (fun i => if has l (pmask i) then f c i else 0) is_
              = sum (f c) (filter (fun i => has l (pmask i)) is_)) by (now rewrite sum_filter).
  unfold over in *. rewrite sum_cons. cbn [fst snd]. rewrite E, <- IH.
  destruct (filter _ is_); reflexivity.
Qed.

Notation packed := (units_tree (depth_of L)).

Lemma over_data f R : over f (dpos (data_of R))
  = over (fun c i => if covers_mask R (pmask i) then f (packed c) i else 0) (groups L).
Proof.
  revert f; induction R as [|l R IH]; intros f; [unfold over; cbn [data_of root dpos]; now rewrite sum_map|]. cbn [data_of extend dpos].
  rewrite over_keep, IH. apply over_eq. intros c is_ i _ _. unfold covers_mask. simpl. unfold has.
  destruct (Z.testbit (pmask i) l), (forallb (Z.testbit (pmask i)) R); reflexivity.
Qed.

Lemma dneg_data R : dneg (data_of R) = part L (fun j => covers_mask R (nmask j)).
Proof.
  induction R as [|l R IH]; [reflexivity|]. cbn [data_of extend dneg]. unfold part in *. rewrite IH, keep_keep. reflexivity.
Qed.

Lemma dhard_data R : dhard (data_of R) = filter (covers_mask R) (hards L).
Proof.
  induction R as [|l R IH].
  - simpl. induction (hards L); simpl; congruence.
  - cbn [data_of extend dhard]. rewrite IH, filter_filter. reflexivity.
Qed.

Definition without (l : Z) (R : body_t) : body_t := remove Z.eq_dec l R.
Definition alone (l : Z) (Q : body_t) (m : Z) : bool := covers_mask Q m && lacks l m.

Lemma without_same l R : ~ In l R -> without l R = R.
Proof. apply notin_remove. Qed.

Lemma dalone_data R : NoDup R -> dalone (data_of R) =
  map (fun l => (part L (fun j => alone l (without l R) (nmask j)), filter (alone l (without l R)) (hards L))) R.
Proof.
  induction 1 as [|l R Hl HR IH]; [reflexivity|]. cbn [data_of extend dalone].
  rewrite dneg_data, dhard_data, IH. cbn [map]. f_equal.
  - unfold without. rewrite remove_cons, (notin_remove Z.eq_dec R l Hl). f_equal.
    + unfold part. rewrite keep_keep. apply keep_ext. intros. apply andb_comm.
    + rewrite filter_filter. apply filter_ext. intros. apply andb_comm.
  - rewrite map_map. apply map_ext_in. intros l' Hl'. cbn [fst snd].
    assert (E : without l' (l :: R) = l :: without l' R).
    { unfold without. simpl. destruct (Z.eq_dec l' l); [subst; contradiction|reflexivity]. }
    rewrite E. f_equal.
    + unfold part. rewrite keep_keep. apply keep_ext. intros j. unfold holds_on, alone, covers_mask, has. simpl.
      now rewrite andb_assoc.
    + rewrite filter_filter. apply filter_ext. intros j. unfold alone, covers_mask, has. simpl.
      now rewrite andb_assoc.
Qed.

Lemma dsize_data R : dsize (data_of R) = Z.of_nat (length R).
Proof. induction R; [reflexivity|]. cbn [data_of extend dsize length]. lia. Qed.

Lemma price_data R : price_at L (dsize (data_of R)) = rule_price L R.
Proof. unfold price_at, rule_price. now rewrite dsize_data. Qed.

Lemma value_data R : value_in L (data_of R) = value_of L R.
Proof.
  unfold value_in, value_of. rewrite price_data. f_equal. rewrite dneg_data. cbv zeta.
  set (w := weights _).
  transitivity (over (fun c i => Z.max 0 (price i - unit_weight i * tree_dot c w)) (dpos (data_of R))); [reflexivity|].
  rewrite over_data. apply over_eq. intros c is_ i _ _. unfold w. now rewrite charge_part.
Qed.

(** The blame that literal [l] recovers when it is added to [Q]. *)
Definition recovers (l : Z) (Q : body_t) : Z :=
  over (fun c i => if covers_mask (l :: Q) (pmask i)
                   then Z.min (price i) (unit_weight i * charge L c (fun j => alone l Q (nmask j))) else 0) (groups L).
Definition weight_alone (l : Z) (Q : body_t) : Z :=
  sum (weight_where (fun j => alone l Q (nmask j))) (neg_groups L).

Lemma recovered_data R l Q : incl R (l :: Q) -> incl (l :: Q) R ->
  recovered (data_of R) (part L (fun j => alone l Q (nmask j))) = recovers l Q.
Proof.
  intros A B. unfold recovered. cbv zeta. set (w := weights _).
  transitivity (over (fun c i => Z.min (price i) (unit_weight i * tree_dot c w)) (dpos (data_of R))); [reflexivity|].
  rewrite over_data. apply over_eq. intros c is_ i _ _. unfold w. rewrite charge_part. now rewrite (covers_ext R (l :: Q)).
Qed.

Lemma recovers_more_complete least w gs : forall so_far,
  least < so_far + sum (fun g => sum (fun i => Z.min (price i) (unit_weight i * tree_dot (fst g) w)) (snd g)) gs ->
  recovers_more least so_far w gs = true.
Proof.
  induction gs as [|g gs IH]; intros so_far H; cbn [recovers_more].
  - cbn in H. destruct (least <? so_far) eqn:E; [reflexivity|]. apply Z.ltb_ge in E. lia.
  - destruct (least <? so_far); [reflexivity|]. apply IH. rewrite sum_cons in H. lia.
Qed.

(** ** Why the tests may end a branch *)

Hypothesis S : sound_leaf L.

Lemma indicator (b : bool) : 0 <= if b then 1 else 0.
Proof. destruct b; lia. Qed.

Lemma scaled_mono w a b : 0 <= w -> 0 <= a -> a <= b -> 0 <= w * a /\ w * a <= w * b.
Proof. intros. split; [nia|]. now apply Z.mul_le_mono_nonneg_l. Qed.

Lemma in_group c is_ i : In (c, is_) (groups L) -> In i is_ ->
  0 <= price i /\ 0 <= unit_weight i /\ nonneg c.
Proof.
  intros A B. destruct (group_of_in L S (c, is_) i A B) as (? & ? & _ & ?). auto.
Qed.

Lemma alone_incl l Q Q' m : incl Q Q' -> alone l Q' m = true -> alone l Q m = true.
Proof.
  unfold alone. rewrite !andb_true_iff. intros I (A & B). split; [|assumption]. eapply covers_incl; eauto.
Qed.

Lemma recovers_anti l Q Q' : incl Q Q' -> recovers l Q' <= recovers l Q.
Proof.
  intros I. apply over_le. intros c is_ i Hg Hi. destruct (in_group c is_ i Hg Hi) as (Hy & Hw & Hc).
  assert (C : charge L c (fun j => alone l Q' (nmask j)) <= charge L c (fun j => alone l Q (nmask j)))
    by (apply charge_mono; auto; intros j; now apply alone_incl).
  pose proof (charge_nonneg L S c (fun j => alone l Q' (nmask j)) Hc) as C0.
  destruct (covers_mask (l :: Q') (pmask i)) eqn:E.
  - rewrite (covers_incl (l :: Q) (l :: Q') (pmask i)); auto.
    + destruct (scaled_mono _ _ _ Hw C0 C). lia.
    + intros x [->|Hx]; [now left|right; auto].
  - destruct (scaled_mono _ _ _ Hw C0 C). destruct (covers_mask (l :: Q) (pmask i)); lia.
Qed.

Lemma weight_alone_anti l Q Q' : incl Q Q' -> weight_alone l Q' <= weight_alone l Q.
Proof.
  intros I. apply sum_le. intros js Hj. apply (weight_where_mono L S); auto. intros j. now apply alone_incl.
Qed.

(** Adding a literal gains at most the blame that it recovers, less its price. *)
Lemma value_step l Q : value_of L (l :: Q) <= value_of L Q + recovers l Q - literal_unit L.
Proof.
  unfold value_of, rule_price, literal_unit. cbn [length]. rewrite Nat2Z.inj_succ.
  assert (over (paid L (l :: Q)) (groups L) <= over (paid L Q) (groups L) + recovers l Q); [|lia].
  unfold recovers. rewrite <- over_plus. apply over_le. intros c is_ i Hg Hi.
  destruct (in_group c is_ i Hg Hi) as (Hy & Hw & Hc). unfold paid at 1.
  destruct (covers_mask (l :: Q) (pmask i)) eqn:E; [|pose proof (paid_nonneg L Q c i); lia].
  unfold paid. rewrite (covers_incl Q (l :: Q) (pmask i)); [|now right|assumption].
  assert (C : charge L c (fun j => covers_mask Q (nmask j)) <=
              charge L c (fun j => covers_mask (l :: Q) (nmask j)) + charge L c (fun j => alone l Q (nmask j))).
  { apply charge_subadd; auto. intros j H. unfold alone, lacks, covers_mask in *. simpl. rewrite H.
    destruct (Z.testbit (nmask j) l); auto. }
  pose proof (charge_nonneg L S c (fun j => covers_mask (l :: Q) (nmask j)) Hc) as C1.
  pose proof (charge_nonneg L S c (fun j => alone l Q (nmask j)) Hc) as C2.
  pose proof (charge_nonneg L S c (fun j => covers_mask Q (nmask j)) Hc) as C3.
  destruct (scaled_mono _ _ _ Hw C3 C). pose proof (Z.mul_nonneg_nonneg _ _ Hw C1).
  pose proof (Z.mul_nonneg_nonneg _ _ Hw C2). lia.
Qed.

Lemma value_ext R Q : incl R Q -> incl Q R -> length R = length Q -> value_of L R = value_of L Q.
Proof.
  intros A B E. unfold value_of, rule_price. rewrite E. f_equal. apply over_eq. intros c is_ i _ _.
  unfold paid. rewrite (covers_ext R Q) by assumption. destruct covers_mask; [|reflexivity].
  assert (X : charge L c (fun j => covers_mask R (nmask j)) = charge L c (fun j => covers_mask Q (nmask j))).
  { unfold charge, weights_where. f_equal. apply map_ext. intros js. apply sum_eq. intros j _.
    now rewrite (covers_ext R Q). }
  now rewrite X.
Qed.

(** (c): many literals gain at most the sum of what each gains. *)
Lemma value_steps T R : value_of L (T ++ R) <= value_of L R + sum (fun l => recovers l R - literal_unit L) T.
Proof.
  induction T as [|l T IH]; [simpl; lia|]. cbn [app]. rewrite sum_cons.
  pose proof (value_step l (T ++ R)).
  assert (recovers l (T ++ R) <= recovers l R) by (apply recovers_anti; intros x Hx; apply in_or_app; now right).
  lia.
Qed.

Definition needed (l : Z) (Q : body_t) : Prop :=
  (exists h, In h (hards L) /\ alone l Q h = true) \/
  (literal_cost L < weight_alone l Q /\ literal_unit L - slack < recovers l Q).

Lemma needed_anti l Q Q' : incl Q Q' -> needed l Q' -> needed l Q.
Proof.
  intros I [(h & A & B)|(A & B)].
  - left. exists h. split; [assumption|]. eapply alone_incl; eauto.
  - right. pose proof (weight_alone_anti l Q Q' I). pose proof (recovers_anti l Q Q' I). lia.
Qed.

Definition covers_positive (Q : body_t) : Prop :=
  exists g i, In g (groups L) /\ In i (snd g) /\ covers_mask Q (pmask i) = true.
Definition hard_free (Q : body_t) : Prop := forall h, In h (hards L) -> covers_mask Q h = false.

(** The rules that the search must find. *)
Record target_rule (Q : body_t) : Prop :=
  { distinct : NoDup (map feature_of Q);
    useful : covers_positive Q;
    free_of_hard : hard_free Q;
    all_needed : forall l, In l Q -> needed l (without l Q);
    valuable : - slack < value_of L Q }.

Lemma nodup_target Q : target_rule Q -> NoDup Q.
Proof. intros T. eapply NoDup_map_inv. apply (distinct Q T). Qed.

Lemma kept_data R : kept_in (data_of R) = over (fun _ i => if covers_mask R (pmask i) then price i else 0) (groups L).
Proof. unfold kept_in. transitivity (over (fun _ i => price i) (dpos (data_of R))); [reflexivity|]. apply over_data. Qed.

Lemma value_below_kept R Q : incl R Q -> value_of L Q <= kept_in (data_of R) - rule_price L Q.
Proof.
  intros I. unfold value_of. rewrite kept_data.
  assert (over (paid L Q) (groups L) <= over (fun _ i => if covers_mask R (pmask i) then price i else 0) (groups L)); [|lia].
  apply over_le. intros c is_ i Hg Hi. destruct (in_group c is_ i Hg Hi) as (Hy & Hw & Hc). unfold paid.
  pose proof (charge_nonneg L S c (fun j => covers_mask Q (nmask j)) Hc) as C0.
  pose proof (Z.mul_nonneg_nonneg _ _ Hw C0).
  destruct (covers_mask Q (pmask i)) eqn:E; [rewrite (covers_incl R Q) by assumption; lia|].
  destruct (covers_mask R (pmask i)); lia.
Qed.

Lemma length_le (R Q : body_t) : NoDup R -> incl R Q -> (length R <= length Q)%nat.
Proof. intros. now apply NoDup_incl_length. Qed.

Lemma length_lt (R Q : body_t) : NoDup R -> NoDup Q -> incl R Q -> ~ incl Q R -> (length R < length Q)%nat.
Proof.
  intros A B I N. destruct (Nat.lt_ge_cases (length R) (length Q)); [assumption|].
  exfalso. apply N. now apply NoDup_length_incl.
Qed.

Lemma price_le (R Q : body_t) k : (length R + k <= length Q)%nat ->
  price_at L (dsize (data_of R)) + Z.of_nat k * literal_unit L <= rule_price L Q.
Proof.
  intros H. rewrite price_data. unfold rule_price, literal_unit. destruct (costs_nonneg L S) as (_ & B & C).
  assert (D : 0 <= Z.of_nat (length Q) - Z.of_nat (length R) - Z.of_nat k) by lia.
  assert (U : 0 <= scale_of L * literal_cost L) by nia. pose proof (Z.mul_nonneg_nonneg _ _ U D). lia.
Qed.

Lemma is_nil_spec {A} (l : list A) : is_nil l = true <-> l = [].
Proof. destruct l; simpl; split; congruence. Qed.

Lemma viable_target R Q : NoDup R -> target_rule Q -> incl R Q -> viable L slack (data_of R) = true.
Proof.
  intros NR T I. unfold viable.
  assert (E1 : is_nil (dpos (data_of R)) = false).
  { destruct (is_nil (dpos (data_of R))) eqn:E; [|reflexivity]. apply is_nil_spec in E.
    pose proof (over_data (fun _ _ => 1) R) as O. rewrite E in O. cbn in O.
    destruct (useful Q T) as (g & i & Hg & Hi & Hc).
    assert (1 <= over (fun _ i => if covers_mask R (pmask i) then 1 else 0) (groups L)); [|lia].
    unfold over.
    transitivity (sum (fun i => if covers_mask R (pmask i) then 1 else 0) (snd g)).
    - transitivity (if covers_mask R (pmask i) then 1 else 0).
      + now rewrite (covers_incl R Q).
      + apply (sum_in (fun i => if covers_mask R (pmask i) then 1 else 0)); auto. intros; apply indicator.
    - apply (sum_in (fun g : list Z * list pos_item => sum (fun i => if covers_mask R (pmask i) then 1 else 0) (snd g)));
        auto. intros. apply sum_nonneg. intros; apply indicator. }
  rewrite E1.
  pose proof (nodup_target Q T) as NQ. pose proof (value_below_kept R Q I). pose proof (valuable Q T).
  assert (E2 : - slack < kept_in (data_of R) - price_at L (dsize (data_of R))
                  - (if is_nil (dhard (data_of R)) then 0 else literal_unit L)).
  { destruct (is_nil (dhard (data_of R))) eqn:E.
    - pose proof (price_le R Q 0). pose proof (length_le R Q NR I). lia.
    - assert (length R < length Q)%nat.
      { apply length_lt; auto. intros I'. rewrite dhard_data in E.
        destruct (filter (covers_mask R) (hards L)) as [|h hs] eqn:F; [discriminate|].
        assert (In h (filter (covers_mask R) (hards L))) as Hh by (rewrite F; now left).
        apply filter_In in Hh. destruct Hh as [Hh Hc].
        pose proof (free_of_hard Q T h Hh). rewrite (covers_ext R Q) in Hc by assumption. congruence. }
      pose proof (price_le R Q 1). lia. }
  apply Z.ltb_lt in E2. rewrite E2. rewrite (dalone_data R NR). apply forallb_forall. intros a Ha.
  apply in_map_iff in Ha. destruct Ha as (l & <- & Hl).
  assert (N : needed l (without l R)).
  { apply (needed_anti l (without l R) (without l Q)).
    - intros x Hx. unfold without in *. apply in_remove in Hx. destruct Hx. apply in_in_remove; auto.
    - apply (all_needed Q T). auto. }
  unfold needed_in. cbn [fst snd].
  assert (A : incl R (l :: without l R)).
  { intros x Hx. destruct (Z.eq_dec x l); [left; auto|right; unfold without; apply in_in_remove; auto]. }
  assert (B : incl (l :: without l R) R).
  { intros x [->|Hx]; [assumption|]. unfold without in Hx. apply in_remove in Hx. tauto. }
  destruct (is_nil (filter (alone l (without l R)) (hards L))) eqn:E; [|reflexivity].
  apply is_nil_spec in E. destruct N as [(h & Hh & Ha)|(N1 & N2)].
  - assert (In h (filter (alone l (without l R)) (hards L))) by (apply filter_In; auto). rewrite E in H1. contradiction.
  - cbv zeta. rewrite total_part. fold (weight_alone l (without l R)). apply Z.ltb_lt in N1. rewrite N1. apply recovers_more_complete.
    pose proof (recovered_data R l (without l R) A B) as RD. unfold recovered in RD. cbv zeta in RD. rewrite RD. lia.
Qed.

Lemma recovered_kid l R : NoDup (l :: R) ->
  match dalone (extend l (data_of R)) with [] => 0 | a :: _ => recovered (extend l (data_of R)) (fst a) end
  = recovers l R.
Proof.
  intros N. change (extend l (data_of R)) with (data_of (l :: R)). rewrite (dalone_data (l :: R) N).
  cbn [map fst]. inversion N; subst.
  assert (E : without l (l :: R) = R).
  { unfold without. rewrite remove_cons. now apply notin_remove. }
  rewrite E. apply recovered_data; apply incl_refl.
Qed.

(** ** The search is complete *)

Definition reached (found : list body_t) (Q : body_t) : Prop :=
  exists R, In R found /\ incl R Q /\ incl Q R /\ length R = length Q.

Lemma reached_mono f g Q : incl f g -> reached f Q -> reached g Q.
Proof. intros I (R & A & B). exists R. auto. Qed.

Definition complete (go : body_t -> data -> list Z -> list body_t -> option (list body_t)) : Prop :=
  forall R usable found found',
    go R (data_of R) usable found = Some found' -> NoDup R -> (forall x, In x usable -> ~ In x R) ->
    incl found found' /\
    (forall Q, target_rule Q -> incl R Q -> (forall x, In x Q -> In x R \/ In x usable) ->
       value_of L Q <= 0 /\ reached found' Q).

Definition good_kid (R : body_t) (k : kid) : Prop :=
  ~ In (lit k) R /\ with_lit k = data_of (lit k :: R) /\ regain k = recovers (lit k) R.

Lemma gain_nonneg k : 0 <= gain L k.
Proof. unfold gain. lia. Qed.

Lemma sum_gains f (K : list kid) : (forall k, In k K -> f (lit k) <= gain L k) ->
  forall X, NoDup X -> (forall x, In x X -> In x (map lit K)) -> sum f X <= sum (gain L) K.
Proof.
  induction K as [|k K IH]; intros HF X NX HX.
  - destruct X as [|x X]; [simpl; lia|]. destruct (HX x); now left.
  - rewrite sum_cons. pose proof (gain_nonneg k). destruct (in_dec Z.eq_dec (lit k) X) as [I|N].
    + apply in_split in I. destruct I as (A & B & ->). rewrite sum_app, sum_cons.
      apply NoDup_remove in NX. destruct NX as [NX NI].
      assert (sum f (A ++ B) <= sum (gain L) K).
      { apply IH; [intros; apply HF; now right|assumption|]. intros x Hx.
        destruct (HX x) as [E|E]; [rewrite in_app_iff in *; simpl; tauto| |assumption]. subst x. contradiction. }
      rewrite sum_app in H0. specialize (HF k (or_introl eq_refl)). lia.
    + assert (sum f X <= sum (gain L) K); [|lia]. apply IH; [intros; apply HF; now right|assumption|].
      intros x Hx. destruct (HX x Hx) as [E|E]; [congruence|assumption].
Qed.

Lemma nodup_app {A} (X R : list A) : NoDup X -> NoDup R -> (forall x, In x X -> ~ In x R) -> NoDup (X ++ R).
Proof.
  induction 1; simpl; intros NR H1; [assumption|]. constructor.
  - rewrite in_app_iff. intros [?|?]; [contradiction|]. eapply H1; eauto; now left.
  - apply IHNoDup; auto.
Qed.

Lemma included (Q R : body_t) : {incl Q R} + {~ incl Q R}.
Proof.
  induction Q as [|q Q [A|A]].
  - left. intros x [].
  - destruct (in_dec Z.eq_dec q R) as [B|B]; [left|right].
    + intros x [<-|Hx]; auto.
    + intros I. apply B, I. now left.
  - right. intros I. apply A. intros x Hx. apply I. now right.
Defined.

(** A rule over [R] and further literals, as the further ones and [R]. *)
Lemma further (R Q : body_t) : NoDup R -> NoDup Q -> incl R Q ->
  exists X, NoDup X /\ (forall x, In x X -> In x Q /\ ~ In x R) /\ value_of L Q = value_of L (X ++ R).
Proof.
  intros NR NQ I.
  set (X := filter (fun x => if in_dec Z.eq_dec x R then false else true) Q). exists X.
  assert (HX : forall x, In x X <-> In x Q /\ ~ In x R).
  { intros x. unfold X. rewrite filter_In. destruct (in_dec Z.eq_dec x R); intuition congruence. }
  assert (NX : NoDup X) by now apply NoDup_filter.
  assert (NA : NoDup (X ++ R)) by (apply nodup_app; auto; intros x Hx; apply HX in Hx; tauto).
  assert (A : incl (X ++ R) Q).
  { intros x Hx. apply in_app_or in Hx. destruct Hx as [Hx|Hx]; [apply HX in Hx; tauto|auto]. }
  assert (B : incl Q (X ++ R)).
  { intros x Hx. apply in_or_app. rewrite HX. destruct (in_dec Z.eq_dec x R); auto. }
  split; [assumption|]. split; [intros x Hx; now apply HX|].
  apply value_ext; auto. apply Nat.le_antisymm; apply NoDup_incl_length; assumption.
Qed.

Lemma distinct_features Q x y : NoDup (map feature_of Q) -> In x Q -> In y Q -> feature_of x = feature_of y -> x = y.
Proof.
  induction Q as [|q Q IH]; simpl; intros N; [contradiction|]. inversion N; subst.
  intros [->|Hx] [->|Hy] E; auto.
  - exfalso. apply H1. rewrite E. now apply in_map.
  - exfalso. apply H1. rewrite <- E. now apply in_map.
Qed.

Lemma explore_complete go R others : complete go -> NoDup R -> (forall k, In k others -> good_kid R k) ->
  forall branch found found' total,
    explore go R (value_of L R) total others branch found = Some found' ->
    total = sum (gain L) branch + sum (gain L) others ->
    (forall k, In k branch -> good_kid R k) ->
    incl found found' /\
    (forall Q, target_rule Q -> incl R Q ->
       (forall x, In x Q -> In x R \/ In x (map lit (branch ++ others))) ->
       (exists k, In k branch /\ In (lit k) Q) ->
       value_of L Q <= 0 /\ reached found' Q).
Proof.
  intros G NR GO. induction branch as [|k later IH]; intros found found' total E ET GB.
  - inversion E; subst. split; [apply incl_refl|]. intros Q _ _ _ (k & [] & _).
  - cbn [explore] in E. destruct (value_of L R + total <=? - slack) eqn:Cut.
    + inversion E; subst found'. split; [apply incl_refl|]. intros Q T I J _. exfalso.
      apply Z.leb_le in Cut.
      destruct (further R Q NR (nodup_target Q T) I) as (X & NX & HX & EV).
      pose proof (value_steps X R) as VS. pose proof (valuable Q T).
      assert (sum (fun l => recovers l R - literal_unit L) X <= sum (gain L) ((k :: later) ++ others)).
      { apply sum_gains; [|assumption|].
        - intros k' Hk. assert (GK : good_kid R k') by (apply in_app_or in Hk; destruct Hk; auto).
          destruct GK as (_ & _ & E1). unfold gain. lia.
        - intros x Hx. apply HX in Hx. destruct Hx as [Hx NI]. destruct (J x Hx); [contradiction|assumption]. }
      rewrite sum_app in *. lia.
    + set (rest := filter (fun k' => negb (feature_of (lit k') =? feature_of (lit k))) (later ++ others)) in *.
      destruct (go (lit k :: R) (with_lit k) (map lit rest) found) as [found1|] eqn:GoE; [|discriminate].
      destruct (GB k (or_introl eq_refl)) as (NI & ED & _). rewrite ED in GoE.
      assert (Hrest : forall k', In k' rest -> In k' (later ++ others) /\ feature_of (lit k') <> feature_of (lit k)).
      { intros k' Hk. apply filter_In in Hk. destruct Hk as [A B]. split; [assumption|].
        apply negb_true_iff, Z.eqb_neq in B. assumption. }
      assert (NK : NoDup (lit k :: R)) by now constructor.
      destruct (G _ _ _ _ GoE NK) as (I1 & C1).
      { intros x Hx. apply in_map_iff in Hx. destruct Hx as (k' & <- & Hk). destruct (Hrest k' Hk) as [A B].
        intros [E1|E1]; [congruence|].
        assert (GK : good_kid R k') by (apply in_app_or in A; destruct A; [apply GB; now right|auto]).
        now apply (proj1 GK). }
      rewrite sum_cons in ET.
      destruct (IH found1 found' (total - gain L k)) as (I2 & C2); [assumption|lia|intros; apply GB; now right|].
      split; [eapply incl_tran; eauto|]. intros Q T I J (k0 & Hk0 & HQ0).
      destruct (in_dec Z.eq_dec (lit k) Q) as [HkQ|HkQ].
      * destruct (C1 Q T) as (V & Rch).
        -- intros x [<-|Hx]; auto.
        -- intros x Hx. destruct (J x Hx) as [Hr|Hm]; [left; now right|].
           apply in_map_iff in Hm. destruct Hm as (k' & <- & [<-|Hk']); [left; now left|].
           destruct (Z.eq_dec (lit k') (lit k)) as [Eq|Ne]; [left; left; congruence|].
           right. apply in_map. apply filter_In. split; [assumption|]. apply negb_true_iff, Z.eqb_neq.
           intros F. apply Ne. eapply distinct_features; [apply (distinct Q T)| | |]; eauto.
        -- split; [assumption|]. eapply reached_mono; eauto.
      * apply C2; auto.
        -- intros x Hx. destruct (J x Hx) as [Hr|Hm]; [now left|right].
           simpl in Hm. destruct Hm as [Hm|Hm]; [subst x; contradiction|assumption].
        -- exists k0. split; [|assumption]. destruct Hk0 as [<-|Hk0]; [contradiction|assumption].
Qed.

Lemma fewest_in ways hs : forall best n, In (fewest ways best n hs) (best :: hs).
Proof.
  induction hs as [|h hs IH]; intros best n; [now left|]. cbn [fewest].
  destruct (ways h <? n).
  - specialize (IH h (ways h)). simpl in *. tauto.
  - specialize (IH best n). simpl in *. tauto.
Qed.

Lemma sum_filter_split {A} (f : A -> Z) p q l : (forall x, q x = negb (p x)) ->
  sum f (filter p l) + sum f (filter q l) = sum f l.
Proof.
  intros H. induction l; simpl; [reflexivity|]. rewrite H. destruct (p a); simpl in *; lia.
Qed.

(** What [branches] gives: all literals, in two parts; a rule free of hard negatives takes one of
    the first part, unless it has no further literal. *)
Lemma branches_spec hard kids branch others : branches hard kids = (branch, others) ->
  (forall k, In k kids <-> In k branch \/ In k others) /\
  sum (gain L) kids = sum (gain L) branch + sum (gain L) others /\
  ((others = [] /\ branch = kids) \/
   exists h, In h hard /\ (forall k, In k branch <-> In k kids /\ lacks (lit k) h = true)).
Proof.
  unfold branches. destruct hard as [|h hs].
  - intros E. inversion E; subst. split; [|split; [simpl; lia|now left]]. simpl. tauto.
  - set (h' := fewest _ _ _ _). intros E. inversion E; subst. clear E.
    assert (HB : forall k, has (lit k) h' = negb (lacks (lit k) h')) by (intros; unfold has, lacks; now rewrite negb_involutive).
    split; [|split].
    + intros k. rewrite !filter_In, (HB k). destruct (lacks (lit k) h'); simpl; intuition congruence.
    + symmetry. apply sum_filter_split. assumption.
    + right. exists h'. split; [apply fewest_in|]. intros k. apply filter_In.
Qed.

Theorem visit_complete fuel : complete (visit fuel).
Proof.
  induction fuel as [|fuel IH]; intros R usable found found' E NR HU; [discriminate|].
  cbn [visit] in E. rewrite value_data in E.
  set (free := is_nil (dhard (data_of R))) in *.
  destruct (free && (0 <? value_of L R)) eqn:Over; [discriminate|].
  set (found1 := if free && (- slack <? value_of L R) then R :: found else found) in *.
  assert (I1 : incl found found1) by (unfold found1; destruct (free && (- slack <? value_of L R)); intros x Hx; [now right|assumption]).
  assert (Here : forall Q, target_rule Q -> incl R Q -> incl Q R -> value_of L Q <= 0 /\ reached found1 Q).
  { intros Q T A B.
    assert (EL : length R = length Q).
    { apply Nat.le_antisymm; apply NoDup_incl_length; auto. apply (nodup_target Q T). }
    pose proof (value_ext R Q A B EL) as EV. pose proof (valuable Q T).
    assert (F : free = true).
    { unfold free. rewrite dhard_data. destruct (filter (covers_mask R) (hards L)) as [|h hs] eqn:Eh; [reflexivity|].
      assert (In h (filter (covers_mask R) (hards L))) as Hh by (rewrite Eh; now left).
      apply filter_In in Hh. destruct Hh as [Hh Hc]. pose proof (free_of_hard Q T h Hh).
      rewrite (covers_ext R Q) in Hc by assumption. congruence. }
    rewrite F in Over. simpl in Over. apply Z.ltb_ge in Over. split; [lia|].
    exists R. split; [|auto]. unfold found1. rewrite F. simpl.
    destruct (- slack <? value_of L R) eqn:W; [now left|]. apply Z.ltb_ge in W. lia. }
  destruct (kept_in (data_of R) - price_at L (dsize (data_of R)) - literal_unit L <=? - slack) eqn:Cut.
  - inversion E; subst found'. split; [assumption|]. intros Q T A J.
    destruct (included Q R) as [B|B]; [now apply Here|]. exfalso. apply Z.leb_le in Cut.
    pose proof (value_below_kept R Q A). pose proof (valuable Q T).
    pose proof (length_lt R Q NR (nodup_target Q T) A B). pose proof (price_le R Q 1). lia.
  - destruct (branches (dhard (data_of R)) (kids_of (data_of R) usable)) as [branch others] eqn:EB.
    destruct (branches_spec _ _ _ _ EB) as (HK & HS & HB).
    assert (GK : forall k, In k (kids_of (data_of R) usable) -> good_kid R k).
    { intros k Hk. unfold kids_of in Hk. apply in_flat_map in Hk. destruct Hk as (l & Hl & Hk).
      cbv zeta in Hk. destruct (viable L slack (extend l (data_of R))); [|contradiction].
      destruct Hk as [<-|[]]. unfold good_kid. cbn [lit with_lit regain]. specialize (HU l Hl).
      split; [assumption|]. split; [reflexivity|]. apply recovered_kid. now constructor. }
    pose proof (KidSort.Permuted_sort branch) as PS.
    destruct (explore_complete (visit fuel) R others IH NR (fun k Hk => GK k (proj2 (HK k) (or_intror Hk)))
      _ _ _ _ E) as (I2 & C2).
    + rewrite HS. now rewrite (sum_perm _ _ _ PS).
    + intros k Hk. apply GK, HK. left. eapply Permutation_in; [apply Permutation_sym, PS|assumption].
    + split; [eapply incl_tran; eauto|]. intros Q T A J.
      destruct (included Q R) as [B|B].
      * destruct (Here Q T A B) as [V Rch]. split; [assumption|]. eapply reached_mono; eauto.
      * assert (Kid_in : forall x, In x Q -> ~ In x R -> exists k, In k (kids_of (data_of R) usable) /\ lit k = x).
        { intros x Hx NI. destruct (J x Hx) as [?|Hu]; [contradiction|].
          eexists. split.
          - unfold kids_of. apply in_flat_map. exists x. split; [assumption|]. cbv zeta.
            change (extend x (data_of R)) with (data_of (x :: R)).
            rewrite (viable_target (x :: R) Q); [now left|now constructor|assumption|].
            intros y [<-|Hy]; auto.
          - reflexivity. }
        apply C2; auto.
        -- intros x Hx. destruct (in_dec Z.eq_dec x R) as [y|n]; [now left|right].
           destruct (Kid_in x Hx n) as (k & Hk & <-). apply in_map. apply in_or_app. apply HK in Hk.
           destruct Hk; [left|now right]. eapply Permutation_in; eauto.
        -- assert (X : exists k, In k branch /\ In (lit k) Q).
           { destruct HB as [[-> ->]|(h & Hh & HBr)].
             - assert (exists x, In x Q /\ ~ In x R) as (x & Hx & NI).
               { clear - B. induction Q as [|q Q IHQ]; [exfalso; apply B; intros ? []|].
                 destruct (in_dec Z.eq_dec q R) as [y|n].
                 - destruct IHQ as (x & ? & ?).
                   + intros I. apply B. intros z [<-|Hz]; auto.
                   + exists x. split; [now right|assumption].
                 - exists q. split; [now left|assumption]. }
               destruct (Kid_in x Hx NI) as (k & Hk & <-). exists k. auto.
             - rewrite dhard_data in Hh. apply filter_In in Hh. destruct Hh as [Hh Hc].
               pose proof (free_of_hard Q T h Hh) as HF.
               assert (exists x, In x Q /\ Z.testbit h x = false) as (x & Hx & Hb).
               { clear - HF. unfold covers_mask in HF. induction Q as [|q Q IHQ]; [discriminate|]. simpl in HF.
                 destruct (Z.testbit h q) eqn:Eq; [|exists q; split; [now left|assumption]].
                 destruct IHQ as (x & ? & ?); [assumption|]. exists x. split; [now right|assumption]. }
               destruct (Kid_in x Hx) as (k & Hk & <-).
               { intros I. rewrite covers_in in Hc. rewrite Hc in Hb by assumption. discriminate. }
               exists k. split; [|assumption]. apply HBr. split; [assumption|]. unfold lacks. now rewrite Hb. }
           destruct X as (k & Hk & HQ). exists k. split; [|assumption]. eapply Permutation_in; eauto.
Qed.
End Visit.
