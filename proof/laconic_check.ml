(* Reads the canonical text file (FORMAT.md), calls the extracted checker, prints its answer.
   This file is trusted: it decides what table and what rules the verified program is given. *)

open Kernel

exception Unreadable of string

let fail place what = raise (Unreadable (Printf.sprintf "%s at byte %d" what place))

(* Tokens: the text between blanks and line ends. *)

type reader = { text : string; mutable at : int; mutable start : int }

let is_blank c = c = ' ' || c = '\n' || c = '\r' || c = '\t'

let token r =
  let n = String.length r.text in
  while r.at < n && is_blank r.text.[r.at] do r.at <- r.at + 1 done;
  r.start <- r.at;
  while r.at < n && not (is_blank r.text.[r.at]) do r.at <- r.at + 1 done;
  if r.at = r.start then fail r.start "the file ends too early";
  String.sub r.text r.start (r.at - r.start)

let word r expected =
  let found = token r in
  if found <> expected then fail r.start (Printf.sprintf "%S should be %S" found expected)

(* Numbers: decimal digits with an optional minus, and nothing else. *)

let integer_of r s =
  let n = String.length s in
  let first = if n > 0 && s.[0] = '-' then 1 else 0 in
  if n = first then fail r.start "a whole number is missing";
  for k = first to n - 1 do
    if s.[k] < '0' || s.[k] > '9' then fail r.start (Printf.sprintf "%S is not a whole number" s)
  done;
  Integer.of_string s

let integer r = integer_of r (token r)

let int_count_of r s =
  let z = integer_of r s in
  if Integer.sign z < 0 || not (Integer.fits_int z) || Integer.to_int z > String.length r.text then
    fail r.start "a count or a number of something is out of range";
  Integer.to_int z

let int_count r = int_count_of r (token r)

let rec nat_of n acc = if n = 0 then acc else nat_of (n - 1) (S acc)
let count r = nat_of (int_count r) O
let number r = Integer.of_int (int_count r)

let rational_of r s =
  match String.index_opt s '/' with
  | None -> { qnum = integer_of r s; qden = Integer.one }
  | Some k ->
      let top = integer_of r (String.sub s 0 k) in
      let bottom = integer_of r (String.sub s (k + 1) (String.length s - k - 1)) in
      if Integer.sign bottom <= 0 then fail r.start "a denominator is not positive";
      { qnum = top; qden = bottom }

let rational r = rational_of r (token r)

let rest s = String.sub s 1 (String.length s - 1)

let text_of r hex =
  let digit c =
    match c with
    | '0' .. '9' -> Char.code c - 48
    | 'a' .. 'f' -> Char.code c - 87
    | _ -> fail r.start "a text is not written in hexadecimal digits"
  in
  if String.length hex mod 2 <> 0 then fail r.start "a text has half a byte";
  String.init (String.length hex / 2) (fun k -> Char.chr ((16 * digit hex.[2 * k]) + digit hex.[(2 * k) + 1]))

let value_of r s =
  match s.[0] with
  | 'n' -> Number (rational_of r (rest s))
  | 't' -> Text (text_of r (rest s))
  | _ -> fail r.start (Printf.sprintf "%S is neither a number nor a text" s)

let cell r = match token r with "-" -> None | s -> Some (value_of r s)
let limit r = match token r with "*" -> None | s -> Some (rational_of r s)

(* Lists: evaluated from first to last. *)

let times n item =
  let rec go n acc = if n = 0 then List.rev acc else let x = item () in go (n - 1) (x :: acc) in
  go n []

let listed r item = let n = int_count r in times n (fun () -> item r)

(* The table. *)

let literal r kind n_columns =
  let column () =
    let c = int_count r in
    if c >= n_columns then fail r.start "a condition is on a column that there is not";
    nat_of c O
  in
  match kind with
  | "le" -> let c = column () in AtMost (c, rational r)
  | "gt" -> let c = column () in Above (c, rational r)
  | "in" -> let c = column () in let low = limit r in Within (c, low, limit r)
  | "out" -> let c = column () in let low = limit r in Outside (c, low, limit r)
  | "eq" -> let c = column () in Equals (c, value_of r (token r))
  | "ne" -> let c = column () in Differs (c, value_of r (token r))
  | "one_of" -> let c = column () in OneOf (c, listed r (fun r -> value_of r (token r)))
  | "none_of" -> let c = column () in NoneOf (c, listed r (fun r -> value_of r (token r)))
  | "missing" -> IsMissing (column ())
  | "present" -> IsPresent (column ())
  | _ -> fail r.start (Printf.sprintf "%S is not a condition" kind)

