(** * From an objective to one problem per class (checker.py, [Task])

    The cost of a decision set is at least the sum of what its rules cost class by class; where
    errors are counted per row, [share] times the cost is.  With an OTHERWISE line it is at least
    the sum over the classes that the line does not give ([o] is the class that it gives). *)

From Coq Require Import ZArith List Lia Bool.
From Laconic Require Import Statement Sums Duality Search Choice Splits Table.
Import ListNotations.
Local Open Scope Z_scope.

Definition bodies (t : table) (F : list rule) : list (nat * body_t) :=
  map (fun R => (target R, places (length (features t)) R)) F.
Definition of_class (B : list (nat * body_t)) (c : nat) : list body_t :=
  map snd (filter (fun b => Nat.eqb (fst b) c) B).
Definition covered (B : list (nat * body_t)) (c : nat) (k : Z) : bool := set_covers (of_class B c) k.

Definition given (o : option nat) (c : nat) : bool := match o with Some d => Nat.eqb d c | None => false end.
Definition faults_at (n : nat) (o : option nat) (B : list (nat * body_t)) (k : Z) (l : nat) : Z :=
  (if covered B l k || given o l then 0 else 1) + count (fun c => negb (Nat.eqb c l) && covered B c k) (seq 0 n).

Lemma claimed_covered t D r c : decision_set_over t D -> claimed t D r c = covered (bodies t (rules D)) c (key t r).
Proof.
  intros [H _]. unfold claimed, covered, of_class, bodies, set_covers. induction (rules D) as [|R F IH]; [reflexivity|].
  cbn [existsb map filter fst]. rewrite IH by (intros x Hx; apply H; now right).
  rewrite (covers_key t R r (H R (or_introl eq_refl))). destruct (Nat.eqb (target R) c); reflexivity.
Qed.

Lemma faults_key t D r : decision_set_over t D ->
  faults t D r = faults_at (n_classes t) (otherwise D) (bodies t (rules D)) (key t r) (label r).
Proof.
  intros H. unfold faults, faults_at, all_classes. rewrite claimed_covered by assumption. f_equal. unfold count.
  apply sum_eq. intros c _. now rewrite claimed_covered.
Qed.

Lemma faults_at_nonneg n o B k l : 0 <= faults_at n o B k l.
Proof.
  unfold faults_at, count. assert (0 <= sum (fun c => if negb (Nat.eqb c l) && covered B c k then 1 else 0) (seq 0 n)).
  { apply sum_nonneg. intros c _. apply indicator. }
  destruct (covered B l k || given o l); lia.
Qed.

(** ** Errors, counted on the merged table *)

Definition entry_errors (n : nat) (o : option nat) (per_row : bool) (B : list (nat * body_t)) (e : entry_t) : Z :=
  let cv := map (fun c => (given o c, if covered B c (fst e) then 1 else 0)) (seq 0 n) in
  let s := sum snd cv in
  dot (snd e) (map (fun v : bool * Z => let f := (if fst v then 0 else 1 - snd v) + s - snd v in
                                        if per_row then Z.min 1 f else f) cv).

Lemma faults_sum n o B k l : (l < n)%nat ->
  faults_at n o B k l = (if given o l then 0 else 1 - (if covered B l k then 1 else 0))
    + sum (fun c => if covered B c k then 1 else 0) (seq 0 n) - (if covered B l k then 1 else 0).
Proof.
  intros H. unfold faults_at, count.
  assert (E : sum (fun c => if negb (Nat.eqb c l) && covered B c k then 1 else 0) (seq 0 n)
            + sum (fun c => if Nat.eqb c l then (if covered B c k then 1 else 0) else 0) (seq 0 n)
            = sum (fun c => if covered B c k then 1 else 0) (seq 0 n)).
  { rewrite <- sum_plus. apply sum_eq. intros c _. destruct (Nat.eqb c l); cbn [negb andb]; [lia|]. destruct (covered B c k); lia. }
  rewrite (sum_one (fun c => if covered B c k then 1 else 0)) in E by (try apply seq_NoDup; apply in_seq; lia).
  destruct (covered B l k), (given o l); cbn [orb]; lia.
