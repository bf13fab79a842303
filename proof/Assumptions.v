(** * What the theorem rests on; `make check` compares the answer with assumptions.txt *)

From Laconic Require Import Statement Certificate Check.

Check check_is_trustworthy : trustworthy found check.
Print Assumptions check_is_trustworthy.
