(** * Which rules a cheapest set needs (docs/certificates.md, "Every rule?")

    A rule may be exchanged for one that covers more positives, fewer negatives and has no more
    literals, and a literal that alone excludes negatives of too little weight may go.  So the
    rules of [Search.target_rule] are enough: [leaf_sound] puts the search and the choice among
    the rules found together to the lower bound of a leaf. *)

From Coq Require Import ZArith List Lia Permutation Bool.
From Laconic Require Import Statement Sums Duality Search.
Import ListNotations.
Local Open Scope Z_scope.

Section Exchange.
Variable L : leaf_problem.
Hypothesis S : sound_leaf L.

Definition hard_freeb (R : body_t) : bool := forallb (fun h => negb (covers_mask R h)) (hards L).
Definition covers_positiveb (R : body_t) : bool :=
  existsb (fun g => existsb (fun i => covers_mask R (pmask i)) (snd g)) (groups L).

Lemma hard_free_iff R : hard_freeb R = true <-> hard_free L R.
Proof.
  unfold hard_freeb, hard_free. rewrite forallb_forall.
  split; intros H h Hh; specialize (H h Hh); now apply negb_true_iff.
Qed.

Lemma covers_positive_iff R : covers_positiveb R = true <-> covers_positive L R.
Proof.
  unfold covers_positiveb, covers_positive. rewrite existsb_exists. split.
  - intros (g & Hg & H). apply existsb_exists in H. destruct H as (i & Hi & H). eauto.
  - intros (g & i & Hg & Hi & H). exists g. split; [assumption|]. apply existsb_exists. eauto.
Qed.

(** ** Sets that cost no more *)

Definition swap (R Q : body_t) : Prop :=
  forall G, admitted L (R :: G) -> admitted L (Q :: G) /\ set_cost L (Q :: G) <= set_cost L (R :: G).

Lemma swap_trans P Q R : swap P Q -> swap Q R -> swap P R.
Proof. intros A B G H. destruct (A G H) as [H1 C1]. destruct (B G H1) as [H2 C2]. split; [assumption|lia]. Qed.

Lemma swap_if R Q :
  (forall g i, In g (groups L) -> In i (snd g) -> covers_mask R (pmask i) = true -> covers_mask Q (pmask i) = true) ->
  (forall h, In h (hards L) -> covers_mask Q h = true -> covers_mask R h = true) ->
  scale_of L * sum (weight_where (fun j => covers_mask Q (nmask j) && negb (covers_mask R (nmask j)))) (neg_groups L)
    + rule_price L Q <= rule_price L R ->
  swap R Q.
Proof.
  intros HP HH HC G [A1 A2]. split; [split|].
  - intros g i Hg Hi Hc. specialize (A1 g i Hg Hi Hc). cbn [set_covers existsb] in *.
    apply orb_true_iff in A1. apply orb_true_iff. destruct A1; [left; eauto|now right].
  - intros h Hh. specialize (A2 h Hh). cbn [set_covers existsb] in *. apply orb_false_iff in A2.
    apply orb_false_iff. destruct A2 as [A2 A3]. split; [|assumption].
    destruct (covers_mask Q h) eqn:E; [|reflexivity]. rewrite (HH h Hh E) in A2. discriminate.
  - unfold set_cost. rewrite !sum_cons. destruct (costs_nonneg L S) as (_ & _ & Hs).
    assert (O : over (fun _ i => missed (Q :: G) i) (groups L) <= over (fun _ i => missed (R :: G) i) (groups L)).
    { apply over_le. intros c is_ i Hg Hi. destruct (group_of_in L S _ i Hg Hi) as (Hy & Hw & Hcap & _).
      unfold missed. cbn [set_covers existsb]. specialize (HP _ i Hg Hi).
      destruct (covers_mask R (pmask i)); [rewrite HP by reflexivity; simpl; lia|].
      destruct (cap i); [specialize (Hcap z eq_refl)|];
        destruct (covers_mask Q (pmask i)), (existsb (fun R0 => covers_mask R0 (pmask i)) G); simpl; lia. }
    assert (N : sum (weight_where (fun j => set_covers (Q :: G) (nmask j))) (neg_groups L) <=
      sum (weight_where (fun j => set_covers (R :: G) (nmask j))) (neg_groups L) +
      sum (weight_where (fun j => covers_mask Q (nmask j) && negb (covers_mask R (nmask j)))) (neg_groups L)).
    { rewrite <- sum_plus. apply sum_le. intros js Hj. unfold weight_where. rewrite <- sum_plus. apply sum_le.
      intros j Hjj. pose proof (weights_nonneg L S js j Hj Hjj). cbn [set_covers existsb].
      destruct (covers_mask Q (nmask j)), (covers_mask R (nmask j)), (existsb (fun R0 => covers_mask R0 (nmask j)) G);
        simpl; lia. }
    nia.
