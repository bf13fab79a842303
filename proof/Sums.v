(** * Sums over lists, and products of a row of blame with a row of weights

    Small facts without a meaning of their own; everything else is built on them. *)

From Coq Require Import ZArith List Lia Permutation Bool.
From Laconic Require Import Statement.
Import ListNotations.
Local Open Scope Z_scope.

Lemma sum_cons {A} (f : A -> Z) x l : sum f (x :: l) = f x + sum f l.
Proof. reflexivity. Qed.

Lemma sum_app {A} (f : A -> Z) l m : sum f (l ++ m) = sum f l + sum f m.
Proof. induction l; simpl; rewrite ?IHl; lia. Qed.

Lemma sum_le {A} (f g : A -> Z) l : (forall x, In x l -> f x <= g x) -> sum f l <= sum g l.
Proof.
  induction l; simpl; intros H; [lia|].
  specialize (H a (or_introl eq_refl)) as H1.
  assert (sum f l <= sum g l) by (apply IHl; intros; apply H; now right). unfold sum in *. lia.
Qed.

Lemma sum_eq {A} (f g : A -> Z) l : (forall x, In x l -> f x = g x) -> sum f l = sum g l.
Proof.
  intros H. apply Z.le_antisymm; apply sum_le; intros x Hx; rewrite (H x Hx); lia.
Qed.

Lemma sum_nonneg {A} (f : A -> Z) l : (forall x, In x l -> 0 <= f x) -> 0 <= sum f l.
Proof.
  intros H. assert (E : sum (fun _ => 0) l <= sum f l) by now apply sum_le.
  assert (Z0 : sum (fun _ : A => 0) l = 0) by (clear; induction l; simpl; lia). lia.
Qed.

Lemma sum_plus {A} (f g : A -> Z) l : sum (fun x => f x + g x) l = sum f l + sum g l.
Proof. induction l; simpl; [lia|]. rewrite IHl. unfold sum. lia. Qed.

Lemma sum_scale {A} (f : A -> Z) k l : sum (fun x => k * f x) l = k * sum f l.
Proof. induction l; simpl; [lia|]. rewrite IHl. unfold sum. lia. Qed.

Lemma sum_zero {A} (l : list A) : sum (fun _ => 0) l = 0.
Proof. induction l; simpl; lia. Qed.

Lemma sum_map {A B} (f : B -> Z) (g : A -> B) l : sum f (map g l) = sum (fun x => f (g x)) l.
Proof. induction l; simpl; [reflexivity|]. rewrite IHl. reflexivity. Qed.

Lemma sum_perm {A} (f : A -> Z) l m : Permutation l m -> sum f l = sum f m.
Proof. induction 1; simpl in *; lia. Qed.

Lemma sum_filter {A} (f : A -> Z) p l : sum f (filter p l) = sum (fun x => if p x then f x else 0) l.
Proof. induction l; simpl; [reflexivity|]. destruct (p a); simpl; rewrite IHl; reflexivity. Qed.

Lemma filter_filter {A} (p q : A -> bool) l : filter p (filter q l) = filter (fun x => p x && q x) l.
Proof.
  induction l; simpl; [reflexivity|]. destruct (q a); simpl; rewrite IHl; destruct (p a); reflexivity.
Qed.

Lemma sum_swap {A B} (f : A -> B -> Z) l m :
  sum (fun x => sum (f x) m) l = sum (fun y => sum (fun x => f x y) l) m.
Proof.
  induction l; simpl.
  - now rewrite sum_zero.
  - rewrite IHl. rewrite <- sum_plus. reflexivity.
Qed.

Lemma sum_concat {A} (f : A -> Z) ll : sum f (concat ll) = sum (fun l => sum f l) ll.
Proof. induction ll; simpl; [reflexivity|]. rewrite sum_app, IHll. reflexivity. Qed.

