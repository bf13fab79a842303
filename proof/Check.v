(** * The checker and its theorem (checker.py, [check])

    [explain] is the program: it merges the rows, counts the cost of the rules, and goes through
    the proof of each class.  [check_is_trustworthy] is the statement of [Statement.v] for it. *)

From Coq Require Import String ZArith QArith List Lia Bool.
From Laconic Require Import Statement Sums Duality Search Choice Certificate Splits Table Objectives.
Import ListNotations.
Local Open Scope Z_scope.
Local Open Scope list_scope.

Inductive answer := Proved (c bound : Z) | Refused (why : string).

(** ** The objective in integers *)

Record plan := Plan { hard : bool; each : bool; by_row : bool; error_price : Z; literal_price : Z; price_of_a_rule : Z }.

Definition reduces (g : objective) : bool := match g with Sparse _ | PerRow _ => false | _ => true end.

(** The rows that count, and the merged table that stands for them. *)
Definition relevant_rows (t : table) : list row := if reduces (goal t) then kept_rows t else rows t.
Definition relevant (t : table) (m : list entry_t) : list entry_t :=
  if reduces (goal t) then map (reduce (n_classes t)) m else m.

Definition plan_of (t : table) (m : list entry_t) : plan :=
  let weight := sum (all (n_classes t)) m in
  match goal t with
  | Perfect => Plan true false false 0 1 1
  | MinRules => Plan true false false 0 0 1
  | MinRulesThenLiterals => Plan true false false 0 1 (Z.of_nat (length m) * Z.of_nat (length (features t)) + 1)
  | Sparse l => let p := ceiling (l * inject_Z weight) in Plan false false false 1 p p
  | PerRow l => let p := ceiling (l * inject_Z weight) in Plan false false true 1 p p
  | EveryClass l => let (p, q) := lowest_terms l weight in Plan false true false q p p
  end.

Definition sensible (p : plan) : bool :=
  (0 <=? error_price p) && (0 <=? literal_price p) && (0 <=? price_of_a_rule p).

Definition classes_of (t : table) (m : list entry_t) : list nat :=
  filter (fun c => 0 <? sum (own (n_classes t) c) m) (all_classes t).

Definition has_rule (F : list rule) (c : nat) : bool := existsb (fun R => Nat.eqb (target R) c) F.

Definition rules_cost (t : table) (m : list entry_t) (p : plan) (D : decision_set) : option Z :=
  let errors := sum (entry_errors (n_classes t) (otherwise D) (by_row p) (bodies t (rules D))) m in
  let size := literal_price p * n_literals D + price_of_a_rule p * n_rules D in
  if hard p then if errors =? 0 then Some size else None
  else if each p && negb (forallb (has_rule (rules D)) (classes_of t m)) then None
  else Some (error_price p * errors + size).

(** ** The parts of the check *)

Fixpoint distinct_nats (l : list nat) : bool :=
  match l with [] => true | x :: l => negb (existsb (Nat.eqb x) l) && distinct_nats l end.
Definition rule_overb (t : table) (R : rule) : bool :=
  Nat.ltb (target R) (n_classes t)
  && forallb (fun code => match literal_of t code with Some _ => true | None => false end) (body R)
  && distinct_nats (map fst (body R)).

Fixpoint same_nats (a b : list nat) : bool :=
  match a, b with
  | [], [] => true
  | x :: a, y :: b => Nat.eqb x y && same_nats a b
  | _, _ => false
  end.

Definition share_of (p : plan) (n : nat) : Z := if by_row p && Nat.ltb 1 n then 2 * (Z.of_nat n - 1) else 1.
Definition own_factor (p : plan) (n : nat) : Z := if by_row p && Nat.ltb 1 n then Z.of_nat n - 1 else 1.

(** The problem of a class, and what every set pays in it besides. *)
Definition problem_of (t : table) (m : list entry_t) (p : plan) (n_used : nat) (c : nat) : class_problem * Z :=
  let n := n_classes t in
  let share := share_of p n_used in
  let rp := price_of_a_rule p * share in
  let lp := literal_price p * share in
  if hard p then (hard_problem n m c rp lp, 0)
  else
    let own_price := error_price p * own_factor p n_used in
    let P := soft_problem n m c own_price (error_price p) rp lp in
    (if each p then with_some (-1) P else P, constant n m c own_price (error_price p)).

Fixpoint refuse_all (t : table) (m : list entry_t) (p : plan) (n_used : nat) (keys lits : list Z)
    (ps : list class_proof) : option string :=
  match ps with
  | [] => None
  | x :: ps =>
      let (P, paid) := problem_of t m p n_used (proof_class x) in
      match refuse lits feature_of keys P (proof_bound x - paid) (proof_tree x) with
      | Some why => Some why
      | None => refuse_all t m p n_used keys lits ps
      end
  end.