Qed.

Lemma swap_useless R G : covers_positiveb R = false -> admitted L (R :: G) ->
  admitted L G /\ set_cost L G <= set_cost L (R :: G).
Proof.
  intros HR [A1 A2].
  assert (NC : forall g i, In g (groups L) -> In i (snd g) -> covers_mask R (pmask i) = false).
  { intros g i Hg Hi. destruct (covers_mask R (pmask i)) eqn:E; [|reflexivity]. rewrite <- HR. symmetry.
    apply covers_positive_iff. exists g, i. auto. }
  split; [split|].
  - intros g i Hg Hi Hc. specialize (A1 g i Hg Hi Hc). cbn [set_covers existsb] in *. now rewrite (NC g i Hg Hi) in A1.
  - intros h Hh. specialize (A2 h Hh). cbn [set_covers existsb] in *. apply orb_false_iff in A2. apply A2.
  - unfold set_cost. rewrite !sum_cons. destruct (costs_nonneg L S) as (Hr & Hl & Hs).
    assert (O : over (fun _ i => missed G i) (groups L) <= over (fun _ i => missed (R :: G) i) (groups L)).
    { apply over_le. intros c is_ i Hg Hi. unfold missed. cbn [set_covers existsb]. rewrite (NC _ i Hg Hi). simpl.
      unfold set_covers. lia. }
    assert (N : sum (weight_where (fun j => set_covers G (nmask j))) (neg_groups L) <=
      sum (weight_where (fun j => set_covers (R :: G) (nmask j))) (neg_groups L)).
    { apply sum_le. intros js Hj. apply (weight_where_mono L S); [assumption|]. intros j. apply set_covers_mono.
      intros x Hx. now right. }
    assert (P : 0 <= rule_price L R).
    { unfold rule_price. assert (0 <= literal_cost L * Z.of_nat (length R)) by nia. nia. }
    nia.
Qed.

Lemma set_covers_same F G m : incl F G -> incl G F -> set_covers F m = set_covers G m.
Proof. intros A B. apply eq_true_iff_eq. split; now apply set_covers_mono. Qed.

Lemma perm_cost F G : Permutation F G -> set_cost L F = set_cost L G /\ (admitted L F -> admitted L G).
Proof.
  intros P.
  assert (E : forall m, set_covers F m = set_covers G m).
  { intros m. apply set_covers_same; intros x Hx;
      [eapply Permutation_in; [exact P|exact Hx]|eapply Permutation_in; [apply Permutation_sym, P|exact Hx]]. }
  split.
  - unfold set_cost. rewrite (sum_perm _ _ _ P). f_equal. f_equal.
    + apply over_eq. intros. unfold missed. now rewrite E.
    + f_equal. apply sum_eq. intros. unfold weight_where. apply sum_eq. intros. now rewrite E.
  - intros [A1 A2]. split; intros; rewrite <- E; eauto.
Qed.

(** ** Rules that dominate others *)

Definition dominates (Q R : body_t) : Prop :=
  (forall g i, In g (groups L) -> In i (snd g) -> covers_mask R (pmask i) = true -> covers_mask Q (pmask i) = true) /\
  (forall js j, In js (neg_groups L) -> In j js -> covers_mask Q (nmask j) = true -> covers_mask R (nmask j) = true) /\
  (forall h, In h (hards L) -> covers_mask Q h = true -> covers_mask R h = true) /\
  (length Q <= length R)%nat.

