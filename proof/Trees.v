(** * Rows of blame and groups of negatives as trees

    A rule covers few of the negatives, so most of their groups are empty, and much of the blame is
    zero.  A list of groups becomes a binary tree whose empty parts are left out ([Bare]); a row of
    blame becomes a tree of the same shape, so that their product looks only at places where
    neither is zero.  [charge_part] and [total_part]: the trees give the sums that the lists give. *)

From Coq Require Import ZArith List Lia Bool.
From Laconic Require Import Statement Sums Duality.
Import ListNotations.
Local Open Scope Z_scope.

Inductive tree (A : Type) := Bare | Tip (x : A) | Fork (a b : tree A).
Arguments Bare {A}.
Arguments Tip {A} x.
Arguments Fork {A} a b.

Definition fork {A} (a b : tree A) : tree A :=
  match a, b with Bare, Bare => Bare | _, _ => Fork a b end.

(** The tree of the first [2 ^ depth] elements, and the elements after them. *)
Fixpoint build {A B} (tip : A -> tree B) (depth : nat) (l : list A) : tree B * list A :=
  match depth with
  | O => match l with [] => (Bare, []) | x :: l => (tip x, l) end
  | S depth =>
      let (a, l) := build tip depth l in
      let (b, l) := build tip depth l in
      (fork a b, l)
  end.

Definition tip_of_units (x : Z) : tree Z := if x =? 0 then Bare else Tip x.
Definition tip_of_group (ns : list neg_item) : tree (list neg_item) := match ns with [] => Bare | _ => Tip ns end.

(** The negatives that satisfy [s]. *)
Fixpoint keep_neg (s : neg_item -> bool) (t : tree (list neg_item)) : tree (list neg_item) :=
  match t with
  | Bare => Bare
  | Tip ns => tip_of_group (filter s ns)
  | Fork a b => fork (keep_neg s a) (keep_neg s b)
  end.

Fixpoint weights (t : tree (list neg_item)) : tree Z :=
  match t with
  | Bare => Bare
  | Tip ns => Tip (sum nweight ns)
  | Fork a b => Fork (weights a) (weights b)
  end.

Fixpoint total (t : tree Z) : Z :=
  match t with Bare => 0 | Tip x => x | Fork a b => total a + total b end.

Fixpoint tree_dot (a b : tree Z) : Z :=
  match a, b with
  | Tip x, Tip y => x * y
  | Fork a1 a2, Fork b1 b2 => tree_dot a1 b1 + tree_dot a2 b2
  | _, _ => 0
  end.

Definition depth_of (L : leaf_problem) : nat := Nat.log2_up (length (neg_groups L)).
Definition units_tree (depth : nat) (c : list Z) : tree Z := fst (build tip_of_units depth c).
Definition negatives (L : leaf_problem) : tree (list neg_item) := fst (build Tip (depth_of L) (neg_groups L)).

(** The negatives of a leaf that satisfy [s]. *)
Definition part (L : leaf_problem) (s : neg_item -> bool) : tree (list neg_item) := keep_neg s (negatives L).

(** ** The trees give the same sums *)

Lemma keep_fork s a b : keep_neg s (fork a b) = fork (keep_neg s a) (keep_neg s b).
Proof. destruct a, b; reflexivity. Qed.

Lemma keep_tip s ns : keep_neg s (tip_of_group ns) = tip_of_group (filter s ns).
Proof. destruct ns; reflexivity. Qed.

Lemma keep_keep p q t : keep_neg p (keep_neg q t) = keep_neg (fun j => p j && q j) t.
Proof.
  induction t as [|ns|a IHa b IHb]; cbn [keep_neg]; [reflexivity| |].
  - now rewrite keep_tip, filter_filter.
  - now rewrite keep_fork, IHa, IHb.
Qed.

Lemma keep_ext p q t : (forall j, p j = q j) -> keep_neg p t = keep_neg q t.
Proof.
  intros H. induction t as [|ns|a IHa b IHb]; cbn [keep_neg]; [reflexivity| |].
  - now rewrite (filter_ext p q H).
  - now rewrite IHa, IHb.
Qed.

Lemma weights_fork a b : weights (fork a b) = fork (weights a) (weights b).
Proof. destruct a, b; reflexivity. Qed.