Definition ceil_div (a b : Z) : Z := - ((- a) / b).

(** An OTHERWISE line goes with objectives that count errors per class and ask for no rule of each
    class; the class that it gives has no other rule.  The last two conditions only keep the two
    checkers alike. *)
Definition line_fits (t : table) (m : list entry_t) (p : plan) (D : decision_set) : bool :=
  match otherwise D with
  | None => negb (asks_otherwise t)
  | Some d => asks_otherwise t && negb (by_row p) && negb (each p) && Nat.ltb d (n_classes t)
              && existsb (Nat.eqb d) (classes_of t m) && negb (has_rule (rules D) d)
  end.

(** Any class may be the one that OTHERWISE gives, and needs no rules then. *)
Definition largest (l : list Z) : Z := fold_right Z.max 0 l.
Definition whole_bound (t : table) (p : plan) (n_used : nat) (bounds : list Z) : Z :=
  if asks_otherwise t then sum (fun b => b) bounds - largest bounds + price_of_a_rule p
  else ceil_div (sum (fun b => b) bounds) (share_of p n_used).

Definition explain (C : certificate) (t : table) : answer :=
  match merge_table t with
  | None => Refused "a row has no weight, or a class that there is not"
  | Some m0 =>
      let m := relevant t m0 in
      let p := plan_of t m in
      if negb (sensible p) then Refused "the regularization is negative"
      else if negb (forallb (rule_overb t) (rules (found C)))
      then Refused "a rule has a class or a literal that there is not, or two literals of one feature"
      else if negb (line_fits t m p (found C))
      then Refused "its OTHERWISE line does not go with its objective, its rules or the table"
      else
        match rules_cost t m p (found C) with
        | None => Refused "its rules make errors that they must not make, or a class has no rule"
        | Some c =>
            let cs := classes_of t m in
            if negb (c =? claimed_cost C) then Refused "its rules do not cost what it says"
            else if negb (same_nats (map proof_class (proofs C)) cs)
            then Refused "there is not one proof for each class that has rows"
            else
              match refuse_all t m p (length cs) (map fst m) (literal_places t) (proofs C) with
              | Some why => Refused why
              | None =>
                  let b := Z.min c (whole_bound t p (length cs) (map proof_bound (proofs C))) in
                  if b =? claimed_bound C then Proved c b
                  else Refused "the bounds of the classes do not make the bound that it says"
              end
        end
  end.

Definition check (C : certificate) (t : table) : option (Z * Z) :=
  match explain C t with Proved c b => Some (c, b) | Refused _ => None end.

(** ** What the parts mean *)

Lemma distinct_nats_ok l : distinct_nats l = true -> NoDup l.
Proof.
  induction l as [|x l IH]; cbn [distinct_nats]; intros H; [constructor|]. apply andb_true_iff in H. destruct H as [H1 H2].
  constructor; [|auto]. intros I. apply negb_true_iff in H1. rewrite <- Bool.not_true_iff_false in H1. apply H1.
  apply existsb_exists. exists x. split; [assumption|apply Nat.eqb_refl].
Qed.

Lemma rule_overb_ok t R : rule_overb t R = true -> rule_over t R.
Proof.
  unfold rule_overb, rule_over. rewrite !andb_true_iff. intros ((A & B) & C). apply Nat.ltb_lt in A.
  rewrite forallb_forall in B. split; [assumption|]. split; [|now apply distinct_nats_ok].
  intros code Hc. specialize (B code Hc). destruct (literal_of t code); congruence.
Qed.

Lemma same_nats_ok a : forall b, same_nats a b = true -> a = b.
Proof.
  induction a as [|x a IH]; intros [|y b] H; cbn in H; try discriminate; [reflexivity|].
  apply andb_true_iff in H. destruct H as [H1 H2]. apply Nat.eqb_eq in H1. f_equal; auto.
Qed.

Section Check.
Variable t : table.
Variable m0 : list entry_t.
Hypothesis M : merged t m0.
Notation n := (n_classes t).
Notation m := (relevant t m0).
Notation rs := (relevant_rows t).
Notation p := (plan_of t m).
Notation cs := (classes_of t m).

Lemma relevant_represents : represents t rs m.
Proof.
  unfold relevant_rows, relevant. destruct (reduces (goal t)); [now apply reduced_represents|apply (stands_for t m0 M)].
Qed.

Lemma relevant_in r : In r rs -> In r (rows t).
Proof. unfold relevant_rows, kept_rows. destruct (reduces (goal t)); [rewrite filter_In; tauto|auto]. Qed.