Lemma price_dominates Q R : (length Q <= length R)%nat -> rule_price L Q <= rule_price L R.
Proof. intros H. unfold rule_price. destruct (costs_nonneg L S) as (? & ? & ?).
  assert (literal_cost L * Z.of_nat (length Q) <= literal_cost L * Z.of_nat (length R)) by nia. nia.
Qed.

Lemma swap_dominates Q R : dominates Q R -> swap R Q.
Proof.
  intros (A & B & C & D). apply swap_if; [assumption|assumption|].
  assert (E : sum (weight_where (fun j => covers_mask Q (nmask j) && negb (covers_mask R (nmask j)))) (neg_groups L) = 0).
  { rewrite (sum_eq _ (fun _ => 0)); [apply sum_zero|]. intros js Hj. unfold weight_where.
    rewrite (sum_eq _ (fun _ => 0)); [apply sum_zero|]. intros j Hjj. specialize (B js j Hj Hjj).
    destruct (covers_mask Q (nmask j)); [rewrite B by reflexivity; reflexivity|reflexivity]. }
  rewrite E. pose proof (price_dominates Q R D). lia.
Qed.

Lemma value_dominates Q R : dominates Q R -> value_of L R <= value_of L Q.
Proof.
  intros (A & B & C & D). unfold value_of. pose proof (price_dominates Q R D).
  assert (over (paid L R) (groups L) <= over (paid L Q) (groups L)); [|lia].
  apply over_le. intros c is_ i Hg Hi. destruct (group_of_in L S _ i Hg Hi) as (Hy & Hw & _ & Hc). simpl in Hc.
  unfold paid at 1. destruct (covers_mask R (pmask i)) eqn:E; [|apply paid_nonneg].
  unfold paid. rewrite (A _ i Hg Hi E).
  assert (charge L c (fun j => covers_mask Q (nmask j)) <= charge L c (fun j => covers_mask R (nmask j))).
  { apply dot_mono; [assumption|]. apply Forall2_map. intros js Hj. apply sum_le. intros j Hjj.
    pose proof (weights_nonneg L S js j Hj Hjj). specialize (B js j Hj Hjj).
    destruct (covers_mask Q (nmask j)); [rewrite B by reflexivity; lia|destruct (covers_mask R (nmask j)); lia]. }
  pose proof (Z.mul_le_mono_nonneg_l _ _ _ Hw H0). lia.
Qed.

(** ** Literals that are not needed *)

Lemma without_incl l R : incl (without l R) R.
Proof. intros x Hx. unfold without in Hx. apply in_remove in Hx. tauto. Qed.

Lemma with_without l R : incl R (l :: without l R).
Proof. intros x Hx. destruct (Z.eq_dec x l); [now left|right; unfold without; apply in_in_remove; auto]. Qed.

Lemma without_length l R : NoDup R -> In l R -> length R = Datatypes.S (length (without l R)).
Proof.
  intros N I. induction R as [|r R IH]; [contradiction|]. inversion N; subst. unfold without in *. simpl.
  destruct (Z.eq_dec l r) as [->|Ne].
  - f_equal. now rewrite notin_remove.
  - destruct I as [->|I]; [congruence|]. simpl. f_equal. now apply IH.
Qed.

Lemma value_without l R : NoDup R -> In l R ->
  value_of L R <= value_of L (without l R) + recovers L l (without l R) - literal_unit L.
Proof.
  intros N I. rewrite (value_ext L R (l :: without l R)).
  - apply (value_step L S).
  - apply with_without.
  - intros x [<-|Hx]; [assumption|]. eapply without_incl; eauto.
  - rewrite (without_length l R N I). reflexivity.
Qed.

