(** * The choice among the rules found (checker.py, [Choice])

    Where the prices fall short of the bound, the search has listed all rules that a cheaper set
    may use.  [choose] tries all sets of them: it decides row after row which rule covers it, or
    none, as long as the prices and the waste of what is chosen stay within the limit
    ([Duality.overlap_duality]).  Rules that another one beats are dropped first. *)

From Coq Require Import ZArith List Lia Permutation Bool.
From Laconic Require Import Statement Sums Duality Search Exchange.
Import ListNotations.
Local Open Scope Z_scope.

(** ** Candidates: a rule, its waste, and what it pays of each positive that it covers *)

Record candidate := Candidate { rule_of : body_t; own_waste : Z; pays : list (list (option Z)) }.

Definition candidate_of (L : leaf_problem) (R : body_t) : candidate :=
  let w := weights_where L (fun j => covers_mask R (nmask j)) in
  let p := map (fun g => let c := dot (fst g) w in
                         map (fun i => if covers_mask R (pmask i)
                                       then Some (Z.max 0 (price i - unit_weight i * c)) else None) (snd g)) (groups L) in
  Candidate R (rule_price L R - sum (sum (fun o => match o with Some z => z | None => 0 end)) p) p.

(** ** Dropping the rules that another one beats *)

Fixpoint bits {A} (f : A -> bool) (l : list A) : Z :=
  match l with [] => 0 | x :: l => (if f x then 1 else 0) + 2 * bits f l end.
Definition within (a b : Z) : bool := Z.land a b =? a.

(** A rule with the positives and the negatives that it covers, and its number of literals. *)
Record cover := Cover { crule : body_t; cpos : Z; cneg : Z; csize : Z }.

Definition cover_of (L : leaf_problem) (R : body_t) : cover :=
  Cover R (bits (fun i => covers_mask R (pmask i)) (flat_map snd (groups L)))
          (bits (fun j => covers_mask R (nmask j)) (concat (neg_groups L)))
          (Z.of_nat (length R)).
Definition beats (a b : cover) : bool :=
  (csize a <=? csize b) && within (cpos b) (cpos a) && within (cneg a) (cneg b).

Fixpoint unbeaten (l kept : list cover) : list cover :=
  match l with
  | [] => kept
  | c :: l =>
      unbeaten l (if existsb (fun k => beats k c) kept then kept
                  else c :: filter (fun k => negb (beats c k)) kept)
  end.

(** ** The choice *)

(** Positives with what the chosen rules pay of them ([None]: not covered), and the negatives
    that no chosen rule covers. *)
Record chosen_state := Chosen
  { rows_paid : list (list Z * list (pos_item * option Z));
    not_wrong : list (list neg_item);
    waste_chosen : Z }.

Definition start (L : leaf_problem) : chosen_state :=
  Chosen (map (fun g => (fst g, map (fun i => (i, None)) (snd g))) (groups L)) (neg_groups L) 0.

Definition add_payment (o p : option Z) : option Z :=
  match p with
  | None => o
  | Some z => Some (z + match o with Some s => s | None => 0 end)
  end.

Fixpoint zip {A B C} (f : A -> B -> C) (l : list A) (m : list B) : list C :=
  match l, m with x :: l, y :: m => f x y :: zip f l m | _, _ => [] end.

Definition add_rule (c : candidate) (st : chosen_state) : chosen_state :=
  Chosen (zip (fun g ps => (fst g, zip (fun i p => (fst i, add_payment (snd i) p)) (snd g) ps)) (rows_paid st) (pays c))
         (map (filter (fun j => negb (covers_mask (rule_of c) (nmask j)))) (not_wrong st))
         (waste_chosen st + own_waste c).

(** What a candidate pays of rows that are covered already. *)
Fixpoint overlap_row (is_ : list (pos_item * option Z)) (ps : list (option Z)) : Z :=
  match is_, ps with
  | i :: is_, p :: ps =>
      match snd i, p with
      | Some _, Some z => z + overlap_row is_ ps
      | _, _ => overlap_row is_ ps
      end
  | _, _ => 0
  end.
Fixpoint overlap (rs : list (list Z * list (pos_item * option Z))) (pss : list (list (option Z))) : Z :=
  match rs, pss with
  | g :: rs, ps :: pss => overlap_row (snd g) ps + overlap rs pss
  | _, _ => 0
  end.

(** How many candidates cover each row. *)
Definition add_cover (n : Z) (p : option Z) : Z := match p with Some _ => n + 1 | None => n end.
Definition no_ways (L : leaf_problem) : list (list Z) := map (fun g => map (fun _ => 0) (snd g)) (groups L).
Fixpoint count_ways (acc : list (list Z)) (cs : list candidate) : list (list Z) :=
  match cs with
  | [] => acc
  | c :: cs => count_ways (zip (fun ns ps => zip add_cover ns ps) acc (pays c)) cs
  end.

(** The waste of rows that are covered, or (if [lost]) of those that no candidate covers; [None]: a
    row that must be covered never will be. *)
Definition row_waste (c : Z) (i : pos_item * option Z) : Z :=
  match snd i with
  | Some s => s + unit_weight (fst i) * c - price (fst i)
  | None => 0
  end.
Definition lost_waste (c : Z) (i : pos_item * option Z) (n : Z) : option Z :=
  match snd i with
  | Some _ => Some 0
  | None =>
      if n =? 0 then
        match cap (fst i) with
        | Some z => Some (z + unit_weight (fst i) * c - price (fst i))
        | None => None
        end
      else Some 0
  end.
Fixpoint add_options (l : list (option Z)) : option Z :=
  match l with
  | [] => Some 0
  | o :: l => match o, add_options l with Some a, Some b => Some (a + b) | _, _ => None end
  end.