Lemma relevant_keys : NoDup (map fst m).
Proof.
  unfold relevant. destruct (reduces (goal t)); [|apply (one_per_key t m0 M)].
  rewrite map_map. apply (one_per_key t m0 M).
Qed.

Lemma total_weight_relevant : total_weight rs = sum (all n) m.
Proof.
  unfold total_weight. transitivity (sum (fun r => weight r * 1) rs); [apply sum_eq; intros; lia|].
  apply (relevant_represents (fun _ _ => 1)).
Qed.

Lemma class_weight c : sum (fun r => weight r * (if Nat.eqb (label r) c then 1 else 0)) rs = sum (own n c) m.
Proof. apply (relevant_represents (fun _ l => if Nat.eqb l c then 1 else 0)). Qed.

Lemma row_class r : In r rs -> In (label r) cs.
Proof.
  intros Hr. unfold classes_of, all_classes. apply filter_In. split.
  - apply in_seq. pose proof (labels_known t m0 M r (relevant_in r Hr)). lia.
  - apply Z.ltb_lt. rewrite <- class_weight.
    assert (W : forall s, In s rs -> 0 < weight s) by (intros s Hs; apply (weights_positive t m0 M), relevant_in, Hs).
    pose proof (sum_in (fun s => weight s * (if Nat.eqb (label s) (label r) then 1 else 0)) rs r) as H.
    cbn beta in H. rewrite Nat.eqb_refl in H. specialize (W r Hr) as Wr.
    enough (weight r * 1 <= sum (fun s => weight s * (if Nat.eqb (label s) (label r) then 1 else 0)) rs) by lia.
    apply H; [|assumption]. intros s Hs. specialize (W s Hs). destruct (Nat.eqb (label s) (label r)); lia.
Qed.

Lemma class_row c : In c cs -> exists r, In r rs /\ label r = c.
Proof.
  unfold classes_of. rewrite filter_In. intros [_ H]. apply Z.ltb_lt in H. rewrite <- class_weight in H.
  apply sum_pos_in in H. destruct H as (r & Hr & H). exists r. split; [assumption|].
  destruct (Nat.eqb (label r) c) eqn:E; [now apply Nat.eqb_eq|lia].
Qed.

Lemma cs_nodup : NoDup cs.
Proof. apply NoDup_filter, seq_NoDup. Qed.

Lemma cs_small c : In c cs -> (c < n)%nat.
Proof. unfold classes_of, all_classes. rewrite filter_In, in_seq. lia. Qed.

(** The fast count of the cost is that of [Statement.v]. *)
Theorem rules_cost_ok D : decision_set_over t D -> rules_cost t m p D = cost t D.
Proof.
  intros HF. pose proof relevant_represents as R. pose proof total_weight_relevant as TW.
  assert (EC : sum (entry_errors n (otherwise D) false (bodies t (rules D))) m = errors_per_class t D rs) by (apply (errors_merged t rs m D false); assumption).
  assert (ER : sum (entry_errors n (otherwise D) true (bodies t (rules D))) m = errors_per_row t D rs) by (apply (errors_merged t rs m D true); assumption).
  assert (EH : forallb (has_rule (rules D)) cs = forallb (fun r => existsb (fun R => Nat.eqb (target R) (label r)) (rules D)) rs).
  { apply eq_true_iff_eq. rewrite !forallb_forall. split.
    - intros H r Hr. apply (H (label r)). now apply row_class.
    - intros H c Hc. destruct (class_row c Hc) as (r & Hr & <-). now apply H. }
  assert (EM : length m = length m0) by (unfold relevant; destruct (reduces (goal t)); [apply map_length|reflexivity]).
  unfold rules_cost, plan_of, cost. unfold relevant_rows, reduces in *. rewrite <- TW.
  destruct (goal t); cbn [hard each by_row error_price literal_price price_of_a_rule]; rewrite ?EC, ?ER.
  - reflexivity.
  - reflexivity.
  - rewrite EM, (kinds_merged t m0 M). reflexivity.
  - cbn [andb]. f_equal. lia.
  - destruct (lowest_terms lambda (total_weight (kept_rows t))) as [a b].
    cbn [hard each by_row error_price literal_price price_of_a_rule]. rewrite EC, EH.
    destruct (forallb _ (kept_rows t)); cbn [andb negb]; [f_equal; lia|reflexivity].
  - cbn [andb]. f_equal. lia.
Qed.

(** ** Every decision set costs at least what its classes cost *)