Lemma recovers_weight l Q : recovers L l Q <= scale_of L * weight_alone L l Q.
Proof.
  unfold weight_alone. etransitivity; [|apply (blame_budget L S)]. apply over_le. intros c is_ i Hg Hi.
  destruct (group_of_in L S _ i Hg Hi) as (Hy & Hw & _ & Hc). simpl in Hc.
  pose proof (charge_nonneg L S c (fun j => alone l Q (nmask j)) Hc).
  pose proof (Z.mul_nonneg_nonneg _ _ Hw H). destruct (covers_mask (l :: Q) (pmask i)); lia.
Qed.

Lemma alone_hard l R : In l R -> hard_free L R -> hard_freeb (without l R) = false ->
  exists h, In h (hards L) /\ alone l (without l R) h = true.
Proof.
  intros I HF H. unfold hard_freeb in H.
  assert (E : exists h, In h (hards L) /\ covers_mask (without l R) h = true).
  { clear - H. induction (hards L) as [|h hs IH]; [discriminate|]. simpl in H.
    destruct (covers_mask (without l R) h) eqn:E; [exists h; split; [now left|assumption]|].
    destruct IH as (h' & ? & ?); [assumption|]. exists h'. split; [now right|assumption]. }
  destruct E as (h & Hh & C). exists h. split; [assumption|]. unfold alone, lacks. rewrite C. simpl.
  destruct (Z.testbit h l) eqn:T; [|reflexivity]. exfalso.
  specialize (HF h Hh). rewrite (proj2 (covers_in R h)) in HF; [discriminate|].
  intros x Hx. destruct (Z.eq_dec x l) as [->|Ne]; [assumption|]. rewrite covers_in in C. apply C.
  unfold without. apply in_in_remove; auto.
Qed.

Lemma swap_without l R : NoDup R -> In l R -> weight_alone L l (without l R) <= literal_cost L ->
  hard_freeb (without l R) = true -> swap R (without l R).
Proof.
  intros N I W HF. apply swap_if.
  - intros g i _ _. apply covers_incl. apply without_incl.
  - intros h Hh C. apply hard_free_iff in HF. rewrite (HF h Hh) in C. discriminate.
  - assert (E : sum (weight_where (fun j => covers_mask (without l R) (nmask j) && negb (covers_mask R (nmask j)))) (neg_groups L)
                <= weight_alone L l (without l R)).
    { apply sum_le. intros js Hj. apply (weight_where_mono L S); [assumption|]. intros j H.
      apply andb_true_iff in H. destruct H as [H1 H2]. unfold alone, lacks. rewrite H1. simpl.
      destruct (Z.testbit (nmask j) l) eqn:T; [|reflexivity]. exfalso. apply negb_true_iff in H2.
      rewrite (proj2 (covers_in R (nmask j))) in H2; [discriminate|].
      intros x Hx. destruct (Z.eq_dec x l) as [->|Ne]; [assumption|]. rewrite covers_in in H1. apply H1.
      unfold without. apply in_in_remove; auto. }
    unfold rule_price. rewrite (without_length l R N I), Nat2Z.inj_succ.
    destruct (costs_nonneg L S) as (_ & _ & Hs). nia.
Qed.

(** ** The rules over the literals of the search *)

Variable slack : Z.
Hypothesis slack_nonneg : 0 <= slack.
Variable feature_of : Z -> Z.
Variable lits : list Z.

Definition inner (R : body_t) : Prop := NoDup (map feature_of R) /\ incl R lits.

Lemma inner_without l R : inner R -> inner (without l R).
Proof.
  intros [N I]. split; [|eapply incl_tran; [apply without_incl|assumption]].
  clear I. induction R as [|r R IH]; [constructor|]. simpl in N. inversion N; subst. unfold without in *. simpl.
  destruct (Z.eq_dec l r); [auto|]. simpl. constructor; [|auto]. intros H. apply H1.
  apply in_map_iff in H. destruct H as (x & E & Hx). apply in_map_iff. exists x. split; [assumption|].
  apply in_remove in Hx. tauto.
Qed.

Lemma inner_nodup R : inner R -> NoDup R.
Proof. intros [N _]. eapply NoDup_map_inv; eauto. Qed.

Lemma worthless R : covers_positiveb R = false -> value_of L R <= 0.
Proof.
  intros H. unfold value_of.
  assert (E : over (paid L R) (groups L) = 0).
  { rewrite (over_eq _ (fun _ _ => 0)).
    - unfold over. rewrite (sum_eq _ (fun _ => 0)); [apply sum_zero|]. intros. apply sum_zero.
    - intros c is_ i Hg Hi. unfold paid. destruct (covers_mask R (pmask i)) eqn:E; [|reflexivity].
      assert (covers_positiveb R = true) by (apply covers_positive_iff; exists (c, is_), i; auto). congruence. }
  rewrite E. unfold rule_price. destruct (costs_nonneg L S) as (? & ? & ?).
  assert (0 <= literal_cost L * Z.of_nat (length R)) by nia. nia.
Qed.

(** A rule with a positive value has a part that the search must find. *)
Lemma overpaid_target n : forall R, (length R <= n)%nat -> inner R -> hard_free L R -> 0 < value_of L R ->
  exists Q, inner Q /\ target_rule L slack feature_of Q /\ 0 < value_of L Q.
Proof.
  induction n as [|n IH]; intros R HL HI HF HV.
  - destruct R; [|simpl in HL; lia]. exists []. split; [assumption|]. split; [|assumption].
    split; [constructor| |assumption|intros l []|lia].
    apply covers_positive_iff. destruct (covers_positiveb []) eqn:E; [reflexivity|]. pose proof (worthless _ E). lia.
  - destruct (existsb (fun l => hard_freeb (without l R) && (0 <? value_of L (without l R))) R) eqn:E.
    + apply existsb_exists in E. destruct E as (l & Hl & E). apply andb_true_iff in E. destruct E as [E1 E2].
      apply (IH (without l R)).
      * rewrite (without_length l R (inner_nodup R HI) Hl) in HL. lia.
      * now apply inner_without.
      * now apply hard_free_iff.
      * now apply Z.ltb_lt.
    + exists R. split; [assumption|]. split; [|assumption]. split; [apply HI| |assumption| |lia].
      * apply covers_positive_iff. destruct (covers_positiveb R) eqn:E1; [reflexivity|].
        pose proof (worthless _ E1). lia.
      * intros l Hl. destruct (hard_freeb (without l R)) eqn:E1; [right|left; now apply alone_hard].
        assert (E2 : (0 <? value_of L (without l R)) = false).
        { destruct (0 <? value_of L (without l R)) eqn:E2; [|reflexivity].
          rewrite <- E. symmetry. apply existsb_exists. exists l. now rewrite E1, E2. }
        apply Z.ltb_ge in E2. pose proof (value_without l R (inner_nodup R HI) Hl).
        pose proof (recovers_weight l (without l R)). destruct (costs_nonneg L S) as (_ & _ & Hs).
        unfold literal_unit in *. split; [nia|lia].
Qed.

(** A rule that covers a positive can be exchanged for one without needless literals. *)
Definition trimmed (Q : body_t) : Prop :=
  inner Q /\ hard_free L Q /\ covers_positive L Q /\
  (forall l, In l Q -> hard_freeb (without l Q) = true -> literal_cost L < weight_alone L l (without l Q)).

Lemma trim n : forall R, (length R <= n)%nat -> inner R -> hard_free L R -> covers_positive L R ->
  exists Q, trimmed Q /\ swap R Q.
Proof.
  induction n as [|n IH]; intros R HL HI HF HP.
  - destruct R; [|simpl in HL; lia]. exists []. split; [|intros G A; split; [assumption|lia]].
    split; [assumption|]. split; [assumption|]. split; [assumption|]. intros l [].
  - destruct (existsb (fun l => hard_freeb (without l R) && (weight_alone L l (without l R) <=? literal_cost L)) R) eqn:E.
    + apply existsb_exists in E. destruct E as (l & Hl & E). apply andb_true_iff in E. destruct E as [E1 E2].
      apply Z.leb_le in E2. pose proof (inner_nodup R HI) as ND.
      destruct (IH (without l R)) as (Q & TQ & SQ).
      * rewrite (without_length l R ND Hl) in HL. lia.
      * now apply inner_without.
      * now apply hard_free_iff.
      * destruct HP as (g & i & Hg & Hi & C). exists g, i. repeat split; auto. eapply covers_incl; [apply without_incl|eassumption].
      * exists Q. split; [assumption|]. eapply swap_trans; [|eassumption]. now apply swap_without.
    + exists R. split; [|intros G A; split; [assumption|lia]]. repeat split; auto; try apply HI.
      intros l Hl E1. destruct (weight_alone L l (without l R) <=? literal_cost L) eqn:E2; [|now apply Z.leb_gt].
      exfalso. rewrite <- Bool.not_true_iff_false in E. apply E. apply existsb_exists. exists l. now rewrite E1, E2.
Qed.

(** ** The lower bound of a leaf *)

Variable legal : body_t -> Prop.
(** Each rule has one over the literals of the search that dominates it. *)
Hypothesis exchange : forall R, legal R -> covers_positive L R -> exists Q, inner Q /\ dominates Q R.

Variable fuel : nat.
Variable found : list body_t.
Hypothesis searched : visit L slack feature_of fuel [] (root L) lits [] = Some found.

Variable limit : Z.
Hypothesis slack_is : slack = Z.max 0 (limit - total_price L + 1).
Hypothesis chosen : total_price L <= limit ->
  forall F, incl F found -> admitted L F -> limit < set_cost L F.

Lemma found_all Q : inner Q -> target_rule L slack feature_of Q -> value_of L Q <= 0 /\ reached found Q.
Proof.
  intros [_ I] T.
  destruct (visit_complete L slack feature_of S fuel [] lits [] found searched) as [_ C].
  - constructor.
  - intros x _ [].
  - apply C; auto. intros x [].
Qed.

Lemma no_overpaid R : inner R -> hard_free L R -> value_of L R <= 0.
Proof.
  intros HI HF. destruct (Z.le_gt_cases (value_of L R) 0); [assumption|].
  destruct (overpaid_target (length R) R (le_n _) HI HF H) as (Q & IQ & TQ & V).
  destruct (found_all Q IQ TQ). lia.
Qed.

Lemma hard_free_in F R : admitted L F -> In R F -> hard_free L R.
Proof.
  intros [_ A] HR h Hh. specialize (A h Hh). destruct (covers_mask R h) eqn:E; [|reflexivity].
  assert (set_covers F h = true) by (apply set_covers_in; eauto). congruence.
Qed.

Lemma trim_set : forall F G, (forall R, In R F -> legal R) -> admitted L (F ++ G) ->
  exists F', (forall Q, In Q F' -> trimmed Q) /\ admitted L (F' ++ G) /\ set_cost L (F' ++ G) <= set_cost L (F ++ G).
