#!/usr/bin/env bash
# Breaks the checker on purpose, one error at a time, and expects Coq to refuse the proof each time.
# Run after `make -C proof`.  Ends with exit code 1 if a broken checker is still "proved".
set -euo pipefail
cd "$(dirname "$0")"
modules="Statement Sums Duality Trees Search Exchange Choice Certificate Splits Table Objectives Check"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
survived=0 killed=0

# mutant WHAT MODULE FROM TO: replace the text FROM, which must occur in the module, by TO.
mutant() {
  local what=$1 module=$2 from=$3 to=$4 reached=no last=
  rm -rf "$work"/* && cp -p ./*.v ./*.vo "$work"
  if ! FROM=$from TO=$to perl -0pi -e 's/\Q$ENV{FROM}\E/$ENV{TO}/ or exit 3' "$work/$module.v" ||
    cmp -s "$module.v" "$work/$module.v"; then
    echo "BROKEN   $what: the text is not in $module.v"
    exit 2
  fi
  for m in $modules; do
    [ "$m" = "$module" ] && reached=yes
    [ "$reached" = yes ] || continue
    last=$m
    if ! (cd "$work" && coqc -q -Q . Laconic "$m.v" >"$m.log" 2>&1); then
      killed=$((killed + 1))
      echo "refused  $what ($(grep -m1 -o 'line [0-9]*' "$work/$m.log") of $m.v)"
      return
    fi
  done
  survived=$((survived + 1))
  echo "SURVIVED $what"
}

mutant "prune (a) forgets the room" Search \
  '- slack <? kept_in d - price_at' '0 <? kept_in d - price_at'
mutant "prune (b) forgets the room" Search \
  'recovers_more (literal_unit L - slack) 0' 'recovers_more (literal_unit L) 0'
mutant "prune (c) forgets the room" Search \
  'if base + total <=? - slack' 'if base + total <=? 0'
mutant "a part of a tree is taken for empty when its first half is" Trees \
  'match a, b with Bare, Bare => Bare' 'match a, b with Bare, _ => Bare'
mutant "prune (d) is off by one" Search \
  'literal_cost L <? total w' 'literal_cost L + 1 <? total w'
mutant "literals that exclude a hard negative are not exempt from (b) and (d)" Search \
  "else false
  else true." "else false
  else false."
mutant "a rule may be overpaid by one" Search \
  'if free && (0 <? v) then None' 'if free && (1 <? v) then None'
mutant "literals that do not exclude the chosen hard negative are lost" Search \
  '(filter (fun k => lacks (lit k) h) kids, filter (fun k => has (lit k) h) kids)' \
  '(filter (fun k => lacks (lit k) h) kids, [])'
mutant "a choice that costs exactly the limit is cut off" Choice \
  'if limit <? base then true' 'if limit <=? base then true'
mutant "the choice forgets that a row may stay uncovered" Choice \
  'then match cap i with None => true | Some _ => choose fuel st others end' 'then true'
mutant "a rule beats another although it covers more negatives" Choice \
  '(csize a <=? csize b) && within (cpos b) (cpos a) && within (cneg a) (cneg b)' \
  '(csize a <=? csize b) && within (cpos b) (cpos a)'
mutant "a price may exceed the weight of its row" Splits \
  'Some c => price i <=? c' 'Some c => 0 <=? c'
mutant "the blame of a negative may be twice its weight" Splits \
  'forallb (fun x => x <=? scale_of L) (spent_blame L)' 'forallb (fun x => x <=? 2 * scale_of L) (spent_blame L)'
mutant "the room is off by one" Splits \
  'let limit := (bound - 1) * scale p in' 'let limit := (bound - 2) * scale p in'
mutant "the second part of a split is not checked" Splits \
  '| None => refuse (with_none m P) bound none' '| None => None'
mutant "the exchange of literals forgets the hard negatives" Splits \
  '(concat (neg_groups L)) ++ hards L)) 0' '(concat (neg_groups L)))) 0'
mutant "ties go to the last class" Table \
  'Nat.leb (fst x) (fst y)' 'Nat.leb (fst y) (fst x)'
mutant "a row may have a class that there is not" Table \
  'Nat.ltb (label r) (n_classes t) && (0 <? weight r)' 'Nat.leb (label r) (n_classes t) && (0 <? weight r)'
mutant "rows of other classes must be covered as well" Objectives \
  'if 0 <? own n c e then [(fst e, None)]' 'if 0 <=? own n c e then [(fst e, None)]'
mutant "errors per row: the share is not doubled" Check \
  'then 2 * (Z.of_nat n - 1) else 1' 'then Z.of_nat n - 1 else 1'
mutant "every class: the rules need no rule for each class" Check \
  'else if each p && negb' 'else if false && negb'

mutant "OTHERWISE: the bound of no class is left out" Check \
  'sum (fun b => b) bounds - largest bounds + price_of_a_rule p' 'sum (fun b => b) bounds + price_of_a_rule p'
mutant "OTHERWISE: the smallest bound is left out" Check \
  'fold_right Z.max 0 l' 'fold_right Z.min 0 l'
mutant "OTHERWISE: its line is paid twice" Check \
  '- largest bounds + price_of_a_rule p' '- largest bounds + 2 * price_of_a_rule p'
mutant "OTHERWISE: also where errors are counted per row" Check \
  '&& negb (by_row p)' ''
mutant "OTHERWISE: rows of its class have to be covered" Objectives \
  '(if fst v then 0 else 1 - snd v)' '(1 - snd v)'

echo "$killed broken checkers refused, $survived proved"
[ "$survived" = 0 ]