Definition zip_sub (a b : list Z) : list Z := zip Z.sub a b.

(** The row with the fewest ways to be covered; of equals the one whose weight exceeds its price most. *)
Definition spare (i : pos_item) : option Z :=
  match cap i with Some c => Some (c - price i) | None => None end.
Definition more_urgent (i : pos_item) (n : Z) (best : option (pos_item * Z)) : bool :=
  match best with
  | None => true
  | Some (j, m) =>
      (n <? m) || ((n =? m) && match spare i, spare j with
                              | Some a, Some b => b <? a
                              | None, Some _ => true
                              | _, None => false
                              end)
  end.
Fixpoint urgent_row (is_ : list (pos_item * option Z)) (ns : list Z) (best : option (pos_item * Z)) :=
  match is_, ns with
  | i :: is_, n :: ns =>
      urgent_row is_ ns
        match snd i with
        | Some _ => best
        | None => if (0 <? n) && more_urgent (fst i) n best then Some (fst i, n) else best
        end
  | _, _ => best
  end.
Fixpoint urgent (rs : list (list Z * list (pos_item * option Z))) (nss : list (list Z)) best :=
  match rs, nss with
  | g :: rs, ns :: nss => urgent rs nss (urgent_row (snd g) ns best)
  | _, _ => best
  end.

Section Choose.
Variable L : leaf_problem.
Variable limit : Z.
Variable spent : list Z.          (* the blame spent on each group of negatives *)
Variable all_weights : list Z.    (* the weight of each group of negatives *)
Variable total : Z.               (* the sum of the prices *)

Fixpoint try_each (go : chosen_state -> list candidate -> bool) (st : chosen_state)
    (covering others : list candidate) : bool :=
  match covering with
  | [] => true
  | c :: rest => if go (add_rule c st) (rest ++ others) then try_each go st rest others else false
  end.

(** [true]: no set of the chosen rules and some of [usable] costs at most [limit]. *)
Fixpoint choose (fuel : nat) (st : chosen_state) (usable : list candidate) : bool :=
  match fuel with
  | O => false
  | S fuel =>
      let wrong := zip_sub all_weights (map (sum nweight) (not_wrong st)) in
      let charges := map (fun g => dot (fst g) wrong) (rows_paid st) in
      let base := total + waste_chosen st
                  + (scale_of L * sum (fun x => x) wrong - dot spent wrong)
                  + sum (fun x => x) (zip (fun g c => sum (row_waste c) (snd g)) (rows_paid st) charges) in
      if limit <? base then true
      else
        let usable := filter (fun c => base + own_waste c + overlap (rows_paid st) (pays c) <=? limit) usable in
        let ways := count_ways (no_ways L) usable in
        match add_options (zip (fun g c => add_options (zip (fun i n => lost_waste c i n) (fst g) (snd g)))
                               (zip (fun g ns => (snd g, ns)) (rows_paid st) ways) charges) with
        | None => true
        | Some lost =>
            if limit <? base + lost then true
            else
              match urgent (rows_paid st) ways None with
              | None => false
              | Some (i, _) =>
                  let covering := filter (fun c => covers_mask (rule_of c) (pmask i)) usable in
                  let others := filter (fun c => negb (covers_mask (rule_of c) (pmask i))) usable in
                  if try_each (choose fuel) st covering others
                  then match cap i with None => true | Some _ => choose fuel st others end
                  else false
              end
        end
  end.
End Choose.

(** [true]: no admitted set of the rules [found] costs at most [limit]. *)
Definition choice (L : leaf_problem) (limit : Z) (found : list body_t) : bool :=
  let usable := map (fun c => candidate_of L (crule c))
                    (unbeaten (map (cover_of L) (filter (hard_freeb L) found)) []) in
  forallb (fun c => 0 <=? own_waste c) usable &&
  choose L limit (spent_blame L) (map (sum nweight) (neg_groups L)) (total_price L)
         (S (length usable)) (start L) usable.

(** ** The data of the choice are what they should be *)

Lemma zip_map {A B C D} (f : B -> C -> D) (a : A -> B) (b : A -> C) l :
  zip f (map a l) (map b l) = map (fun x => f (a x) (b x)) l.
Proof. induction l; simpl; congruence. Qed.

Section Proof.
Variable L : leaf_problem.
Hypothesis S : sound_leaf L.

Definition paid_by (C : list body_t) (col : list Z) (i : pos_item) : option Z :=
  if set_covers C (pmask i) then Some (sum (fun R => paid L R col i) C) else None.
Definition pays_of (R : body_t) (col : list Z) (i : pos_item) : option Z :=
  if covers_mask R (pmask i) then Some (paid L R col i) else None.

Lemma pays_candidate R : pays (candidate_of L R) = map (fun g => map (pays_of R (fst g)) (snd g)) (groups L).
Proof.
  unfold candidate_of. cbn [pays]. apply map_ext. intros g. apply map_ext. intros i. unfold pays_of, paid, charge.
  destruct (covers_mask R (pmask i)); reflexivity.
Qed.

Lemma waste_candidate R : own_waste (candidate_of L R) = - value_of L R.
Proof.
  change (own_waste (candidate_of L R)) with
    (rule_price L R - sum (sum (fun o => match o with Some z => z | None => 0 end)) (pays (candidate_of L R))).
  rewrite pays_candidate, sum_map. unfold value_of, over.
  assert (E : sum (fun g => sum (fun o => match o with Some z => z | None => 0 end) (map (pays_of R (fst g)) (snd g))) (groups L)
              = sum (fun g => sum (paid L R (fst g)) (snd g)) (groups L)).
  { apply sum_eq. intros g _. rewrite sum_map. apply sum_eq. intros i _. unfold pays_of, paid.
    destruct (covers_mask R (pmask i)); reflexivity. }
  rewrite E. lia.