Proof.
  induction F as [|R F IH]; intros G HL HA.
  - exists []. split; [intros Q []|]. split; [assumption|lia].
  - cbn [app] in *. destruct (covers_positiveb R) eqn:E.
    + apply covers_positive_iff in E.
      assert (HF : hard_free L R) by (eapply hard_free_in; [eassumption|now left]).
      destruct (exchange R (HL R (or_introl eq_refl)) E) as (R1 & I1 & D1).
      assert (HF1 : hard_free L R1).
      { intros h Hh. destruct (covers_mask R1 h) eqn:C; [|reflexivity]. destruct D1 as (_ & _ & D & _).
        now rewrite <- (HF h Hh), (D h Hh C). }
      assert (HP1 : covers_positive L R1).
      { destruct E as (g & i & Hg & Hi & C). exists g, i. destruct D1 as (D & _). repeat split; auto. eapply D; eauto. }
      destruct (trim (length R1) R1 (le_n _) I1 HF1 HP1) as (Q & TQ & SQ).
      destruct (swap_trans _ _ _ (swap_dominates _ _ D1) SQ (F ++ G) HA) as [A1 C1].
      destruct (perm_cost (Q :: F ++ G) (F ++ Q :: G)) as [E2 A2]; [apply Permutation_middle|].
      destruct (IH (Q :: G)) as (F' & T' & A' & C'); [intros; apply HL; now right|auto|].
      destruct (perm_cost (F' ++ Q :: G) (Q :: F' ++ G)) as [E3 A3]; [apply Permutation_sym, Permutation_middle|].
      exists (Q :: F'). split; [intros X [<-|HX]; auto|]. cbn [app]. split; [auto|lia].
    + destruct (swap_useless R (F ++ G) E HA) as [A1 C1].
      destruct (IH G) as (F' & T' & A' & C'); [intros; apply HL; now right|assumption|].
      exists F'. split; [assumption|]. split; [assumption|lia].
Qed.

Lemma trimmed_target Q : trimmed Q -> - slack < value_of L Q -> target_rule L slack feature_of Q.
Proof.
  intros (I & HF & HP & HN) V. split; [apply I|assumption|assumption| |assumption].
  intros l Hl. destruct (hard_freeb (without l Q)) eqn:E; [right|left; now apply alone_hard].
  split; [auto|]. pose proof (value_without l Q (inner_nodup Q I) Hl).
  assert (value_of L (without l Q) <= 0); [|lia].
  apply no_overpaid; [now apply inner_without|now apply hard_free_iff].
Qed.

Lemma as_found : forall F, (forall Q, In Q F -> reached found Q) ->
  exists F', incl F' found /\ Forall2 (fun R Q => incl R Q /\ incl Q R /\ length R = length Q) F' F.
Proof.
  induction F as [|Q F IH]; intros H.
  - exists []. split; [intros x []|constructor].
  - destruct IH as (F' & I & A); [intros; apply H; now right|].
    destruct (H Q (or_introl eq_refl)) as (R & HR & B). exists (R :: F'). split; [|now constructor].
    intros x [<-|Hx]; auto.
Qed.

Lemma alike_cost F F' : Forall2 (fun R Q => incl R Q /\ incl Q R /\ length R = length Q) F' F ->
  set_cost L F' = set_cost L F /\ (admitted L F -> admitted L F').
Proof.
  intros H.
  assert (E : forall m, set_covers F' m = set_covers F m).
  { intros m. induction H as [|R Q F' F (A & B & _) H IH]; [reflexivity|]. cbn [set_covers existsb].
    unfold set_covers in IH. rewrite IH. now rewrite (covers_ext R Q). }
  split.
  - unfold set_cost. f_equal; [f_equal|].
    + apply over_eq. intros. unfold missed. now rewrite E.
    + f_equal. apply sum_eq. intros. unfold weight_where. apply sum_eq. intros. now rewrite E.
    + clear E. induction H as [|R Q F' F (A & B & C) H IH]; [reflexivity|]. rewrite !sum_cons, IH. unfold rule_price.
      now rewrite C.
  - intros [A1 A2]. split; intros; rewrite E; eauto.
Qed.

Theorem leaf_sound F : (forall R, In R F -> legal R) -> admitted L F -> limit < set_cost L F.
Proof.
  intros HL HA. destruct (trim_set F [] HL) as (F' & T & A & C); [now rewrite app_nil_r|].
  rewrite !app_nil_r in *. destruct (Z.lt_ge_cases limit (set_cost L F')) as [|Low]; [lia|]. exfalso.
  assert (V : forall Q, In Q F' -> value_of L Q <= 0).
  { intros Q HQ. destruct (T Q HQ) as (I & HF & _). now apply no_overpaid. }
  destruct (weak_duality L S F' V A) as [W1 W2].
  destruct (as_found F') as (F2 & I2 & A2).
  { intros Q HQ. destruct (T Q HQ) as (I & _). apply found_all; [assumption|]. apply trimmed_target; [auto|].
    specialize (W2 Q HQ). lia. }
  destruct (alike_cost F' F2 A2) as [E A3].
  assert (total_price L <= limit) by lia.
  specialize (chosen H F2 I2 (A3 A)). lia.
Qed.
End Exchange.