Lemma sum_flat_map {A B} (f : B -> Z) (g : A -> list B) l :
  sum f (flat_map g l) = sum (fun x => sum f (g x)) l.
Proof. induction l; simpl; [reflexivity|]. rewrite sum_app, IHl. reflexivity. Qed.

Lemma sum_in {A} (f : A -> Z) l x : (forall y, In y l -> 0 <= f y) -> In x l -> f x <= sum f l.
Proof.
  induction l; simpl; intros H []; subst.
  - assert (0 <= sum f l) by (apply sum_nonneg; intros; apply H; now right). unfold sum in *. lia.
  - assert (f x <= sum f l) by (apply IHl; auto). specialize (H a (or_introl eq_refl)). unfold sum in *. lia.
Qed.

(** Products of two rows of numbers; the shorter row ends the product. *)

Fixpoint dot (a b : list Z) : Z :=
  match a, b with
  | x :: a, y :: b => x * y + dot a b
  | _, _ => 0
  end.

Fixpoint add_rows (a b : list Z) : list Z :=
  match a, b with
  | [], b => b
  | a, [] => a
  | x :: a, y :: b => (x + y) :: add_rows a b
  end.

Definition scale_row (k : Z) (a : list Z) : list Z := map (Z.mul k) a.

Definition nonneg (a : list Z) : Prop := Forall (fun x => 0 <= x) a.

Lemma dot_nil_r a : dot a [] = 0.
Proof. now destruct a. Qed.

Lemma dot_add a b w : dot (add_rows a b) w = dot a w + dot b w.
Proof.
  revert b w; induction a as [|x a IH]; intros [|y b] [|z w]; simpl; try lia.
  rewrite IH. lia.
Qed.

Lemma dot_scale k a w : dot (scale_row k a) w = k * dot a w.
Proof. revert w; induction a as [|x a IH]; intros [|z w]; simpl; try lia. rewrite IH. lia. Qed.

Lemma dot_nonneg a w : nonneg a -> nonneg w -> 0 <= dot a w.
Proof.
  unfold nonneg. intros Ha; revert w; induction Ha; intros w Hw; destruct Hw; simpl; try lia.
  specialize (IHHa l0 Hw). nia.
Qed.

Lemma dot_mono a v w : nonneg a -> Forall2 Z.le v w -> dot a v <= dot a w.
Proof.
  unfold nonneg. intros Ha; revert v w; induction Ha; intros v w Hw; destruct Hw; simpl; try lia.
  specialize (IHHa l0 l' Hw). nia.
Qed.

Lemma dot_map_plus {A} a (f g : A -> Z) l :
  dot a (map (fun x => f x + g x) l) = dot a (map f l) + dot a (map g l).
Proof. revert a; induction l; intros [|x a']; simpl; try lia. rewrite IHl. lia. Qed.

Lemma dot_at_most a w k : Forall (fun x => x <= k) a -> 0 <= k -> nonneg w -> dot a w <= k * sum (fun x => x) w.
Proof.
  intros Ha Hk; revert w; induction Ha; intros w Hw; destruct Hw; simpl; try nia.
  - assert (0 <= sum (fun x => x) l) by (apply sum_nonneg; intros x0 Hx; rewrite Forall_forall in Hw; auto).
    unfold sum in *. nia.
  - specialize (IHHa l0 Hw). unfold sum in *. nia.
Qed.

(** The sum of all rows of a list of weighted rows. *)
Definition total_row {A} (k : A -> Z) (r : A -> list Z) (l : list A) : list Z :=
  fold_right (fun x t => add_rows (scale_row (k x) (r x)) t) [] l.

Lemma dot_total {A} (k : A -> Z) r (l : list A) w :
  dot (total_row k r l) w = sum (fun x => k x * dot (r x) w) l.
Proof. induction l; simpl; [reflexivity|]. rewrite dot_add, dot_scale, IHl. reflexivity. Qed.