let feature n_columns r =
  word r "feature";
  let shown = literal r (token r) n_columns in
  let opposite = match token r with "none" -> None | kind -> Some (literal r kind n_columns) in
  { shown; opposite }

let row n_columns r =
  word r "row";
  let target = count r in
  let weight = integer r in
  { cells = times n_columns (fun () -> cell r); label = target; weight }

(* The objective, and its words for the answer. *)
let objective r =
  let kind = token r in
  let priced make = let number = token r in (make (rational_of r number), kind ^ " " ^ number) in
  match kind with
  | "perfect" -> (Perfect, kind)
  | "min_rules" -> (MinRules, kind)
  | "min_rules_then_literals" -> (MinRulesThenLiterals, kind)
  | "sparse" -> priced (fun q -> Sparse q)
  | "every_class" -> priced (fun q -> EveryClass q)
  | "per_row" -> priced (fun q -> PerRow q)
  | _ -> fail r.start (Printf.sprintf "%S is not an objective" kind)

(* The class of the OTHERWISE line; a table asks for one if and only if there is one. *)
let otherwise_class r = match token r with "none" -> None | s -> Some (nat_of (int_count_of r s) O)

let code r = let k = int_count r in (nat_of (k / 2) O, k mod 2 = 1)

let rule r =
  word r "rule";
  let target = count r in
  { target; body = listed r code }

(* The certificate. *)

let rec node r =
  match token r with
  | "split" ->
      let rows = listed r count in
      let some = node r in
      Split (rows, some, node r)
  | "leaf" ->
      let scale = integer r in
      word r "prices";
      let price_of = listed r integer in
      word r "groups";
      let n_groups = count r in
      let group_of = listed r number in
      word r "negatives";
      let n_neg_groups = count r in
      let neg_group_of = listed r number in
      word r "blame";
      let share r = let g = number r in (g, integer r) in
      let blame = listed r (fun r -> let h = number r in (h, listed r share)) in
      Leaf { scale; price_of; n_groups; group_of; n_neg_groups; neg_group_of; blame }
  | s -> fail r.start (Printf.sprintf "%S should be \"split\" or \"leaf\"" s)

let class_proof r =
  word r "proof";
  let proof_class = count r in
  let proof_bound = integer r in
  { proof_class; proof_bound; proof_tree = node r }

let file r =
  let field name = word r name in
  field "laconic-canonical"; word r "2";
  field "classes"; let n_classes = count r in
  field "columns"; let n_columns = int_count r in
  field "features"; let features = listed r (feature n_columns) in
  field "rows"; let all_rows = listed r (row n_columns) in
  field "objective"; let goal, said = objective r in
  field "otherwise"; let otherwise = otherwise_class r in
  field "rules"; let rules = listed r rule in
  field "cost"; let claimed_cost = integer r in
  field "bound"; let claimed_bound = integer r in
  field "proofs"; let proofs = listed r class_proof in
  field "end";
  if String.trim (String.sub r.text r.at (String.length r.text - r.at)) <> "" then
    fail r.at "something follows the end";
  let asks_otherwise = otherwise <> None in
  ( { n_classes; features; rows = all_rows; goal; asks_otherwise },
    { found = { rules; otherwise }; claimed_cost; claimed_bound; proofs },
    if asks_otherwise then said ^ " otherwise" else said )

let finish exit_code line = print_endline line; exit exit_code

let answer path only_cost =
  let channel = open_in_bin path in
  let text = really_input_string channel (in_channel_length channel) in
  let table, certificate, said = file { text; at = 0; start = 0 } in
  if only_cost then
    match cost table certificate.found with
    | Some c -> finish 0 ("c " ^ Integer.to_string c)
    | None -> finish 0 "c NONE"
  else
    match explain certificate table with
    | Proved (c, bound) ->
        finish 0 (Printf.sprintf "s VERIFIED %s %s %s" (Integer.to_string c) (Integer.to_string bound) said)
    | Refused why -> finish 1 ("s REFUSED " ^ why)

let () =
  try
    match Sys.argv with
    | [| _; "--cost"; path |] -> answer path true
    | [| _; path |] -> answer path false
    | _ -> finish 2 "usage: laconic-check [--cost] FILE"
  with
  | Unreadable why | Sys_error why | Invalid_argument why -> finish 2 ("s UNREADABLE " ^ why)
  | End_of_file -> finish 2 "s UNREADABLE the file could not be read to its end"
  | Stack_overflow -> finish 2 "s UNREADABLE the stack is too small for this table; run `ulimit -s unlimited` first"
  | Out_of_memory -> finish 2 "s UNREADABLE there is not enough memory for this table"
