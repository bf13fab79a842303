(** * What the verified checker proves

    This file holds definitions and one statement.  It is meant for a reader who knows
    what a decision set is, but not Coq.  [Check.v] proves the statement for the program
    that is extracted.  All numbers are unbounded integers or exact rationals.

    To read it: [Z] integers, [nat] natural numbers, [Q] rationals ([Qnum] over [Qden]); [Some x] a
    value, [None] no value; [/\ ] and [&&] "and", [||] "or", [negb] "not"; [forallb], [existsb] and
    [filter]: all, some, and those elements of a list that satisfy a condition. *)

From Coq Require Import String ZArith QArith List Bool.
Import ListNotations.
Local Open Scope Z_scope.

Definition sum {A} (f : A -> Z) (l : list A) : Z := fold_right (fun x s => f x + s) 0 l.
Definition count {A} (f : A -> bool) (l : list A) : Z := sum (fun x => if f x then 1 else 0) l.

(** ** The data: a cell is missing ([None]), a number or a text; the weight of a row is an integer
    (the user's weights, times one number for the whole table) *)

Inductive value := Number (q : Q) | Text (s : string).
Definition cell := option value.
Record row := Row { cells : list cell; label : nat; weight : Z }.

(** ** Conditions on one column; a missing cell satisfies [IsMissing] and nothing else *)

Inductive literal :=
| AtMost (column : nat) (t : Q)                    (* x <= t *)
| Above (column : nat) (t : Q)                     (* x > t *)
| Within (column : nat) (low high : option Q)      (* low < x <= high; [None]: no limit *)
| Outside (column : nat) (low high : option Q)     (* not (low < x <= high) *)
| Equals (column : nat) (v : value)                (* x = v *)
| Differs (column : nat) (v : value)               (* x != v *)
| OneOf (column : nat) (vs : list value)           (* x is one of vs *)
| NoneOf (column : nat) (vs : list value)          (* x is none of vs *)
| IsMissing (column : nat)
| IsPresent (column : nat).

Definition at_most (x : Q) (t : option Q) : bool := match t with Some t => Qle_bool x t | None => true end.
Definition above (x : Q) (t : option Q) : bool := match t with Some t => negb (Qle_bool x t) | None => true end.

Definition same (v w : value) : bool :=
  match v, w with
  | Number x, Number y => Qeq_bool x y
  | Text s, Text t => String.eqb s t
  | _, _ => false
  end.

Definition holds (l : literal) (row : list cell) : bool :=
  let the column := nth column row None in
  match l with
  | AtMost c t => match the c with Some (Number x) => at_most x (Some t) | _ => false end
  | Above c t => match the c with Some (Number x) => above x (Some t) | _ => false end
  | Within c lo hi => match the c with Some (Number x) => above x lo && at_most x hi | _ => false end
  | Outside c lo hi => match the c with Some (Number x) => negb (above x lo && at_most x hi) | _ => false end
  | Equals c v => match the c with Some x => same x v | None => false end
  | Differs c v => match the c with Some x => negb (same x v) | None => false end
  | OneOf c vs => match the c with Some x => existsb (same x) vs | None => false end
  | NoneOf c vs => match the c with Some x => negb (existsb (same x) vs) | None => false end
  | IsMissing c => match the c with Some _ => false | None => true end
  | IsPresent c => match the c with Some _ => true | None => false end
  end.

(** ** Features, rules and decision sets
    A feature is a literal and, where a rule may also ask for the opposite, a second one (each is
    evaluated by itself: that they are opposites is nowhere assumed).
    A rule names its literals: [(f, true)] is the first literal of feature [f],
    [(f, false)] the second.  A decision set is a list of rules and, where the table asks for it, the
    class of an OTHERWISE line, which goes to the rows that no rule of another class explains. *)

Record feature := Feature { shown : literal; opposite : option literal }.
Record rule := Rule { target : nat; body : list (nat * bool) }.
Record decision_set := DecisionSet { rules : list rule; otherwise : option nat }.

Inductive objective :=
| Perfect | MinRules | MinRulesThenLiterals
| Sparse (lambda : Q) | EveryClass (lambda : Q) | PerRow (lambda : Q).

Record table := Table
  { n_classes : nat; features : list feature; rows : list row; goal : objective; asks_otherwise : bool }.

Definition literal_of (t : table) (code : nat * bool) : option literal :=
  match nth_error (features t) (fst code) with
  | Some f => if snd code then Some (shown f) else opposite f
  | None => None
  end.

(** A rule over the conditions of a table: it has a class of the table, literals that
    there are, and at most one literal of each feature. *)
Definition rule_over (t : table) (R : rule) : Prop :=
  (target R < n_classes t)%nat /\
  (forall code, In code (body R) -> literal_of t code <> None) /\
  NoDup (map fst (body R)).

(** Its rules are over the conditions, and it has an OTHERWISE line if and only if the table asks for one. *)
Definition decision_set_over (t : table) (S : decision_set) : Prop :=
  (forall R, In R (rules S) -> rule_over t R) /\
  match otherwise S with
  | Some d => asks_otherwise t = true /\ (d < n_classes t)%nat
  | None => asks_otherwise t = false
  end.

(** ** Errors *)

Definition selects (t : table) (r : list cell) (code : nat * bool) : bool :=
  match literal_of t code with Some l => holds l r | None => false end.

(** A rule covers a row if all its literals hold. *)
Definition covers (t : table) (R : rule) (r : list cell) : bool := forallb (selects t r) (body R).

Definition claimed (t : table) (S : decision_set) (r : row) (c : nat) : bool :=
  existsb (fun R => Nat.eqb (target R) c && covers t R (cells r)) (rules S).
Definition gives (S : decision_set) (c : nat) : bool :=
  match otherwise S with Some d => Nat.eqb d c | None => false end.

Definition all_classes (t : table) : list nat := seq 0 (n_classes t).

(** One fault if no rule of its class covers the row and OTHERWISE does not give its class, one
    for each other class that has a rule that covers it. *)
Definition faults (t : table) (S : decision_set) (r : row) : Z :=
  (if claimed t S r (label r) || gives S (label r) then 0 else 1)
  + count (fun c => negb (Nat.eqb c (label r)) && claimed t S r c) (all_classes t).

Definition errors_per_class (t : table) (S : decision_set) (rs : list row) : Z :=
  sum (fun r => weight r * faults t S r) rs.
Definition errors_per_row (t : table) (S : decision_set) (rs : list row) : Z :=
  sum (fun r => weight r * Z.min 1 (faults t S r)) rs.

(** ** Rows reduced to their heaviest class
    Two rows are alike if the same literals hold on both.  Among rows that are alike, those
    of the heaviest class stay (the first class among equals), and the others are dropped. *)

Definition codes (t : table) : list (nat * bool) :=
  flat_map (fun f => [(f, true); (f, false)]) (seq 0 (length (features t))).
Definition alike (t : table) (r s : row) : bool :=
  forallb (fun code => eqb (selects t (cells r) code) (selects t (cells s) code)) (codes t).
Definition weight_like (t : table) (r : row) (c : nat) : Z :=
  sum weight (filter (fun s => alike t r s && Nat.eqb (label s) c) (rows t)).
Definition kept (t : table) (r : row) : bool :=
  forallb (fun c => (weight_like t r c <? weight_like t r (label r))
                    || ((weight_like t r c =? weight_like t r (label r)) && Nat.leb (label r) c))
          (all_classes t).
Definition kept_rows (t : table) : list row := filter (kept t) (rows t).

(** The number of different rows. *)
Fixpoint kinds (t : table) (rs : list row) : Z :=
  match rs with
  | [] => 0
  | r :: rs => (if existsb (alike t r) rs then 0 else 1) + kinds t rs
  end.

(** ** Cost, as objective.py defines it; [None]: the objective does not admit the set
    The OTHERWISE line costs what a rule without literals does. *)

Definition n_literals (S : decision_set) : Z := sum (fun R => Z.of_nat (length (body R))) (rules S).
Definition n_rules (S : decision_set) : Z :=
  Z.of_nat (length (rules S)) + match otherwise S with Some _ => 1 | None => 0 end.
Definition total_weight (rs : list row) : Z := sum weight rs.
Definition ceiling (q : Q) : Z := - ((- Qnum q) / Zpos (Qden q)).
(** Numerator and denominator of [lambda * weight] in lowest terms. *)
Definition lowest_terms (lambda : Q) (w : Z) : Z * Z :=
  let g := Z.gcd (Qnum lambda * w) (Zpos (Qden lambda)) in
  ((Qnum lambda * w) / g, Zpos (Qden lambda) / g).

Definition cost (t : table) (S : decision_set) : option Z :=
  let without_errors literal_cost rule_cost :=
    if errors_per_class t S (kept_rows t) =? 0
    then Some (literal_cost * n_literals S + rule_cost * n_rules S) else None in
  match goal t with
  | Perfect => without_errors 1 1
  | MinRules => without_errors 0 1
  | MinRulesThenLiterals =>
      without_errors 1 (kinds t (rows t) * Z.of_nat (length (features t)) + 1)
  | Sparse lambda =>
      let price := ceiling (lambda * inject_Z (total_weight (rows t))) in
      Some (errors_per_class t S (rows t) + price * n_literals S + price * n_rules S)
  | PerRow lambda =>
      let price := ceiling (lambda * inject_Z (total_weight (rows t))) in
      Some (errors_per_row t S (rows t) + price * n_literals S + price * n_rules S)
  | EveryClass lambda =>
      let (p, q) := lowest_terms lambda (total_weight (kept_rows t)) in
      if forallb (fun r => existsb (fun R => Nat.eqb (target R) (label r)) (rules S)) (kept_rows t)
      then Some (q * errors_per_class t S (kept_rows t) + p * n_literals S + p * n_rules S) else None
  end.

(** ** The statement
    If the checker answers with two numbers, the decision set in the certificate is one over the
    conditions and costs the first, and every decision set costs at least the second, whatever class
    its OTHERWISE line gives. *)

Definition trustworthy {certificate : Type} (set_of : certificate -> decision_set)
    (check : certificate -> table -> option (Z * Z)) : Prop :=
  forall C t c bound, check C t = Some (c, bound) ->
    decision_set_over t (set_of C) /\
    cost t (set_of C) = Some c /\
    (forall S k, decision_set_over t S -> cost t S = Some k -> bound <= k).