Qed.

Definition state_ok (C : list body_t) (st : chosen_state) : Prop :=
  rows_paid st = map (fun g => (fst g, map (fun i => (i, paid_by C (fst g) i)) (snd g))) (groups L) /\
  not_wrong st = map (filter (fun j => negb (set_covers C (nmask j)))) (neg_groups L) /\
  waste_chosen st = sum (fun R => - value_of L R) C.

Lemma start_ok : state_ok [] (start L).
Proof.
  split; [|split]; [reflexivity| |reflexivity]. cbn [start not_wrong].
  rewrite <- (map_id (neg_groups L)) at 1. apply map_ext. intros js.
  induction js as [|j js IH]; [reflexivity|]. cbn. f_equal. exact IH.
Qed.

Lemma nothing_paid C col i : set_covers C (pmask i) = false -> sum (fun R => paid L R col i) C = 0.
Proof.
  intros H. rewrite (sum_eq _ (fun _ => 0)); [apply sum_zero|]. intros R HR. unfold paid.
  destruct (covers_mask R (pmask i)) eqn:E; [|reflexivity].
  assert (set_covers C (pmask i) = true) by (apply set_covers_in; eauto). congruence.
Qed.

Lemma add_ok C st R : state_ok C st -> state_ok (R :: C) (add_rule (candidate_of L R) st).
Proof.
  intros (E1 & E2 & E3). unfold state_ok, add_rule. cbn [rows_paid not_wrong waste_chosen].
  split; [|split].
  - rewrite E1, pays_candidate, zip_map. apply map_ext. intros g. cbn [fst snd]. f_equal.
    rewrite zip_map. apply map_ext. intros i. cbn [fst snd]. f_equal.
    unfold paid_by, pays_of, add_payment.
    change (set_covers (R :: C) (pmask i)) with (covers_mask R (pmask i) || set_covers C (pmask i)).
    rewrite sum_cons. destruct (covers_mask R (pmask i)) eqn:ER; cbn [orb].
    + destruct (set_covers C (pmask i)) eqn:EC; [reflexivity|].
      rewrite (nothing_paid C (fst g) i EC). f_equal.
    + destruct (set_covers C (pmask i)) eqn:EC; [|reflexivity].
      f_equal. unfold paid at 2. rewrite ER. lia.
  - rewrite E2, map_map. apply map_ext. intros js. rewrite filter_filter. apply filter_ext. intros j.
    cbn [candidate_of rule_of set_covers existsb]. rewrite negb_orb. reflexivity.
  - rewrite E3, waste_candidate, sum_cons. lia.
Qed.

Lemma wrong_weights C st : state_ok C st ->
  zip_sub (map (sum nweight) (neg_groups L)) (map (sum nweight) (not_wrong st))
  = weights_where L (fun j => set_covers C (nmask j)).
Proof.
  intros (_ & E & _). unfold zip_sub. rewrite E, map_map, zip_map. apply map_ext. intros js.
  rewrite sum_filter. unfold weight_where. induction js as [|j js IH]; [reflexivity|]. rewrite !sum_cons, <- IH.
  destruct (set_covers C (nmask j)); cbn [negb]; lia.
Qed.

Lemma sum_id_map {A} (f : A -> Z) l : sum (fun x => x) (map f l) = sum f l.
Proof. exact (sum_map (fun x => x) f l). Qed.

Lemma base_waste C st charges : state_ok C st ->
  charges = map (fun g => dot (fst g) (weights_where L (fun j => set_covers C (nmask j)))) (rows_paid st) ->
  sum (fun x => x) (zip (fun g c => sum (row_waste c) (snd g)) (rows_paid st) charges)
  = over (branch_waste L C [] (fun _ => false)) (groups L).
Proof.
  intros (E & _) ->. rewrite E, map_map, zip_map, sum_id_map. apply sum_eq. intros g _. cbn [fst snd].
  rewrite sum_map. apply sum_eq. intros i _. unfold row_waste, paid_by, branch_waste, charge. cbn [fst snd].
  destruct (set_covers C (pmask i)); [cbn; lia|reflexivity].
Qed.

Lemma overlap_paid C st R : state_ok C st ->
  overlap (rows_paid st) (pays (candidate_of L R))
  = over (fun col i => if set_covers C (pmask i) then paid L R col i else 0) (groups L).
Proof.
  intros (E & _). rewrite E, pays_candidate. unfold over. clear E. induction (groups L) as [|g gs IH]; [reflexivity|].
  cbn [map overlap]. rewrite IH, sum_cons. f_equal. cbn [fst snd]. clear. induction (snd g) as [|i is_ IH]; [reflexivity|].
  cbn [map overlap_row snd]. rewrite IH, sum_cons. unfold paid_by, pays_of.
  destruct (set_covers C (pmask i)); [|lia]. destruct (covers_mask R (pmask i)) eqn:ER; [lia|].
  unfold paid. rewrite ER. lia.
Qed.

Definition ways_to (cs : list candidate) (i : pos_item) : Z := count (fun c => covers_mask (rule_of c) (pmask i)) cs.
Definition candidates_ok (cs : list candidate) : Prop :=
  forall c, In c cs -> c = candidate_of L (rule_of c) /\ value_of L (rule_of c) <= 0.

Lemma ways_counted cs : candidates_ok cs -> forall f,
  count_ways (map (fun g => map f (snd g)) (groups L)) cs
  = map (fun g => map (fun i => f i + ways_to cs i) (snd g)) (groups L).