Lemma total_fork a b : total (fork a b) = total a + total b.
Proof. destruct a, b; reflexivity. Qed.

Lemma tree_dot_bare t : tree_dot t Bare = 0.
Proof. destruct t; reflexivity. Qed.

Lemma tree_dot_fork a b c d : tree_dot (fork a b) (fork c d) = tree_dot a c + tree_dot b d.
Proof. destruct a, b, c, d; cbn; rewrite ?tree_dot_bare; lia. Qed.

Lemma build_rest {A B} (tip : A -> tree B) depth : forall l,
  length (snd (build tip depth l)) = (length l - 2 ^ depth)%nat.
Proof.
  induction depth as [|depth IH]; intros l; [destruct l; cbn; lia|]. cbn [build].
  pose proof (IH l) as E1. destruct (build tip depth l) as [a l1]. cbn [snd] in E1.
  pose proof (IH l1) as E2. destruct (build tip depth l1) as [b l2]. cbn [snd] in *. cbn [Nat.pow]. lia.
Qed.

Lemma nothing_left L : snd (build Tip (depth_of L) (neg_groups L)) = [].
Proof.
  apply length_zero_iff_nil. rewrite build_rest. unfold depth_of.
  destruct (Nat.eq_0_gt_0_cases (length (neg_groups L))) as [E|E]; [now rewrite E|].
  apply Nat.sub_0_le, Nat.log2_log2_up_spec, E.
Qed.

Lemma dot_tips x ns : tree_dot (tip_of_units x) (weights (tip_of_group ns)) = x * sum nweight ns.
Proof.
  unfold tip_of_units. destruct (x =? 0) eqn:E; [apply Z.eqb_eq in E; subst; cbn; lia|]. destruct ns; [cbn; lia|reflexivity].
Qed.

Lemma dot_build s depth : forall c ns,
  tree_dot (fst (build tip_of_units depth c)) (weights (keep_neg s (fst (build Tip depth ns))))
  + dot (snd (build tip_of_units depth c)) (map (weight_where s) (snd (build Tip depth ns)))
  = dot c (map (weight_where s) ns).
Proof.
  induction depth as [|depth IH]; intros c ns.
  - destruct c as [|x c], ns as [|n ns]; try reflexivity; [cbn; rewrite tree_dot_bare, dot_nil_r; lia|].
    cbn [build fst snd keep_neg map dot]. rewrite dot_tips, sum_filter. reflexivity.
  - cbn [build]. pose proof (IH c ns) as E1. destruct (build tip_of_units depth c) as [a c1].
    destruct (build Tip depth ns) as [b ns1]. cbn [fst snd] in E1. pose proof (IH c1 ns1) as E2.
    destruct (build tip_of_units depth c1) as [a2 c2]. destruct (build Tip depth ns1) as [b2 ns2].
    cbn [fst snd] in *. rewrite keep_fork, weights_fork, tree_dot_fork. lia.
Qed.

Lemma total_build s depth : forall ns,
  total (weights (keep_neg s (fst (build Tip depth ns)))) + sum (weight_where s) (snd (build Tip depth ns))
  = sum (weight_where s) ns.
Proof.
  induction depth as [|depth IH]; intros ns.
  - destruct ns as [|n ns]; [reflexivity|]. cbn [build fst snd keep_neg]. rewrite sum_cons. f_equal.
    unfold weight_where. rewrite <- sum_filter. destruct (filter s n); reflexivity.
  - cbn [build]. pose proof (IH ns) as E1. destruct (build Tip depth ns) as [b ns1]. cbn [fst snd] in E1.
    pose proof (IH ns1) as E2. destruct (build Tip depth ns1) as [b2 ns2]. cbn [fst snd] in *.
    rewrite keep_fork, weights_fork, total_fork. lia.
Qed.

Lemma charge_part L c s : tree_dot (units_tree (depth_of L) c) (weights (part L s)) = charge L c s.
Proof.
  unfold charge, weights_where, units_tree, part, negatives. rewrite <- (dot_build s (depth_of L)), nothing_left.
  cbn [map]. rewrite dot_nil_r. lia.
Qed.

Lemma total_part L s : total (weights (part L s)) = sum (weight_where s) (neg_groups L).
Proof. unfold part, negatives. rewrite <- (total_build s (depth_of L)), nothing_left. cbn. lia. Qed.