Lemma cost_parts D k : decision_set_over t D -> cost t D = Some k ->
  let errors := if by_row p then errors_per_row t D rs else errors_per_class t D rs in
  k = error_price p * errors + (literal_price p * n_literals D + price_of_a_rule p * n_rules D)
  /\ (hard p = true -> errors_per_class t D rs = 0)
  /\ (each p = true -> forall c, In c cs -> has_rule (rules D) c = true).
Proof.
  intros HF HC. rewrite <- rules_cost_ok in HC by assumption. unfold rules_cost in HC.
  rewrite (errors_merged t rs m D (by_row p) relevant_represents HF) in HC.
  assert (NH : hard p = true -> by_row p = false /\ each p = false /\ error_price p = 0).
  { unfold plan_of. destruct (goal t); cbn; auto; try discriminate. }
  cbv zeta. destruct (hard p) eqn:EH.
  - destruct (NH eq_refl) as (B & E & P). rewrite B, E, P in *. destruct (errors_per_class t D rs =? 0) eqn:Z0; [|discriminate].
    apply Z.eqb_eq in Z0. inversion HC. split; [lia|]. split; [auto|discriminate].
  - destruct (each p && negb (forallb (has_rule (rules D)) cs)) eqn:EE; [discriminate|]. inversion HC. split; [reflexivity|].
    split; [discriminate|]. intros E. rewrite E in EE. cbn [andb] in EE. apply negb_false_iff in EE.
    now rewrite forallb_forall in EE.
Qed.

Definition line_price (D : decision_set) : Z := if otherwise D then price_of_a_rule p else 0.

Lemma sizes D : sum (fun b : nat * body_t => price_of_a_rule p + literal_price p * Z.of_nat (length (snd b))) (bodies t (rules D))
  + line_price D
  = literal_price p * n_literals D + price_of_a_rule p * n_rules D.
Proof.
  unfold bodies, n_literals, n_rules, line_price. rewrite sum_map. cbn [snd].
  set (x := match otherwise D with Some _ => 1 | None => 0 end).
  replace (if otherwise D then price_of_a_rule p else 0) with (price_of_a_rule p * x) by (subst x; destruct (otherwise D); lia).
  induction (rules D) as [|R F IH]; [cbn; lia|].
  rewrite !sum_cons. unfold places at 1. rewrite map_length. cbn [length]. lia.
Qed.

Lemma no_faults D : decision_set_over t D -> errors_per_class t D rs = 0 ->
  forall e l, In e m -> (l < n)%nat -> 0 < own n l e -> faults_at n (otherwise D) (bodies t (rules D)) (fst e) l = 0.