Qed.

Lemma entry_errors_ev n o per_row B e : entry_errors n o per_row B e
  = ev n (fun k l => if per_row then Z.min 1 (faults_at n o B k l) else faults_at n o B k l) e.
Proof.
  unfold entry_errors, ev. rewrite map_map. f_equal. apply map_ext_in. intros l Hl. apply in_seq in Hl.
  rewrite faults_sum by lia. rewrite sum_map. cbn [fst snd]. reflexivity.
Qed.

Lemma errors_merged t rs m D per_row : represents t rs m -> decision_set_over t D ->
  sum (entry_errors (n_classes t) (otherwise D) per_row (bodies t (rules D))) m
  = if per_row then errors_per_row t D rs else errors_per_class t D rs.
Proof.
  intros H HF. rewrite (sum_eq _ _ m (fun e _ => entry_errors_ev (n_classes t) (otherwise D) per_row (bodies t (rules D)) e)).
  rewrite <- H. destruct per_row; apply sum_eq; intros r _; now rewrite faults_key.
Qed.

(** ** The problem of one class: [own_price] for a row of the class that is missed, [other_price] for
    a row of another class that is covered *)

Section Class.
Variable n : nat.
Variable m : list entry_t.
Variable c : nat.
Variables own_price other_price rule_price literal_price : Z.

Definition own_side (e : entry_t) : Z := own_price * own n c e.
Definition other_side (e : entry_t) : Z := other_price * (all n e - own n c e).

Definition soft_problem : class_problem :=
  ClassProblem
    (flat_map (fun e => let a := own_side e in let b := other_side e in
                        if b <? a then [(fst e, Some (a - b))] else []) m)
    (flat_map (fun e => let a := own_side e in let b := other_side e in
                        if a <? b then [(fst e, b - a)] else []) m)
    [] rule_price literal_price.
(** What every set pays. *)
Definition constant : Z := sum (fun e => Z.min (own_side e) (other_side e)) m.

Definition hard_problem : class_problem :=
  ClassProblem
    (flat_map (fun e => if 0 <? own n c e then [(fst e, None)] else []) m)
    []
    (flat_map (fun e => if 0 <? own n c e then [] else
                        if existsb (fun d => 0 <? own n d e) (seq 0 n) then [fst e] else []) m)
    rule_price literal_price.

(** What a row of class [l] costs class [c]. *)
Definition cost_at (B : list (nat * body_t)) (k : Z) (l : nat) : Z :=
  if Nat.eqb l c then (if covered B c k then 0 else own_price) else (if covered B c k then other_price else 0).

Lemma soft_proper : proper soft_problem.
Proof.
  split.
  - intros k w H. cbn [soft_problem positives] in H. apply in_flat_map in H. destruct H as (e & _ & H). cbv zeta in H.
    destruct (other_side e <? own_side e) eqn:E; [|contradiction]. destruct H as [H|[]]. inversion H; subst.
    apply Z.ltb_lt in E. lia.
  - intros k w H. cbn [soft_problem negatives] in H. apply in_flat_map in H. destruct H as (e & _ & H). cbv zeta in H.
    destruct (own_side e <? other_side e) eqn:E; [|contradiction]. destruct H as [H|[]]. inversion H; subst.
    apply Z.ltb_lt in E. lia.
Qed.

Lemma hard_proper : proper hard_problem.
Proof.
  split; [|intros k w []]. intros k w H. cbn [hard_problem positives] in H. apply in_flat_map in H.
  destruct H as (e & _ & H). destruct (0 <? own n c e); [|contradiction]. destruct H as [H|[]]; discriminate.
Qed.

Lemma soft_admitted F : class_admitted soft_problem F.
Proof.
  split; [|intros k []]. intros k H. cbn [soft_problem positives] in H. apply in_flat_map in H.
  destruct H as (e & _ & H). cbv zeta in H. destruct (other_side e <? own_side e); [|contradiction].
  destruct H as [H|[]]; discriminate.