Proof.
  induction cs as [|c cs IH]; intros OK f.
  - cbn. apply map_ext. intros g. apply map_ext. intros i. unfold ways_to. cbn. lia.
  - cbn [count_ways]. destruct (OK c (or_introl eq_refl)) as [E _]. rewrite E at 1. rewrite pays_candidate, zip_map.
    transitivity (count_ways (map (fun g => map (fun i => f i + (if covers_mask (rule_of c) (pmask i) then 1 else 0)) (snd g)) (groups L)) cs).
    + f_equal. apply map_ext. intros g. rewrite zip_map. apply map_ext. intros i. unfold add_cover, pays_of.
      destruct (covers_mask (rule_of c) (pmask i)); lia.
    + rewrite IH by (intros x Hx; apply OK; now right). apply map_ext. intros g. apply map_ext. intros i.
      unfold ways_to, count. rewrite sum_cons. lia.
Qed.

Lemma add_options_spec l :
  match add_options l with
  | Some v => v = sum (fun o => match o with Some z => z | None => 0 end) l
  | None => In None l
  end.
Proof.
  induction l as [|o l IH]; [reflexivity|]. cbn [add_options]. destruct o as [z|]; [|now left].
  destruct (add_options l); [rewrite sum_cons; lia|now right].
Qed.

Lemma urgent_row_spec is_ : forall ns best i n, urgent_row is_ ns best = Some (i, n) ->
  best = Some (i, n) \/ In (i, None) is_.
Proof.
  induction is_ as [|x is_ IH]; intros ns best i n E; [now left|]. destruct ns as [|m ns]; [now left|].
  cbn [urgent_row] in E. apply IH in E. destruct E as [E|E]; [|right; now right].
  destruct x as [x [s|]]; cbn [fst snd] in *; [now left|].
  destruct ((0 <? m) && more_urgent x m best); [|now left]. inversion E; subst. right. now left.
Qed.

Lemma urgent_spec rs : forall nss best i n, urgent rs nss best = Some (i, n) ->
  best = Some (i, n) \/ exists g, In g rs /\ In (i, None) (snd g).