Proof.
  intros HF H0 e l He Hl Ho.
  (* a row of this entry and class *)
  assert (P : 0 < sum (fun r => weight r * (if key t r =? fst e then if Nat.eqb (label r) l then 1 else 0 else 0)) rs).
  { rewrite (relevant_represents (fun k c => if k =? fst e then if Nat.eqb c l then 1 else 0 else 0)).
    rewrite (sum_eq _ (fun e' => if fst e' =? fst e then own n l e' else 0)).
    - assert (S1 : forall m1, NoDup (map fst m1) -> In e m1 -> sum (fun e' => if fst e' =? fst e then own n l e' else 0) m1 = own n l e).
      { clear. induction m1 as [|a l1 IH]; intros N I; [contradiction|]. cbn [map] in N. inversion N; subst. rewrite sum_cons.
        destruct I as [->|I].
        - rewrite Z.eqb_refl. rewrite (sum_eq _ (fun _ => 0)); [rewrite sum_zero; lia|]. intros y Hy.
          destruct (fst y =? fst e) eqn:E; [|reflexivity]. apply Z.eqb_eq in E. exfalso. apply H1. rewrite <- E. now apply in_map.
        - rewrite IH by assumption. destruct (fst a =? fst e) eqn:E; [|lia]. apply Z.eqb_eq in E. exfalso. apply H1.
          rewrite E. now apply in_map. }
      rewrite S1; [assumption|apply relevant_keys|assumption].
    - intros e' _. apply (ev_at_key t (fun _ c => if Nat.eqb c l then 1 else 0)). }
  apply sum_pos_in in P. destruct P as (r & Hr & P).
  destruct (key t r =? fst e) eqn:E1; [|lia]. destruct (Nat.eqb (label r) l) eqn:E2; [|lia].
  apply Z.eqb_eq in E1. apply Nat.eqb_eq in E2. rewrite <- E1, <- E2, <- faults_key by assumption.
  assert (N : forall s, In s rs -> 0 <= weight s * faults t D s).
  { intros s Hs. pose proof (weights_positive t m0 M s (relevant_in s Hs)). rewrite faults_key by assumption.
    pose proof (faults_at_nonneg n (otherwise D) (bodies t (rules D)) (key t s) (label s)). nia. }
  pose proof (sum_in (fun s => weight s * faults t D s) rs r N Hr) as Q. cbn beta in Q. unfold errors_per_class in H0.
  pose proof (weights_positive t m0 M r (relevant_in r Hr)). specialize (N r Hr).
  rewrite faults_key in * by assumption. pose proof (faults_at_nonneg n (otherwise D) (bodies t (rules D)) (key t r) (label r)). nia.
Qed.

Notation share := (share_of p (length cs)).
Notation own_price := (error_price p * own_factor p (length cs)).

(** The classes that need rules: all but the one that OTHERWISE gives. *)
Definition ruled (D : decision_set) : list nat := filter (fun c => negb (given (otherwise D) c)) cs.

Lemma ruled_nodup D : NoDup (ruled D).
Proof. apply NoDup_filter, cs_nodup. Qed.
Lemma ruled_in D c : In c (ruled D) -> In c cs /\ given (otherwise D) c = false.
Proof. unfold ruled. rewrite filter_In, negb_true_iff. tauto. Qed.
Lemma ruled_all D : otherwise D = None -> ruled D = cs.
Proof.
  unfold ruled. intros ->. cbn [given negb]. induction cs as [|c l IH]; [reflexivity|]. cbn [filter]. now rewrite IH.
Qed.

(** What class [c] pays of the cost of a decision set. *)
Definition class_pays (D : decision_set) (c : nat) : Z :=
  (if hard p then 0 else sum (ev n (cost_at c own_price (error_price p) (bodies t (rules D)))) m)
  + sum (fun R : body_t => price_of_a_rule p * share + literal_price p * share * Z.of_nat (length R)) (of_class (bodies t (rules D)) c).

Lemma share_pos : 0 < share.
Proof.
  unfold share_of. destruct (by_row p); cbn [andb]; [|lia]. destruct (Nat.ltb 1 (length cs)) eqn:E; [|lia].
  apply Nat.ltb_lt in E. lia.
Qed.

Theorem classes_lower_bound D k : sensible p = true -> (otherwise D <> None -> by_row p = false) ->
  decision_set_over t D -> cost t D = Some k ->
  sum (class_pays D) (ruled D) + line_price D <= share * k.
Proof.
  intros HS HO HF HC. destruct (cost_parts D k HF HC) as (-> & _ & _).
  unfold sensible in HS. rewrite !andb_true_iff, !Z.leb_le in HS. destruct HS as ((HE & HL) & HR). pose proof share_pos as SP.
  assert (SZ : sum (fun c => sum (fun R : body_t => price_of_a_rule p * share + literal_price p * share * Z.of_nat (length R))
                                 (of_class (bodies t (rules D)) c)) (ruled D) + line_price D
               <= share * (literal_price p * n_literals D + price_of_a_rule p * n_rules D)).
  { assert (LP : 0 <= line_price D) by (unfold line_price; destruct (otherwise D); lia).
    rewrite <- sizes, Z.mul_add_distr_l. apply Z.add_le_mono; [|nia].
    etransitivity; [apply (prices_together (bodies t (rules D)) (ruled D) (ruled_nodup D)); nia|]. rewrite <- sum_scale.
    apply Z.eq_le_incl, sum_eq. intros b _. lia. }
  assert (ER : sum (fun c => if hard p then 0 else sum (ev n (cost_at c own_price (error_price p) (bodies t (rules D)))) m) (ruled D)
               <= share * (error_price p * (if by_row p then errors_per_row t D rs else errors_per_class t D rs))).
  { assert (EN : 0 <= errors_per_row t D rs /\ 0 <= errors_per_class t D rs).
    { split; apply sum_nonneg; intros r Hr; pose proof (weights_positive t m0 M r (relevant_in r Hr));
        rewrite faults_key by assumption; pose proof (faults_at_nonneg n (otherwise D) (bodies t (rules D)) (key t r) (label r)); nia. }
    destruct (hard p); [rewrite sum_zero; destruct (by_row p); nia|].
    rewrite (sum_eq _ (fun c => sum (fun r => weight r * cost_at c own_price (error_price p) (bodies t (rules D)) (key t r) (label r)) rs))
      by (intros; symmetry; apply (relevant_represents (cost_at _ _ _ _))).
    rewrite sum_swap.
    rewrite (sum_eq _ (fun r => weight r * sum (fun c => cost_at c own_price (error_price p) (bodies t (rules D)) (key t r) (label r)) (ruled D)))
      by (intros; apply sum_scale).
    unfold share_of, own_factor, errors_per_row, errors_per_class. destruct (by_row p) eqn:BR; cbn [andb].
    - (* per row: the price of an error is 1 *)
      assert (EP : error_price p = 1).
      { revert BR. unfold plan_of. destruct (goal t); cbn; try discriminate. reflexivity. }
      destruct (otherwise D) as [d|] eqn:EO; [exfalso; specialize (HO ltac:(discriminate)); congruence|].
      rewrite (ruled_all D EO).
      rewrite EP, !Z.mul_1_l. rewrite <- sum_scale. apply sum_le. intros r Hr.
      pose proof (weights_positive t m0 M r (relevant_in r Hr)) as W. rewrite (faults_key t D r HF), EO.
      pose proof (row_class r Hr) as HC'.
      set (a := if Nat.ltb 1 (length cs) then Z.of_nat (length cs) - 1 else 1).
      assert (L1 : (1 <= length cs)%nat) by (destruct cs; [contradiction|cbn; lia]).
      pose proof (per_row_at n (bodies t (rules D)) cs cs_nodup cs_small a (key t r) (label r)) as Q.
      assert (A0 : 0 <= a) by (unfold a; destruct (Nat.ltb 1 (length cs)); lia). specialize (Q A0 HC').
      set (f := Z.min 1 (faults_at n None (bodies t (rules D)) (key t r) (label r))) in *.
      assert (SA : a + Z.of_nat (length cs) - 1 = if Nat.ltb 1 (length cs) then 2 * (Z.of_nat (length cs) - 1) else 1).
      { unfold a. destruct (Nat.ltb 1 (length cs)) eqn:E; [lia|]. apply Nat.ltb_ge in E. lia. }
      rewrite SA in Q. nia.
    - rewrite Z.mul_1_l, Z.mul_1_r, <- sum_scale. apply sum_le. intros r Hr.
      pose proof (weights_positive t m0 M r (relevant_in r Hr)) as W. rewrite (faults_key t D r HF).
      pose proof (per_class_at n (bodies t (rules D)) (ruled D) (ruled_nodup D)
                    (fun c H => cs_small c (proj1 (ruled_in D c H))) (otherwise D) (error_price p) (key t r) (label r)
                    (fun c H => proj2 (ruled_in D c H)) HE (labels_known t m0 M r (relevant_in r Hr))). nia. }
  unfold class_pays. rewrite sum_plus. lia.
Qed.

(** ** The proofs of the classes *)

Lemma class_bound_sound D k c tree bound P paid : decision_set_over t D -> cost t D = Some k ->
  In c cs -> given (otherwise D) c = false -> problem_of t m p (length cs) c = (P, paid) ->
  refuse (literal_places t) feature_of (map fst m) P (bound - paid) tree = None ->
  bound <= class_pays D c.
Proof.
  intros HF HC Hc HG HP HR. destruct (cost_parts D k HF HC) as (_ & HH & HE).
  assert (LG : forall R, In R (of_class (bodies t (rules D)) c) -> legal (literal_places t) feature_of R).
  { intros R H. unfold of_class in H. apply in_map_iff in H. destruct H as ((c' & R') & <- & H). apply filter_In in H.
    destruct H as [H _]. unfold bodies in H. apply in_map_iff in H. destruct H as (R0 & E & H0). inversion E; subst.
    cbn [snd]. apply places_legal. now apply (proj1 HF). }
  unfold problem_of in HP. unfold class_pays. destruct (hard p) eqn:EH.
  - inversion HP; subst P paid. clear HP.
    rewrite (hard_cost n m c (price_of_a_rule p * share) (literal_price p * share) (bodies t (rules D))).
    pose proof (refuse_sound (literal_places t) feature_of (map fst m) tree _ _ (of_class (bodies t (rules D)) c)
                  (hard_proper n m c (price_of_a_rule p * share) (literal_price p * share)) HR LG) as Q.
    assert (A : class_admitted (hard_problem n m c (price_of_a_rule p * share) (literal_price p * share)) (of_class (bodies t (rules D)) c)).
    { apply (hard_admitted n m c _ _ (otherwise D)); [assumption| |now apply cs_small]. apply no_faults; auto. }
    specialize (Q A). lia.
  - set (P0 := soft_problem n m c own_price (error_price p) (price_of_a_rule p * share) (literal_price p * share)) in *.
    inversion HP as [[EP EC]]. clear HP.
    pose proof (soft_cost n m c own_price (error_price p) (price_of_a_rule p * share) (literal_price p * share) (bodies t (rules D))) as SC.
    fold P0 in SC. rewrite SC.
    pose proof (soft_proper n m c own_price (error_price p) (price_of_a_rule p * share) (literal_price p * share)) as PP.
    fold P0 in PP.
    pose proof (soft_admitted n m c own_price (error_price p) (price_of_a_rule p * share) (literal_price p * share)
                  (of_class (bodies t (rules D)) c)) as PA. fold P0 in PA.
    assert (Q : bound - paid <= class_cost P0 (of_class (bodies t (rules D)) c)); [|lia].
    destruct (each p) eqn:EE; subst P.
    + assert (NE : set_covers (of_class (bodies t (rules D)) c) (-1) = true).
      { specialize (HE eq_refl c Hc). unfold has_rule in HE. apply existsb_exists in HE. destruct HE as (R & HR1 & HR2).
        apply set_covers_in. exists (places (length (features t)) R). split.
        - unfold of_class. apply in_map_iff. exists (target R, places (length (features t)) R). split; [reflexivity|].
          apply filter_In. split; [|assumption]. unfold bodies. apply in_map_iff. exists R. auto.
        - apply covers_in. intros l Hl. apply Z.bits_m1.
          destruct (places_legal t R (proj1 HF R HR1)) as [_ I]. eapply literal_places_nonneg; eauto. }
      destruct (split_sound (-1) P0 (of_class (bodies t (rules D)) c) PA) as [[A E]|[[_ A2] _]].
      * rewrite <- E. eapply refuse_sound; eauto. now apply proper_some.
      * exfalso. assert (set_covers (of_class (bodies t (rules D)) c) (-1) = false); [|congruence].
        apply A2. cbn. now left.
    + eapply refuse_sound; eauto.
Qed.

(** The bounds of the classes that need rules. *)
Lemma refuse_all_sound D k : decision_set_over t D -> cost t D = Some k ->
  forall ps, (forall x, In x ps -> In (proof_class x) cs) ->
  refuse_all t m p (length cs) (map fst m) (literal_places t) ps = None ->
  sum (fun x => if given (otherwise D) (proof_class x) then 0 else proof_bound x) ps
  <= sum (class_pays D) (filter (fun c => negb (given (otherwise D) c)) (map proof_class ps)).
Proof.
  intros HF HC. induction ps as [|x ps IH]; intros Hx HR; [cbn; lia|]. cbn [refuse_all] in HR.
  destruct (problem_of t m p (length cs) (proof_class x)) as [P paid] eqn:EP.
  destruct (refuse (literal_places t) feature_of (map fst m) P (proof_bound x - paid) (proof_tree x)) eqn:ER; [discriminate|].
  specialize (IH (fun y Hy => Hx y (or_intror Hy)) HR). cbn [map filter]. rewrite sum_cons.
  destruct (given (otherwise D) (proof_class x)) eqn:EG; cbn [negb]; [lia|]. rewrite sum_cons.
  pose proof (class_bound_sound D k (proof_class x) _ _ P paid HF HC (Hx x (or_introl eq_refl)) EG EP ER). lia.
Qed.

Lemma largest_in x l : In x l -> x <= largest l.
Proof. induction l as [|y l IH]; [contradiction|]. cbn. intros [->|H]; [lia|]. specialize (IH H). unfold largest in *. lia. Qed.
Lemma largest_nonneg l : 0 <= largest l.
Proof. induction l as [|y l IH]; cbn; [lia|]. unfold largest in *. lia. Qed.

(** Leaving out one class takes away at most the largest bound. *)
Lemma all_but_one o ps : NoDup (map proof_class ps) ->
  sum proof_bound ps - largest (map proof_bound ps)
  <= sum (fun x => if given o (proof_class x) then 0 else proof_bound x) ps.
Proof.
  intros N. pose proof (largest_nonneg (map proof_bound ps)) as L0. destruct o as [d|]; cbn [given].
  2: { change (sum (fun x => proof_bound x) ps) with (sum proof_bound ps). lia. }
  enough (G : sum (fun x => if Nat.eqb d (proof_class x) then proof_bound x else 0) ps <= largest (map proof_bound ps)).
  { rewrite (sum_eq proof_bound (fun x => (if Nat.eqb d (proof_class x) then proof_bound x else 0)
                                 + (if Nat.eqb d (proof_class x) then 0 else proof_bound x)) ps).
    - rewrite sum_plus. lia.
    - intros x _. destruct (Nat.eqb d (proof_class x)); lia. }
  clear L0. induction ps as [|x ps IH]; [cbn; lia|]. cbn [map] in *. inversion N; subst. rewrite sum_cons.
  specialize (IH H2). destruct (Nat.eqb d (proof_class x)) eqn:E.
  - apply Nat.eqb_eq in E. subst d. rewrite (sum_eq _ (fun _ => 0)).
    + rewrite sum_zero. cbn. lia.
    + intros y Hy. destruct (Nat.eqb (proof_class x) (proof_class y)) eqn:E; [|reflexivity]. apply Nat.eqb_eq in E.
      exfalso. apply H1. rewrite E. now apply in_map.
  - cbn. unfold largest in IH. lia.
Qed.
End Check.

(** ** The theorem *)

Theorem check_is_trustworthy : trustworthy found check.
Proof.
  intros C t c bound H. unfold check, explain in H.
  destruct (merge_table t) as [m0|] eqn:EM; [|discriminate]. apply merge_table_ok in EM.
  set (m := relevant t m0) in *. set (p := plan_of t m) in *.
  destruct (sensible p) eqn:ES; cbn [negb] in H; [|discriminate].
  destruct (forallb (rule_overb t) (rules (found C))) eqn:ER; cbn [negb] in H; [|discriminate].
  destruct (line_fits t m p (found C)) eqn:EL; cbn [negb] in H; [|discriminate].
  assert (HF : decision_set_over t (found C)).
  { split.
    - intros R HR. rewrite forallb_forall in ER. apply rule_overb_ok. auto.
    - unfold line_fits in EL. destruct (otherwise (found C)) as [d|].
      + rewrite !andb_true_iff in EL. destruct EL as (((((A & _) & _) & B) & _) & _). apply Nat.ltb_lt in B. auto.
      + now apply negb_true_iff in EL. }
  assert (HL : asks_otherwise t = true -> by_row p = false).
  { intros HA. unfold line_fits in EL. destruct (otherwise (found C)) as [d|].
    - rewrite !andb_true_iff, !negb_true_iff in EL. tauto.
    - rewrite HA in EL. discriminate. }
  destruct (rules_cost t m p (found C)) as [k|] eqn:EC; [|discriminate].
  destruct (k =? claimed_cost C) eqn:EK; cbn [negb] in H; [|discriminate].
  destruct (same_nats (map proof_class (proofs C)) (classes_of t m)) eqn:EN; cbn [negb] in H; [|discriminate].
  apply same_nats_ok in EN.
  destruct (refuse_all t m p _ _ _ (proofs C)) eqn:EA; [discriminate|].
  set (b := Z.min k _) in H. destruct (b =? claimed_bound C); [|discriminate]. inversion H; subst c bound. clear H.
  pose proof (rules_cost_ok t m0 EM (found C) HF) as RC. fold m in RC. fold p in RC. rewrite RC in EC.
  split; [assumption|]. split; [assumption|]. intros D k' HD HC'.
  assert (HB : otherwise D <> None -> by_row p = false).
  { intros O. apply HL. destruct HD as [_ HD]. destruct (otherwise D); [tauto|congruence]. }
  pose proof (classes_lower_bound t m0 EM D k' ES HB HD HC') as LB.
  pose proof (refuse_all_sound t m0 EM D k' HD HC' (proofs C)) as RA.
  assert (IN : forall x, In x (proofs C) -> In (proof_class x) (classes_of t m)).
  { intros x Hx. rewrite <- EN. now apply in_map. }
  specialize (RA IN EA). rewrite EN in RA.
  pose proof (share_pos t m0) as SP. unfold ruled in LB. fold m in SP, LB, RA. fold p in SP, LB, RA.
  set (s := share_of p (length (classes_of t m))) in *.
  assert (W : whole_bound t p (length (classes_of t m)) (map proof_bound (proofs C)) <= k').
  { unfold whole_bound. rewrite sum_map. change (sum (fun x => proof_bound x) (proofs C)) with (sum proof_bound (proofs C)).
    destruct HD as [_ HO]. unfold line_price in LB. destruct (asks_otherwise t) eqn:EA2.
    - destruct (otherwise D) as [d|] eqn:EO; [|discriminate].
      assert (S1 : s = 1) by (unfold s, share_of; rewrite (HL eq_refl); reflexivity).
      assert (N : NoDup (map proof_class (proofs C))) by (rewrite EN; apply (cs_nodup t m0)).
      pose proof (all_but_one (Some d) (proofs C) N) as AB. rewrite S1 in LB. fold m in LB. fold p in LB. lia.
    - destruct (otherwise D) as [d|] eqn:EO; [destruct HO; discriminate|]. cbn [given] in RA, LB.
      change (sum (fun x => proof_bound x) (proofs C)) with (sum proof_bound (proofs C)) in RA. fold s.
      unfold ceil_div. assert (- k' <= (- sum proof_bound (proofs C)) / s); [|lia].
      apply Z.div_le_lower_bound; [assumption|]. lia. }
  unfold b. lia.
Qed.
