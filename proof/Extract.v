(** * Extraction to OCaml

    The integers of Coq become those of Zarith.  Each line of the second part replaces a
    function of Coq's library by the function of Zarith that has the same specification;
    these lines are trusted. *)

From Coq Require Import ZArith.
From Coq Require Extraction.
From Coq Require Import ExtrOcamlBasic ExtrOcamlNativeString.
From Laconic Require Import Statement Certificate Check.

Extract Inductive positive => "Integer.t"
  [ "(fun p -> Integer.succ (Integer.shift_left p 1))"
    "(fun p -> Integer.shift_left p 1)" "Integer.one" ]
  "(fun f2p1 f2p f1 p -> if Integer.equal p Integer.one then f1 () else
    let half = Integer.shift_right p 1 in if Integer.is_odd p then f2p1 half else f2p half)".
Extract Inductive Z => "Integer.t" [ "Integer.zero" "" "Integer.neg" ]
  "(fun f0 fp fn z -> let s = Integer.sign z in
    if s = 0 then f0 () else if s > 0 then fp z else fn (Integer.neg z))".

Extract Inlined Constant Pos.succ => "Integer.succ".
Extract Inlined Constant Pos.add => "Integer.add".
Extract Inlined Constant Pos.mul => "Integer.mul".
Extract Inlined Constant Z.add => "Integer.add".
Extract Inlined Constant Z.sub => "Integer.sub".
Extract Inlined Constant Z.mul => "Integer.mul".
Extract Inlined Constant Z.opp => "Integer.neg".
Extract Inlined Constant Z.min => "Integer.min".
Extract Inlined Constant Z.max => "Integer.max".
Extract Inlined Constant Z.eqb => "Integer.equal".
Extract Inlined Constant Z.leb => "Integer.leq".
Extract Inlined Constant Z.ltb => "Integer.lt".
Extract Inlined Constant Z.gcd => "Integer.gcd".
Extract Inlined Constant Z.land => "Integer.logand".
Extract Inlined Constant Z.lor => "Integer.logor".
Extract Constant Z.testbit => "(fun z k -> Integer.sign k >= 0 && Integer.testbit z (Integer.to_int k))".
Extract Constant Z.div => "(fun x y -> if Integer.equal y Integer.zero then Integer.zero else Integer.fdiv x y)".

Extraction "build/kernel.ml" cost explain.
