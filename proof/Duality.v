(** * Prices and blame: what one leaf proves (docs/certificates.md, "A leaf")

    A rule is a list of literal positions.  A row, or a set of rows that a split has named, is
    a mask: bit [l] says whether literal [l] holds on it.  Positives are in groups; positives
    of a group share a column of blame, one number per group of negatives.  All amounts are
    times the scale, except the weights of negatives and the prices of rules.

    [weak_duality] and [overlap_duality] bound the cost of any set from below. *)

From Coq Require Import ZArith List Lia Permutation Bool.
From Laconic Require Import Statement Sums.
Import ListNotations.
Local Open Scope Z_scope.

Definition body_t := list Z.

Record pos_item := Pos { pmask : Z; price : Z; unit_weight : Z; cap : option Z }.
Record neg_item := Neg { nmask : Z; nweight : Z }.

Record leaf_problem := Problem
  { groups : list (list Z * list pos_item);   (* blame per group of negatives, positives *)
    neg_groups : list (list neg_item);
    hards : list Z;
    rule_cost : Z; literal_cost : Z; scale_of : Z }.

(** A rule covers a row if all its literals hold; a set covers it if a rule does. *)
Definition covers_mask (R : body_t) (m : Z) : bool := forallb (Z.testbit m) R.
Definition set_covers (F : list body_t) (m : Z) : bool := existsb (fun R => covers_mask R m) F.

Definition weight_where (s : neg_item -> bool) (js : list neg_item) : Z :=
  sum (fun j => if s j then nweight j else 0) js.
Definition weights_where (L : leaf_problem) (s : neg_item -> bool) : list Z :=
  map (weight_where s) (neg_groups L).
(** What negatives charge a positive, per unit of its weight. *)
Definition charge (L : leaf_problem) (col : list Z) (s : neg_item -> bool) : Z := dot col (weights_where L s).

(** A sum over all positives, which may use their columns of blame. *)
Definition over {C} (f : C -> pos_item -> Z) (gs : list (C * list pos_item)) : Z :=
  sum (fun g => sum (f (fst g)) (snd g)) gs.

Definition rule_price (L : leaf_problem) (R : body_t) : Z :=
  scale_of L * (rule_cost L + literal_cost L * Z.of_nat (length R)).

Definition paid (L : leaf_problem) (R : body_t) (col : list Z) (i : pos_item) : Z :=
  if covers_mask R (pmask i)
  then Z.max 0 (price i - unit_weight i * charge L col (fun j => covers_mask R (nmask j))) else 0.

(** V(R) of docs/certificates.md. *)
Definition value_of (L : leaf_problem) (R : body_t) : Z := over (paid L R) (groups L) - rule_price L R.

Definition total_price (L : leaf_problem) : Z := over (fun _ i => price i) (groups L).

(** A set is admitted if it covers what must be covered, and nothing that must not be. *)
Definition admitted (L : leaf_problem) (F : list body_t) : Prop :=
  (forall g i, In g (groups L) -> In i (snd g) -> cap i = None -> set_covers F (pmask i) = true) /\
  (forall h, In h (hards L) -> set_covers F h = false).

Definition missed (F : list body_t) (i : pos_item) : Z :=
  if set_covers F (pmask i) then 0 else match cap i with Some c => c | None => 0 end.

Definition set_cost (L : leaf_problem) (F : list body_t) : Z :=
  over (fun _ i => missed F i) (groups L)
  + scale_of L * sum (weight_where (fun j => set_covers F (nmask j))) (neg_groups L)
  + sum (rule_price L) F.

(** The conditions that the program checks of a leaf. *)
Definition spent_blame (L : leaf_problem) : list Z := total_row (fun g => sum unit_weight (snd g)) fst (groups L).

Record sound_leaf (L : leaf_problem) : Prop :=
  { prices_fit : forall g i, In g (groups L) -> In i (snd g) ->
      0 <= price i /\ 0 <= unit_weight i /\ (forall c, cap i = Some c -> price i <= c);
    blame_nonneg : forall g, In g (groups L) -> nonneg (fst g);
    weights_nonneg : forall js j, In js (neg_groups L) -> In j js -> 0 <= nweight j;
    blame_fits : Forall (fun x => x <= scale_of L) (spent_blame L);
    costs_nonneg : 0 <= rule_cost L /\ 0 <= literal_cost L /\ 0 < scale_of L }.