Qed.

Lemma soft_cost B :
  sum (ev n (cost_at B)) m + sum (fun R : body_t => rule_price + literal_price * Z.of_nat (length R)) (of_class B c)
  = constant + class_cost soft_problem (of_class B c).
Proof.
  unfold class_cost. cbn [soft_problem positives negatives]. rewrite !sum_flat_map.
  assert (E : sum (ev n (cost_at B)) m = constant
    + sum (fun e => sum (missing_cost (of_class B c)) (if other_side e <? own_side e then [(fst e, Some (own_side e - other_side e))] else [])) m
    + sum (fun e => sum (fun x : Z * Z => if set_covers (of_class B c) (fst x) then snd x else 0)
                        (if own_side e <? other_side e then [(fst e, other_side e - own_side e)] else [])) m).
  { unfold constant. rewrite <- !sum_plus. apply sum_eq. intros e _.
    unfold cost_at. rewrite (ev_two n c (fun k => if covered B c k then 0 else own_price)
                                        (fun k => if covered B c k then other_price else 0) e).
    fold (other_side e). unfold covered.
    destruct (other_side e <? own_side e) eqn:E1; destruct (own_side e <? other_side e) eqn:E2;
      rewrite ?Z.ltb_lt, ?Z.ltb_ge in *; rewrite ?sum_cons; unfold missing_cost; cbn [fst snd sum fold_right];
      destruct (set_covers (of_class B c) (fst e)); unfold own_side, other_side in *; lia. }
  rewrite E. unfold price_of_rule. cbn [per_rule per_literal soft_problem]. lia.
Qed.

Lemma hard_cost B :
  sum (fun R : body_t => rule_price + literal_price * Z.of_nat (length R)) (of_class B c)
  = class_cost hard_problem (of_class B c).
Proof.
  unfold class_cost. cbn [hard_problem positives negatives]. rewrite sum_flat_map.
  rewrite (sum_eq _ (fun _ => 0) m).
  - rewrite sum_zero. unfold price_of_rule. cbn. lia.
  - intros e _. destruct (0 <? own n c e); [|reflexivity]. rewrite sum_cons. unfold missing_cost. cbn.
    destruct (set_covers (of_class B c) (fst e)); lia.
Qed.

Lemma hard_admitted o B : given o c = false ->
  (forall e l, In e m -> (l < n)%nat -> 0 < own n l e -> faults_at n o B (fst e) l = 0) -> (c < n)%nat ->
  class_admitted hard_problem (of_class B c).
Proof.
  intros HO H Hc.
  assert (G : forall e l, In e m -> (l < n)%nat -> 0 < own n l e -> covered B c (fst e) = Nat.eqb c l).
  { intros e l He Hl Ho. specialize (H e l He Hl Ho). unfold faults_at in H.
    assert (N : forall x, In x (seq 0 n) -> 0 <= (fun x => if negb (Nat.eqb x l) && covered B x (fst e) then 1 else 0) x)
      by (intros x _; apply indicator).
    pose proof (sum_nonneg _ (seq 0 n) N) as N0.
    pose proof (sum_in _ (seq 0 n) c N ltac:(apply in_seq; lia)) as N1. cbn beta in N1. unfold count in H.
    destruct (Nat.eqb c l) eqn:E.
    - apply Nat.eqb_eq in E. subst l. rewrite HO, orb_false_r in H. destruct (covered B c (fst e)); [reflexivity|lia].
    - cbn [negb andb] in N1. destruct (covered B c (fst e)); [|reflexivity]. destruct (covered B l (fst e) || given o l); lia. }
  split.
  - intros k Hk. cbn [hard_problem positives] in Hk. apply in_flat_map in Hk. destruct Hk as (e & He & Hk).
    destruct (0 <? own n c e) eqn:E; [|contradiction]. destruct Hk as [Hk|[]]. inversion Hk; subst. apply Z.ltb_lt in E.
    specialize (G e c He Hc E). rewrite Nat.eqb_refl in G. exact G.
  - intros k Hk. cbn [hard_problem must_not] in Hk. apply in_flat_map in Hk. destruct Hk as (e & He & Hk).
    destruct (0 <? own n c e) eqn:E; [contradiction|]. destruct (existsb _ (seq 0 n)) eqn:E2; [|contradiction].
    destruct Hk as [<-|[]]. apply existsb_exists in E2. destruct E2 as (d & Hd & E2). apply in_seq in Hd.
    apply Z.ltb_lt in E2. specialize (G e d He ltac:(lia) E2).
    destruct (Nat.eqb c d) eqn:E3; [|exact G]. apply Nat.eqb_eq in E3. subst d. apply Z.ltb_ge in E. lia.