Proof.
  induction rs as [|g rs IH]; intros nss best i n E; [now left|]. destruct nss as [|ns nss]; [now left|].
  cbn [urgent] in E. apply IH in E. destruct E as [E|(g' & H1 & H2)].
  - apply urgent_row_spec in E. destruct E as [E|E]; [now left|]. right. exists g. split; [now left|assumption].
  - right. exists g'. split; [now right|assumption].
Qed.

(** ** The choice misses no set *)

Variable limit : Z.
Notation choose_ := (choose L limit (spent_blame L) (map (sum nweight) (neg_groups L)) (total_price L)).

Definition sound_go (go : chosen_state -> list candidate -> bool) : Prop :=
  forall C st U F, state_ok C st -> candidates_ok U -> (forall R, In R C -> value_of L R <= 0) ->
    NoDup F -> incl F (map rule_of U) -> go st U = true -> admitted L (C ++ F) -> limit < set_cost L (C ++ F).

Lemma try_each_sound go : sound_go go -> forall covering others C st F,
  state_ok C st -> candidates_ok (covering ++ others) -> (forall R, In R C -> value_of L R <= 0) ->
  NoDup F -> incl F (map rule_of (covering ++ others)) -> try_each go st covering others = true ->
  admitted L (C ++ F) -> limit < set_cost L (C ++ F) \/ incl F (map rule_of others).
Proof.
  intros G. induction covering as [|c rest IH]; intros others C st F OS OC HC NF HF E A; [now right|].
  cbn [try_each] in E. destruct (go (add_rule c st) (rest ++ others)) eqn:E1; [|discriminate].
  destruct (OC c (or_introl eq_refl)) as [Ec Vc].
  assert (OC' : candidates_ok (rest ++ others)) by (intros x Hx; apply OC; now right).
  destruct (in_dec (list_eq_dec Z.eq_dec) (rule_of c) F) as [I|N].
  - left. apply (@in_split body_t) in I. destruct I as (F1 & F2 & ->). apply NoDup_remove in NF. destruct NF as [NF NI].
    destruct (perm_cost L (C ++ F1 ++ rule_of c :: F2) ((rule_of c :: C) ++ (F1 ++ F2))) as [EC AC].
    { simpl. rewrite !app_assoc. apply Permutation_sym, Permutation_middle. }
    rewrite EC. apply (G (rule_of c :: C) (add_rule c st) (rest ++ others)); auto.
    + rewrite Ec. apply add_ok. assumption.
    + intros R [<-|HR]; auto.
    + intros x Hx. destruct (HF x) as [Ex|Hx']; [rewrite in_app_iff in *; simpl; tauto| |assumption].
      subst x. contradiction.
  - apply (IH others C st F); auto. intros x Hx. destruct (HF x Hx) as [Ex|Hx']; [|assumption]. subst x. contradiction.
Qed.

Lemma count_pos {A} (p : A -> bool) l x : In x l -> p x = true -> 0 < count p l.
Proof.
  intros I P. assert (1 <= count p l); [|lia]. unfold count.
  transitivity (if p x then 1 else 0); [rewrite P; lia|].
  apply (sum_in (fun x => if p x then 1 else 0)); [|assumption]. intros y _. destruct (p y); lia.
Qed.

Lemma choose_sound fuel : sound_go (choose_ fuel).
Proof.
  induction fuel as [|fuel IH]; intros C st U F OS OC HC NF HF E A; [discriminate|].
  cbn [choose] in E. rewrite (wrong_weights C st OS) in E.
  set (wrong := weights_where L (fun j => set_covers C (nmask j))) in *.
  set (charges := map (fun g => dot (fst g) wrong) (rows_paid st)) in *.
  rewrite (base_waste C st charges OS eq_refl) in E.
  replace (scale_of L * sum (fun x => x) wrong - dot (spent_blame L) wrong)
    with (unblamed L (fun j => set_covers C (nmask j))) in E.
  2: { unfold unblamed. rewrite charged_to_all_dot. unfold wrong, weights_where. now rewrite sum_id_map. }
  destruct OS as (OR & ON & OW). rewrite OW in E. assert (OS : state_ok C st) by (split; [|split]; assumption).
  set (base := total_price L + _ + _ + _) in *.
  assert (HV : forall R, In R (C ++ F) -> value_of L R <= 0).
  { intros R HR. apply in_app_or in HR. destruct HR as [HR|HR]; [auto|]. specialize (HF R HR).
    apply in_map_iff in HF. destruct HF as (c & <- & Hc). now apply OC. }
  destruct (limit <? base) eqn:EB.
  { apply Z.ltb_lt in EB.
    pose proof (overlap_duality L S C [] F (fun _ => false) HV) as D. cbn [app sum] in D.
    specialize (D (fun i H => match Bool.diff_false_true H with end) A).
    change (sum (fun R => - value_of L R) []) with 0 in D. unfold base in EB. lia. }
  (* candidates that would waste too much *)
  set (keep := fun c => base + own_waste c + overlap (rows_paid st) (pays c) <=? limit) in *.
  set (U' := filter keep U) in *.
  assert (OC' : candidates_ok U') by (intros c Hc; apply filter_In in Hc; now apply OC).
  destruct (forallb (fun R => keep (candidate_of L R)) F) eqn:EK.
  2: { assert (exists R, In R F /\ keep (candidate_of L R) = false) as (R & HR & KR).
       { clear - EK. induction F as [|R F IHF]; [discriminate|]. simpl in EK.
         destruct (keep (candidate_of L R)) eqn:K; [|exists R; split; [now left|assumption]].
         destruct IHF as (R' & ? & ?); [assumption|]. exists R'. split; [now right|assumption]. }
       apply in_split in HR. destruct HR as (F1 & F2 & ->).
       destruct (perm_cost L (C ++ F1 ++ R :: F2) (C ++ [R] ++ (F1 ++ F2))) as [EC AC].
       { apply Permutation_app_head. change ([R] ++ F1 ++ F2) with (R :: F1 ++ F2). apply Permutation_sym, Permutation_middle. }
       assert (HV' : forall Q, In Q (C ++ [R] ++ (F1 ++ F2)) -> value_of L Q <= 0).
       { intros Q HQ. apply HV. rewrite !in_app_iff in *. simpl in *. tauto. }
       pose proof (overlap_duality L S C [R] (F1 ++ F2) (fun _ => false) HV'
                     (fun i H => match Bool.diff_false_true H with end) (AC A)) as D.
       unfold keep in KR. apply Z.leb_gt in KR. rewrite waste_candidate, (overlap_paid C st R OS) in KR.
       assert (ED : over (branch_waste L C [R] (fun _ => false)) (groups L)
                    = over (branch_waste L C [] (fun _ => false)) (groups L)
                      + over (fun col i => if set_covers C (pmask i) then paid L R col i else 0) (groups L)).
       { rewrite <- over_plus. apply over_eq. intros c is_ i _ _. unfold branch_waste.
         destruct (set_covers C (pmask i)); [|lia]. rewrite sum_cons. cbn. lia. }
       rewrite ED in D. rewrite EC. rewrite sum_cons in D. change (sum (fun R => - value_of L R) []) with 0 in D.
       unfold base in KR. lia. }
  assert (HF' : incl F (map rule_of U')).
  { intros R HR. rewrite forallb_forall in EK. specialize (EK R HR). specialize (HF R HR).
    apply in_map_iff in HF. destruct HF as (c & Ec & Hc). apply in_map_iff. exists c. split; [assumption|].
    apply filter_In. split; [assumption|]. destruct (OC c Hc) as [E1 _]. rewrite Ec in E1. now rewrite E1. }
  unfold no_ways in E. rewrite (ways_counted U' OC' (fun _ => 0)) in E.
  set (ways := map (fun g => map (fun i => 0 + ways_to U' i) (snd g)) (groups L)) in *.
  assert (Never : forall i, set_covers C (pmask i) = false -> ways_to U' i = 0 -> set_covers (C ++ F) (pmask i) = false).
  { intros i H1 H2. rewrite set_covers_app, H1. simpl. destruct (set_covers F (pmask i)) eqn:EF; [|reflexivity].
    apply set_covers_in in EF. destruct EF as (R & HR & CR). specialize (HF' R HR). apply in_map_iff in HF'.
    destruct HF' as (c & Ec & Hc). pose proof (count_pos (fun c => covers_mask (rule_of c) (pmask i)) U' c Hc) as P.
    cbv beta in P. rewrite Ec in P. specialize (P CR). unfold ways_to in H2. lia. }
  assert (EL : zip (fun g c => add_options (zip (fun i n => lost_waste c i n) (fst g) (snd g)))
                  (zip (fun g ns => (snd g, ns)) (rows_paid st) ways) charges
               = map (fun g => add_options (map (fun i => lost_waste (dot (fst g) wrong) (i, paid_by C (fst g) i) (ways_to U' i)) (snd g))) (groups L)).
  { unfold charges, ways. rewrite OR. rewrite zip_map, map_map, zip_map. apply map_ext. intros g. cbn [fst snd].
    rewrite zip_map. reflexivity. }
  rewrite EL in E.
  pose proof (add_options_spec (map (fun g => add_options (map (fun i => lost_waste (dot (fst g) wrong) (i, paid_by C (fst g) i) (ways_to U' i)) (snd g))) (groups L))) as AO.
  destruct (add_options (map _ (groups L))) as [lost|] eqn:EO.
  2: { exfalso. apply in_map_iff in AO. destruct AO as (g & EG & Hg).
       pose proof (add_options_spec (map (fun i => lost_waste (dot (fst g) wrong) (i, paid_by C (fst g) i) (ways_to U' i)) (snd g))) as AI.
       rewrite EG in AI. apply in_map_iff in AI. destruct AI as (i & EI & Hi). unfold lost_waste, paid_by in EI. cbn [fst snd] in EI.
       destruct (set_covers C (pmask i)) eqn:ES; [discriminate|]. destruct (ways_to U' i =? 0) eqn:EW; [|discriminate].
       destruct (cap i) eqn:Ecap; [discriminate|]. apply Z.eqb_eq in EW.
       destruct A as [A _]. specialize (A g i Hg Hi Ecap). rewrite (Never i ES EW) in A. discriminate. }
  destruct (limit <? base + lost) eqn:EBL.
  { apply Z.ltb_lt in EBL.
    set (never := fun i => negb (set_covers C (pmask i)) && (ways_to U' i =? 0)).
    assert (HN : forall i, never i = true -> set_covers (C ++ [] ++ F) (pmask i) = false).
    { intros i H. unfold never in H. apply andb_true_iff in H. destruct H as [H1 H2]. apply negb_true_iff in H1.
      apply Z.eqb_eq in H2. now apply Never. }
    pose proof (overlap_duality L S C [] F never HV HN A) as D. change (sum (fun R => - value_of L R) []) with 0 in D.
    assert (ED : over (branch_waste L C [] never) (groups L)
                 = over (branch_waste L C [] (fun _ => false)) (groups L) + lost).
    { rewrite AO, sum_map. unfold over. rewrite <- sum_plus. apply sum_eq. intros g Hg.
      pose proof (add_options_spec (map (fun i => lost_waste (dot (fst g) wrong) (i, paid_by C (fst g) i) (ways_to U' i)) (snd g))) as AI.
      destruct (add_options (map (fun i => lost_waste (dot (fst g) wrong) (i, paid_by C (fst g) i) (ways_to U' i)) (snd g))) as [v|] eqn:EV.
      - rewrite AI, sum_map, <- sum_plus. apply sum_eq. intros i Hi. unfold branch_waste, never, lost_waste, paid_by.
        cbn [fst snd]. destruct (set_covers C (pmask i)) eqn:ES; [cbn; lia|]. cbn [negb andb].
        destruct (ways_to U' i =? 0) eqn:EW; [|lia]. destruct (cap i) eqn:Ecap.
        + unfold charge. fold wrong. lia.
        + exfalso. apply Z.eqb_eq in EW. destruct A as [A _]. specialize (A g i Hg Hi Ecap).
          rewrite (Never i ES EW) in A. discriminate.
      - exfalso. apply in_map_iff in AI. destruct AI as (i & EI & Hi). unfold lost_waste, paid_by in EI. cbn [fst snd] in EI.
        destruct (set_covers C (pmask i)) eqn:ES; [discriminate|]. destruct (ways_to U' i =? 0) eqn:EW; [|discriminate].
        destruct (cap i) eqn:Ecap; [discriminate|]. apply Z.eqb_eq in EW.
        destruct A as [A _]. specialize (A g i Hg Hi Ecap). rewrite (Never i ES EW) in A. discriminate. }
    rewrite ED in D. cbn [app] in D. unfold base in EBL. lia. }
  destruct (urgent (rows_paid st) ways None) as [[i n]|] eqn:EU; [|discriminate].
  set (covering := filter (fun c => covers_mask (rule_of c) (pmask i)) U') in *.
  set (others := filter (fun c => negb (covers_mask (rule_of c) (pmask i))) U') in *.
  destruct (try_each (choose_ fuel) st covering others) eqn:ET; [|discriminate].
  assert (OC2 : candidates_ok (covering ++ others)).
  { intros c Hc. apply OC'. apply in_app_or in Hc. destruct Hc as [Hc|Hc]; apply filter_In in Hc; tauto. }
  assert (HF2 : incl F (map rule_of (covering ++ others))).
  { intros R HR. specialize (HF' R HR). apply in_map_iff in HF'. destruct HF' as (c & Ec & Hc). apply in_map_iff.
    exists c. split; [assumption|]. apply in_or_app. unfold covering, others. rewrite !filter_In.
    destruct (covers_mask (rule_of c) (pmask i)); auto. }
  destruct (try_each_sound (choose_ fuel) IH covering others C st F OS OC2 HC NF HF2 ET A) as [Done|HF3]; [assumption|].
  assert (OC3 : candidates_ok others) by (intros c Hc; apply OC2, in_or_app; now right).
  destruct (cap i) eqn:Ecap.
  - apply (IH C st others F); auto.
  - exfalso. apply urgent_spec in EU. destruct EU as [EU|(g' & Hg' & Hi')]; [discriminate|].
    rewrite OR in Hg'. apply in_map_iff in Hg'. destruct Hg' as (g & <- & Hg). cbn [snd] in Hi'.
    apply in_map_iff in Hi'. destruct Hi' as (i' & EI & Hi). inversion EI as [[E1 E2]]. subst i'.
    unfold paid_by in E2. destruct (set_covers C (pmask i)) eqn:ES; [discriminate|].
    destruct A as [A _]. specialize (A g i Hg Hi Ecap). rewrite set_covers_app, ES in A. cbn [orb] in A.
    apply set_covers_in in A. destruct A as (R & HR & CR). specialize (HF3 R HR). apply in_map_iff in HF3.
    destruct HF3 as (c & Ec & Hc). unfold others in Hc. apply filter_In in Hc. destruct Hc as [_ Hc].
    rewrite Ec, CR in Hc. discriminate.
Qed.

(** ** Beaten rules are not needed *)

Lemma within_bits {A} (f g : A -> bool) l : within (bits f l) (bits g l) = true ->
  forall x, In x l -> f x = true -> g x = true.
Proof.
  unfold within. rewrite Z.eqb_eq. induction l as [|y l IH]; intros E x Hx Fx; [contradiction|].
  cbn [bits] in E.
  assert (H0 : Z.testbit (Z.land ((if f y then 1 else 0) + 2 * bits f l) ((if g y then 1 else 0) + 2 * bits g l)) 0
               = Z.testbit ((if f y then 1 else 0) + 2 * bits f l) 0) by now rewrite E.
  assert (HS : Z.land (bits f l) (bits g l) = bits f l).
  { apply Z.bits_inj'. intros n Hn.
    assert (Hn' : Z.testbit (Z.land ((if f y then 1 else 0) + 2 * bits f l) ((if g y then 1 else 0) + 2 * bits g l)) (Z.succ n)
               = Z.testbit ((if f y then 1 else 0) + 2 * bits f l) (Z.succ n)) by now rewrite E.
    assert (T : forall (b : bool) z, Z.testbit ((if b then 1 else 0) + 2 * z) (Z.succ n) = Z.testbit z n).
    { intros [|] z; [rewrite Z.add_comm; now apply Z.testbit_odd_succ|rewrite Z.add_0_l; now apply Z.testbit_even_succ]. }
    rewrite Z.land_spec in *. rewrite !T in Hn'. exact Hn'. }
  destruct Hx as [->|Hx].
  - rewrite Z.land_spec in H0. rewrite Fx in H0. rewrite (Z.add_comm 1), Z.testbit_odd_0 in H0.
    destruct (g x); [reflexivity|]. rewrite Z.add_0_l, Z.testbit_even_0 in H0. discriminate.
  - now apply IH.
Qed.

Lemma beats_dominates Q R : hard_free L Q -> beats (cover_of L Q) (cover_of L R) = true -> dominates L Q R.
Proof.
  unfold beats, cover_of. cbn [cpos cneg csize]. intros HF H. apply andb_true_iff in H. destruct H as [H H3].
  apply andb_true_iff in H. destruct H as [H1 H2]. apply Z.leb_le in H1. split; [|split; [|split]].
  - intros g i Hg Hi. apply (within_bits (fun i => covers_mask R (pmask i)) (fun i => covers_mask Q (pmask i)) _ H2).
    apply in_flat_map. eauto.
  - intros js j Hj Hjj. apply (within_bits (fun j => covers_mask Q (nmask j)) (fun j => covers_mask R (nmask j)) _ H3).
    apply in_concat. eauto.
  - intros h Hh C. rewrite (HF h Hh) in C. discriminate.
  - lia.
Qed.

Lemma beats_refl c : beats c c = true.
Proof. unfold beats, within. rewrite !Z.land_diag, !Z.eqb_refl. now rewrite Z.leb_refl. Qed.

Lemma within_trans a b c : within a b = true -> within b c = true -> within a c = true.
Proof.
  unfold within. rewrite !Z.eqb_eq. intros A B. rewrite <- A at 2. rewrite <- B. rewrite Z.land_assoc.
  now rewrite A.
Qed.

Lemma beats_trans a b c : beats a b = true -> beats b c = true -> beats a c = true.
Proof.
  unfold beats. rewrite !andb_true_iff, !Z.leb_le. intros ((A1 & A2) & A3) ((B1 & B2) & B3).
  split; [split; [lia|]|]; eapply within_trans; eauto.
Qed.

Lemma unbeaten_spec l : forall kept,
  (forall c, In c l \/ In c kept -> exists k, In k (unbeaten l kept) /\ beats k c = true) /\
  (forall k, In k (unbeaten l kept) -> In k l \/ In k kept).
Proof.
  induction l as [|c l IH]; intros kept; cbn [unbeaten].
  - split; [|auto]. intros k [[]|H]. exists k. split; [assumption|apply beats_refl].
  - set (kept' := if existsb (fun k => beats k c) kept then kept else c :: filter (fun k => negb (beats c k)) kept).
    destruct (IH kept') as [IH1 IH2].
    assert (K : forall x, x = c \/ In x kept -> exists k, In k kept' /\ beats k x = true).
    { intros x Hx. unfold kept'. destruct (existsb (fun k => beats k c) kept) eqn:E.
      - destruct Hx as [->|Hx].
        + apply existsb_exists in E. exact E.
        + exists x. split; [assumption|apply beats_refl].
      - destruct Hx as [->|Hx]; [exists c; split; [now left|apply beats_refl]|].
        destruct (beats c x) eqn:B; [exists c; split; [now left|assumption]|].
        exists x. split; [right; apply filter_In; rewrite B; auto|apply beats_refl]. }
    split.
    + intros x Hx.
      assert (D : In x l \/ (x = c \/ In x kept)) by (simpl in Hx; intuition congruence).
      destruct D as [D|D]; [apply IH1; now left|]. destruct (K x D) as (k & Hk & Bk).
      destruct (IH1 k (or_intror Hk)) as (k2 & Hk2 & Bk2). exists k2. split; [assumption|].
      eapply beats_trans; eauto.
    + intros k Hk. apply IH2 in Hk. destruct Hk as [Hk|Hk]; [left; now right|].
      unfold kept' in Hk. destruct (existsb (fun k => beats k c) kept); [now right|].
      destruct Hk as [<-|Hk]; [left; now left|]. apply filter_In in Hk. now right.
Qed.

Lemma swap_set (K : list body_t) : forall F G, (forall R, In R F -> exists Q, In Q K /\ swap L R Q) ->
  admitted L (F ++ G) ->
  exists F', incl F' K /\ admitted L (F' ++ G) /\ set_cost L (F' ++ G) <= set_cost L (F ++ G).
Proof.
  induction F as [|R F IH]; intros G HK A.
  - exists []. split; [intros x []|]. split; [assumption|lia].
  - destruct (HK R (or_introl eq_refl)) as (Q & HQ & SQ). cbn [app] in *.
    destruct (SQ (F ++ G) A) as [A1 C1].
    destruct (perm_cost L (Q :: F ++ G) (F ++ Q :: G)) as [E2 A2]; [apply Permutation_middle|].
    destruct (IH (Q :: G)) as (F' & I & A' & C'); [intros; apply HK; now right|auto|].
    destruct (perm_cost L (F' ++ Q :: G) (Q :: F' ++ G)) as [E3 A3]; [apply Permutation_sym, Permutation_middle|].
    exists (Q :: F'). split; [intros x [<-|Hx]; auto|]. cbn [app]. split; [auto|lia].
Qed.

(** A rule that is named twice is paid twice. *)
Lemma without_repeats F : admitted L F ->
  exists F', NoDup F' /\ incl F' F /\ admitted L F' /\ set_cost L F' <= set_cost L F.
Proof.
  intros A. set (D := list_eq_dec Z.eq_dec). exists (nodup D F).
  assert (E : forall m, set_covers (nodup D F) m = set_covers F m).
  { intros m. apply set_covers_same; intros x; now rewrite nodup_In. }
  split; [apply NoDup_nodup|]. split; [intros x Hx; now apply nodup_In in Hx|]. split.
  - destruct A as [A1 A2]. split; intros; rewrite E; eauto.
  - unfold set_cost.
    rewrite (over_eq _ (fun _ i => missed F i)) by (intros; unfold missed; now rewrite E).
    rewrite (sum_eq (weight_where (fun j => set_covers (nodup D F) (nmask j))) (weight_where (fun j => set_covers F (nmask j))))
      by (intros; unfold weight_where; apply sum_eq; intros; now rewrite E).
    assert (sum (rule_price L) (nodup D F) <= sum (rule_price L) F); [|lia].
    clear - S. induction F as [|R F IH]; [simpl; lia|]. cbn [nodup].
    assert (0 <= rule_price L R).
    { unfold rule_price. destruct (costs_nonneg L S) as (? & ? & ?).
      assert (0 <= literal_cost L * Z.of_nat (length R)) by nia. nia. }
    destruct (in_dec D R F); rewrite ?sum_cons; lia.
Qed.

Theorem choice_sound found : choice L limit found = true ->
  forall F, incl F found -> admitted L F -> limit < set_cost L F.
Proof.
  unfold choice. set (covers := unbeaten (map (cover_of L) (filter (hard_freeb L) found)) []).
  set (usable := map (fun c => candidate_of L (crule c)) covers). intros H F IF AF.
  apply andb_true_iff in H. destruct H as [HW HC]. rewrite forallb_forall in HW.
  destruct (unbeaten_spec (map (cover_of L) (filter (hard_freeb L) found)) []) as [U1 U2]. fold covers in U1, U2.
  assert (Shape : forall c, In c covers -> c = cover_of L (crule c) /\ hard_free L (crule c)).
  { intros c Hc. destruct (U2 c Hc) as [Hc'|[]]. apply in_map_iff in Hc'. destruct Hc' as (R & <- & HR).
    apply filter_In in HR. split; [reflexivity|]. now apply hard_free_iff. }
  destruct (swap_set (map rule_of usable) F []) as (F1 & I1 & A1 & C1).
  - intros R HR. assert (HF : hard_freeb L R = true) by (apply hard_free_iff; eapply hard_free_in; eauto).
    destruct (U1 (cover_of L R)) as (k & Hk & Bk).
    { left. apply in_map, filter_In. split; [auto|assumption]. }
    destruct (Shape k Hk) as [Ek Hfk]. exists (crule k). split.
    + unfold usable. rewrite map_map. apply in_map_iff. exists k. split; [reflexivity|assumption].
    + apply (swap_dominates L S). rewrite Ek in Bk. now apply beats_dominates.
  - now rewrite app_nil_r.
  - rewrite !app_nil_r in *. destruct (without_repeats F1 A1) as (F2 & N2 & I2 & A2 & C2).
    assert (limit < set_cost L ([] ++ F2)); [|cbn [app] in *; lia].
    apply (choose_sound (Datatypes.S (length usable)) [] (start L) usable F2).
    + apply start_ok.
    + intros c Hc. unfold usable in Hc. apply in_map_iff in Hc. destruct Hc as (k & <- & Hk). cbn [candidate_of rule_of].
      split; [reflexivity|]. specialize (HW (candidate_of L (crule k))). rewrite waste_candidate in HW.
      assert (0 <=? - value_of L (crule k) = true) as V; [apply HW, in_map_iff; exists k; auto|]. apply Z.leb_le in V. lia.
    + intros R [].
    + assumption.
    + eapply incl_tran; eauto.
    + assumption.
    + assumption.
Qed.
End Proof.