(** ** Sums over positives *)

Lemma over_le {C} (f g : C -> pos_item -> Z) gs :
  (forall c is_ i, In (c, is_) gs -> In i is_ -> f c i <= g c i) -> over f gs <= over g gs.
Proof.
  intros H. apply sum_le. intros [c is_] Hg. apply sum_le. intros i Hi. simpl. eapply H; eauto.
Qed.

Lemma over_eq {C} (f g : C -> pos_item -> Z) gs :
  (forall c is_ i, In (c, is_) gs -> In i is_ -> f c i = g c i) -> over f gs = over g gs.
Proof. intros H. apply Z.le_antisymm; apply over_le; intros; erewrite H; eauto; lia. Qed.

Lemma over_plus {C} (f g : C -> pos_item -> Z) gs : over (fun c i => f c i + g c i) gs = over f gs + over g gs.
Proof.
  unfold over. rewrite <- sum_plus. apply sum_eq. intros x _. apply sum_plus.
Qed.

Lemma over_nonneg {C} (f : C -> pos_item -> Z) gs : (forall c is_ i, In (c, is_) gs -> In i is_ -> 0 <= f c i) -> 0 <= over f gs.
Proof.
  intros H. apply sum_nonneg. intros [c is_] Hg. apply sum_nonneg. intros i Hi. simpl. eapply H; eauto.
Qed.

Lemma over_sum {A C} (f : A -> C -> pos_item -> Z) l gs :
  sum (fun x => over (f x) gs) l = over (fun c i => sum (fun x => f x c i) l) gs.
Proof.
  unfold over. rewrite sum_swap. apply sum_eq. intros g _. apply sum_swap.
Qed.

(** ** Covering *)

Lemma covers_in R m : covers_mask R m = true <-> forall l, In l R -> Z.testbit m l = true.
Proof. unfold covers_mask. apply forallb_forall. Qed.

Lemma covers_incl R R' m : incl R R' -> covers_mask R' m = true -> covers_mask R m = true.
Proof. rewrite !covers_in. auto. Qed.

Lemma covers_ext R R' m : incl R R' -> incl R' R -> covers_mask R m = covers_mask R' m.
Proof.
  intros A B. apply eq_true_iff_eq. split; apply covers_incl; assumption.
Qed.

Lemma set_covers_in F m : set_covers F m = true <-> exists R, In R F /\ covers_mask R m = true.
Proof. apply existsb_exists. Qed.

Lemma set_covers_mono F G m : incl F G -> set_covers F m = true -> set_covers G m = true.
Proof. rewrite !set_covers_in. intros H (R & I & C). exists R. split; auto. Qed.

Lemma set_covers_app F G m : set_covers (F ++ G) m = set_covers F m || set_covers G m.
Proof. apply existsb_app. Qed.

(** ** Charges *)

Section Leaf.
Variable L : leaf_problem.
Hypothesis S : sound_leaf L.