Qed.
End Class.

(** ** All classes together *)

Section Together.
Variable n : nat.
Variable B : list (nat * body_t).
Variable cs : list nat.
Hypothesis cs_nodup : NoDup cs.
Hypothesis cs_small : forall c, In c cs -> (c < n)%nat.

Lemma prices_together p q : 0 <= p -> 0 <= q ->
  sum (fun c => sum (fun R : body_t => p + q * Z.of_nat (length R)) (of_class B c)) cs
  <= sum (fun b : nat * body_t => p + q * Z.of_nat (length (snd b))) B.
Proof.
  intros Hp Hq. unfold of_class.
  rewrite (sum_eq _ (fun c => sum (fun b : nat * body_t => if Nat.eqb (fst b) c then p + q * Z.of_nat (length (snd b)) else 0) B)).
  - rewrite sum_swap. apply sum_le. intros b _. assert (P : 0 <= p + q * Z.of_nat (length (snd b))) by nia.
    revert P. generalize (p + q * Z.of_nat (length (snd b))) as x. intros x P. clear - cs_nodup P.
    induction cs_nodup as [|c l NI N IH]; [cbn; lia|]. specialize (IH N). rewrite sum_cons. destruct (Nat.eqb (fst b) c) eqn:E; [|lia].
    apply Nat.eqb_eq in E. rewrite (sum_eq _ (fun _ => 0)); [rewrite sum_zero; lia|]. intros d Hd.
    destruct (Nat.eqb (fst b) d) eqn:E2; [|reflexivity]. apply Nat.eqb_eq in E2. congruence.
  - intros c _. rewrite sum_map, sum_filter. reflexivity.
Qed.

Lemma others_at c e k l : cost_at c e e B k l
  = e * ((if Nat.eqb c l then (if covered B c k then 0 else 1) else 0)
         + (if negb (Nat.eqb c l) && covered B c k then 1 else 0)).
Proof.
  unfold cost_at. rewrite (Nat.eqb_sym l c). destruct (Nat.eqb c l), (covered B c k); cbn [negb andb]; lia.
Qed.

Lemma sum_sub (f : nat -> Z) : (forall c, 0 <= f c) -> sum f cs <= sum f (seq 0 n).
Proof.
  intros H. clear B. assert (G : forall l s, NoDup l -> (forall c, In c l -> (s <= c < s + n)%nat) -> sum f l <= sum f (seq s n)).
  { clear - H. induction n as [|k IH]; intros l s N I.
    - destruct l as [|c l]; [cbn; lia|]. specialize (I c (or_introl eq_refl)). lia.
    - cbn [seq]. rewrite sum_cons. destruct (in_dec Nat.eq_dec s l) as [D|D].
      + apply in_split in D. destruct D as (a & b & ->). rewrite sum_app, sum_cons. apply NoDup_remove in N.
        destruct N as [N NI]. specialize (IH (a ++ b) (S s) N). rewrite sum_app in IH.
        assert (sum f a + sum f b <= sum f (seq (S s) k)); [|lia]. apply IH. intros c Hc.
        assert (c <> s) by (intros ->; contradiction).
        assert (In c (a ++ s :: b)) by (rewrite in_app_iff in *; cbn; tauto). specialize (I c H1). lia.
      + specialize (IH l (S s) N). specialize (H s). assert (sum f l <= sum f (seq (S s) k)); [|lia]. apply IH.
        intros c Hc. assert (c <> s) by (intros ->; contradiction). specialize (I c Hc). lia. }
  apply (G cs 0%nat cs_nodup). intros c Hc. specialize (cs_small c Hc). lia.
