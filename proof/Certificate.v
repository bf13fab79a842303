(** * Certificates, as the program reads them

    This is the data in the canonical text file (FORMAT.md).  Nothing in it is trusted. *)

From Coq Require Import ZArith List.
From Laconic Require Import Statement.
Import ListNotations.

(** Prices of the positives, then of the splits that say "some"; the group of each of them
    (from 0), and the group of each negative that can be paid for.  [blame] has an entry
    (group of negatives, [(group of positives, units)]) for each group that has blame.
    All prices are times [scale]. *)
Record prices := Prices
  { scale : Z;
    price_of : list Z;
    n_groups : nat; group_of : list Z;
    n_neg_groups : nat; neg_group_of : list Z;
    blame : list (Z * list (Z * Z)) }.

(** A proof of one class: prices, or a split on rows of the merged table. *)
Inductive proof :=
| Leaf (p : prices)
| Split (split_rows : list nat) (some none : proof).

Record class_proof := ClassProof { proof_class : nat; proof_bound : Z; proof_tree : proof }.

Record certificate := Certificate
  { found : decision_set;
    claimed_cost : Z;
    claimed_bound : Z;
    proofs : list class_proof }.