Lemma weight_where_mono s s' js : In js (neg_groups L) ->
  (forall j, s j = true -> s' j = true) -> weight_where s js <= weight_where s' js.
Proof.
  intros Hj H. apply sum_le. intros j I. pose proof (weights_nonneg L S js j Hj I).
  specialize (H j). destruct (s j); [rewrite H by reflexivity; lia|]. destruct (s' j); lia.
Qed.

Lemma weight_where_nonneg s js : In js (neg_groups L) -> 0 <= weight_where s js.
Proof.
  intros Hj. apply sum_nonneg. intros j I. pose proof (weights_nonneg L S js j Hj I). destruct (s j); lia.
Qed.

Lemma weights_where_nonneg s : nonneg (weights_where L s).
Proof.
  apply Forall_forall. intros x H. apply in_map_iff in H. destruct H as (js & <- & H).
  now apply weight_where_nonneg.
Qed.

Lemma charge_nonneg col s : nonneg col -> 0 <= charge L col s.
Proof. intros H. apply dot_nonneg; [assumption|apply weights_where_nonneg]. Qed.

Lemma Forall2_map {A B} (R : B -> B -> Prop) (f g : A -> B) l :
  (forall x, In x l -> R (f x) (g x)) -> Forall2 R (map f l) (map g l).
Proof.
  induction l; simpl; intros H; constructor; [apply H; now left|apply IHl; intros; apply H; now right].
Qed.

Lemma charge_mono col s s' : nonneg col -> (forall j, s j = true -> s' j = true) ->
  charge L col s <= charge L col s'.
Proof.
  intros Hc H. apply dot_mono; [assumption|]. apply Forall2_map. intros js I. now apply weight_where_mono.
Qed.

(** What two sets charge together covers what one that lies within both charges. *)
Lemma charge_subadd col s a b : nonneg col -> (forall j, s j = true -> a j = true \/ b j = true) ->
  charge L col s <= charge L col a + charge L col b.
Proof.
  intros Hc H. unfold charge, weights_where. rewrite <- dot_map_plus. apply dot_mono; [assumption|].
  apply Forall2_map. intros js I. unfold weight_where. rewrite <- sum_plus. apply sum_le. intros j Ij.
  pose proof (weights_nonneg L S js j I Ij). specialize (H j).
  destruct (s j); [|destruct (a j), (b j); lia]. destruct (H eq_refl) as [-> | ->]; [destruct (b j)|destruct (a j)]; lia.
Qed.

Lemma charge_none col : charge L col (fun _ => false) = 0.
Proof.
  unfold charge, weights_where. generalize (neg_groups L). induction col as [|x c IH]; intros [|l ls]; simpl; auto.
  rewrite IH. unfold weight_where. rewrite sum_zero. lia.
Qed.

(** No negative is blamed for more than its weight: for any set of negatives, what it charges all
    positives together is at most what it weighs, and the difference only grows with the set. *)
Definition charged_to_all (s : neg_item -> bool) : Z :=
  over (fun col i => unit_weight i * charge L col s) (groups L).

Lemma charged_to_all_dot s : charged_to_all s = dot (spent_blame L) (weights_where L s).
Proof.
  unfold spent_blame. rewrite dot_total. unfold charged_to_all, over. apply sum_eq. intros [c is_] _. simpl.
  clear. induction is_; simpl; [lia|]. rewrite IHis_. unfold sum, charge. lia.
Qed.

Lemma blame_budget s :
  charged_to_all s <= scale_of L * sum (weight_where s) (neg_groups L).
Proof.
  rewrite charged_to_all_dot. destruct (costs_nonneg L S) as (_ & _ & H).
  replace (sum (weight_where s) (neg_groups L)) with (sum (fun x => x) (weights_where L s))
    by (unfold weights_where; now rewrite sum_map).
  apply dot_at_most; [apply (blame_fits L S)|lia|apply weights_where_nonneg].
Qed.

(** What negatives cost beyond their blame. *)
Definition unblamed (s : neg_item -> bool) : Z :=
  scale_of L * sum (weight_where s) (neg_groups L) - charged_to_all s.

Lemma unblamed_mono s s' : (forall j, s j = true -> s' j = true) -> unblamed s <= unblamed s'.
Proof.
  intros H. unfold unblamed. rewrite !charged_to_all_dot. unfold weights_where.
  pose proof (blame_fits L S) as Hb. destruct (costs_nonneg L S) as (_ & _ & Hp).
  assert (W : forall js, In js (neg_groups L) -> weight_where s js <= weight_where s' js)
    by (intros; now apply weight_where_mono).
  revert Hb W. generalize (neg_groups L) as js. generalize (spent_blame L) as b.
  induction b as [|x b IH]; intros js Hb W.
  - cbn [dot]. assert (sum (weight_where s) js <= sum (weight_where s') js) by (now apply sum_le). nia.
  - destruct js as [|j js]; [cbn; lia|]. inversion Hb; subst.
    specialize (IH js H3 (fun k I => W k (or_intror I))). specialize (W j (or_introl eq_refl)).
    simpl in *. unfold sum in *. nia.
Qed.

Lemma group_of_in g i : In g (groups L) -> In i (snd g) ->
  0 <= price i /\ 0 <= unit_weight i /\ (forall c, cap i = Some c -> price i <= c) /\ nonneg (fst g).
Proof.
  intros A B. destruct (prices_fit L S g i A B) as (H1 & H2 & H3). repeat split; auto.
  now apply (blame_nonneg L S).
Qed.

Lemma paid_nonneg R c i : 0 <= paid L R c i.
Proof. unfold paid. destruct covers_mask; lia. Qed.

Lemma set_cost_split F :
  set_cost L F =
  over (fun col i => missed F i + unit_weight i * charge L col (fun j => set_covers F (nmask j))
                     + sum (fun R => paid L R col i) F) (groups L)
  + unblamed (fun j => set_covers F (nmask j)) + sum (fun R => - value_of L R) F.
Proof.
  rewrite !over_plus. rewrite <- over_sum. unfold set_cost, unblamed, charged_to_all.
  assert (E : sum (fun R => - value_of L R) F
              = sum (rule_price L) F - sum (fun R => over (paid L R) (groups L)) F).
  { clear. induction F; simpl; [lia|]. unfold value_of in *. unfold sum in *. lia. }
  rewrite E. lia.
Qed.

(** A positive that is covered has its price paid, by rules and by blame. *)
Lemma covered_is_paid F R col i : nonneg col -> 0 <= unit_weight i -> In R F -> covers_mask R (pmask i) = true ->
  price i <= unit_weight i * charge L col (fun j => set_covers F (nmask j)) + sum (fun R => paid L R col i) F.
Proof.
  intros Hc Hw HR HC.
  assert (A : paid L R col i <= sum (fun R => paid L R col i) F)
    by (apply (sum_in (fun R => paid L R col i)); [intros; apply paid_nonneg|assumption]).
  assert (B : charge L col (fun j => covers_mask R (nmask j)) <= charge L col (fun j => set_covers F (nmask j))).
  { apply charge_mono; [assumption|]. intros j H. apply set_covers_in. now exists R. }
  unfold paid in A at 1. rewrite HC in A. nia.
Qed.

(** The lower bound of a branch of the choice: rules [C] are chosen, [D] is about to be, [U] may
    follow.  [never i]: no rule of [C ++ U] covers i. *)
Definition branch_waste (C D : list body_t) (never : pos_item -> bool) (col : list Z) (i : pos_item) : Z :=
  if set_covers C (pmask i) then
    sum (fun R => paid L R col i) C + sum (fun R => paid L R col i) D
    + unit_weight i * charge L col (fun j => set_covers C (nmask j)) - price i
  else if never i then
    match cap i with Some c => c | None => 0 end
    + unit_weight i * charge L col (fun j => set_covers C (nmask j)) - price i
  else 0.

Theorem overlap_duality C D E never :
  (forall R, In R (C ++ D ++ E) -> value_of L R <= 0) ->
  (forall i, never i = true -> set_covers (C ++ D ++ E) (pmask i) = false) ->
  admitted L (C ++ D ++ E) ->
  total_price L + over (branch_waste C D never) (groups L) + unblamed (fun j => set_covers C (nmask j))
  + sum (fun R => - value_of L R) C + sum (fun R => - value_of L R) D
  <= set_cost L (C ++ D ++ E).
Proof.
  intros HV HN HA. rewrite set_cost_split. set (F := C ++ D ++ E) in *.
  assert (M : forall m, set_covers C m = true -> set_covers F m = true).
  { intros m. apply set_covers_mono. intros x Hx. apply in_or_app. now left. }
  assert (U : unblamed (fun j => set_covers C (nmask j)) <= unblamed (fun j => set_covers F (nmask j)))
    by (apply unblamed_mono; auto).
  assert (V : sum (fun R => - value_of L R) C + sum (fun R => - value_of L R) D <= sum (fun R => - value_of L R) F).
  { unfold F. rewrite !sum_app. assert (0 <= sum (fun R => - value_of L R) E); [|lia].
    apply sum_nonneg. intros R HR. assert (value_of L R <= 0); [|lia]. apply HV. unfold F.
    rewrite !in_app_iff. auto. }
  assert (O : total_price L + over (branch_waste C D never) (groups L) <=
    over (fun col i => missed F i + unit_weight i * charge L col (fun j => set_covers F (nmask j))
                     + sum (fun R => paid L R col i) F) (groups L)); [|lia].
  unfold total_price. rewrite <- over_plus. apply over_le. intros col is_ i Hg Hi.
  destruct (group_of_in _ i Hg Hi) as (Hy & Hw & Hcap & Hcol). simpl in Hcol.
  assert (Ch : charge L col (fun j => set_covers C (nmask j)) <= charge L col (fun j => set_covers F (nmask j)))
    by (apply charge_mono; auto).
  pose proof (charge_nonneg col (fun j => set_covers C (nmask j)) Hcol) as Ch0.
  assert (Pd : sum (fun R => paid L R col i) F = sum (fun R => paid L R col i) C
    + sum (fun R => paid L R col i) D + sum (fun R => paid L R col i) E) by (unfold F; rewrite !sum_app; lia).
  assert (P0 : forall G, 0 <= sum (fun R => paid L R col i) G)
    by (intros; apply sum_nonneg; intros; apply paid_nonneg).
  pose proof (P0 C). pose proof (P0 D). pose proof (P0 E).
  unfold branch_waste, missed. destruct (set_covers C (pmask i)) eqn:EC.
  - rewrite (M _ EC). nia.
  - destruct (never i) eqn:EN.
    + rewrite (HN i EN). destruct (cap i) eqn:Ec; [nia|].
      destruct HA as [HA _]. specialize (HA _ i Hg Hi Ec). rewrite (HN i EN) in HA. discriminate.
    + destruct (set_covers F (pmask i)) eqn:EF.
      * apply set_covers_in in EF. destruct EF as (R & HR & HC).
        pose proof (covered_is_paid F R col i Hcol Hw HR HC). lia.
      * destruct (cap i) eqn:Ec; [specialize (Hcap z eq_refl); nia|].
        destruct HA as [HA _]. specialize (HA _ i Hg Hi Ec). fold F in HA. congruence.
Qed.

(** No admitted set costs less than the prices and the waste of one of its rules. *)
Theorem weak_duality F : (forall R, In R F -> value_of L R <= 0) -> admitted L F ->
  total_price L <= set_cost L F /\ (forall R, In R F -> total_price L - value_of L R <= set_cost L F).
Proof.
  intros HV HA.
  assert (G : total_price L + sum (fun R => - value_of L R) F <= set_cost L F).
  { rewrite set_cost_split.
    pose proof (unblamed_mono (fun _ => false) (fun j => set_covers F (nmask j)) (fun j H => match Bool.diff_false_true H with end)).
    assert (Z0 : unblamed (fun _ => false) = 0).
    { unfold unblamed, charged_to_all.
      rewrite (sum_eq _ (fun _ => 0)) by (intros; unfold weight_where; apply sum_zero).
      rewrite (over_eq _ (fun _ _ => 0)) by (intros; rewrite charge_none; lia).
      rewrite sum_zero. unfold over. rewrite (sum_eq _ (fun _ => 0)) by (intros; apply sum_zero).
      rewrite sum_zero. lia. }
    assert (O : total_price L <=
      over (fun col i => missed F i + unit_weight i * charge L col (fun j => set_covers F (nmask j))
                     + sum (fun R => paid L R col i) F) (groups L)); [|lia].
    apply over_le. intros col is_ i Hg Hi.
    destruct (group_of_in _ i Hg Hi) as (Hy & Hw & Hcap & Hcol). simpl in Hcol.
    pose proof (charge_nonneg col (fun j => set_covers F (nmask j)) Hcol) as Ch0.
    assert (P0 : 0 <= sum (fun R => paid L R col i) F) by (apply sum_nonneg; intros; apply paid_nonneg).
    unfold missed. destruct (set_covers F (pmask i)) eqn:EF.
    - apply set_covers_in in EF. destruct EF as (R & HR & HC).
      pose proof (covered_is_paid F R col i Hcol Hw HR HC). lia.
    - destruct (cap i) eqn:Ec; [specialize (Hcap z eq_refl); nia|].
      destruct HA as [HA _]. specialize (HA _ i Hg Hi Ec). congruence. }
  split.
  - assert (0 <= sum (fun R => - value_of L R) F); [|lia]. apply sum_nonneg. intros R HR. specialize (HV R HR). lia.
  - intros R HR. assert (- value_of L R <= sum (fun R => - value_of L R) F); [|lia].
    apply (sum_in (fun R => - value_of L R)); [|assumption]. intros Q HQ. specialize (HV Q HQ). lia.
Qed.

End Leaf.