Qed.

(** Faults are at least the faults that the classes count. *)
Lemma per_class_at o e k l : (forall c, In c cs -> given o c = false) -> 0 <= e -> (l < n)%nat ->
  sum (fun c => cost_at c e e B k l) cs <= e * faults_at n o B k l.
Proof.
  intros Ho He Hl.
  set (f := fun c => e * ((if Nat.eqb c l then (if covered B c k || given o c then 0 else 1) else 0)
                          + (if negb (Nat.eqb c l) && covered B c k then 1 else 0))).
  rewrite (sum_eq _ f cs).
  2: { intros c Hc. rewrite others_at. unfold f. rewrite (Ho c Hc), orb_false_r. reflexivity. }
  etransitivity; [apply (sum_sub f)|].
  - intros c. unfold f. destruct (Nat.eqb c l), (covered B c k), (given o c); cbn [negb andb orb]; lia.
  - unfold f. rewrite sum_scale, sum_plus.
    rewrite (sum_one (fun c => if covered B c k || given o c then 0 else 1) l) by (try apply seq_NoDup; apply in_seq; lia).
    unfold faults_at, count. lia.
Qed.

(** Per row: a row with a fault counts [own + (number of other classes)] at most, over all classes. *)
Lemma per_row_at a k l : 0 <= a -> In l cs ->
  sum (fun c => cost_at c a 1 B k l) cs <= (a + Z.of_nat (length cs) - 1) * Z.min 1 (faults_at n None B k l).
Proof.
  intros Ha Hl. pose proof (cs_small l Hl) as Hln.
  assert (E : sum (fun c => cost_at c a 1 B k l) cs
    = (if covered B l k then 0 else a) + sum (fun c => if negb (Nat.eqb c l) && covered B c k then 1 else 0) cs).
  { rewrite <- (sum_one (fun c => if covered B c k then 0 else a) l cs cs_nodup Hl) at 1.
    rewrite <- sum_plus. apply sum_eq. intros c _. unfold cost_at. rewrite (Nat.eqb_sym l c).
    destruct (Nat.eqb c l), (covered B c k); cbn [negb andb]; lia. }
  rewrite E. clear E. set (b := sum (fun c => if negb (Nat.eqb c l) && covered B c k then 1 else 0) cs).
  assert (B0 : 0 <= b) by (apply sum_nonneg; intros c _; apply indicator).
  assert (B1 : b <= Z.of_nat (length cs) - 1).
  { assert (b + sum (fun c => if Nat.eqb c l then 1 else 0) cs <= sum (fun _ => 1) cs).
    { unfold b. rewrite <- sum_plus. apply sum_le. intros c _. destruct (Nat.eqb c l), (covered B c k); cbn [negb andb]; lia. }
    rewrite (sum_one (fun _ => 1) l cs cs_nodup Hl) in H.
    assert (sum (fun _ : nat => 1) cs = Z.of_nat (length cs)); [|lia]. clear. induction cs; [reflexivity|].
    rewrite sum_cons, IHl. cbn [length]. lia. }
  assert (B2 : b <= count (fun c => negb (Nat.eqb c l) && covered B c k) (seq 0 n)).
  { apply (sum_sub (fun c => if negb (Nat.eqb c l) && covered B c k then 1 else 0)). intros c. apply indicator. }
  unfold faults_at. cbn [given]. rewrite orb_false_r. set (s := count _ (seq 0 n)) in *. destruct (covered B l k).
  - destruct (Z.le_gt_cases 1 s); [rewrite Z.min_l by lia; nia|]. rewrite Z.min_r by lia. nia.
  - rewrite Z.min_l by lia. nia.
Qed.
End Together.
