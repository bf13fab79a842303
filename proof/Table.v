(** * Merged rows (data/table.py)

    A row's key is the number whose bits are the truth values of all literals.  The merged table
    has an entry for each different key, with a weight per class.  [represents]: whatever depends
    on rows only by key, class and weight has the same sum over the merged table.  The reduction
    to the heaviest class is done on the merged table as well ([reduced_represents]). *)

From Coq Require Import ZArith List Lia Permutation Bool.
From Laconic Require Import Statement Sums Duality Choice.
Import ListNotations.
Local Open Scope Z_scope.

(** ** Keys: literal (f, true) is bit 2 (n - 1 - f) + 1, literal (f, false) bit 2 (n - 1 - f), so that
    the order of keys is the lexicographic order of the features *)

Definition bit_codes (n : nat) : list (nat * bool) :=
  flat_map (fun k => [((n - 1 - k)%nat, false); ((n - 1 - k)%nat, true)]) (seq 0 n).
Definition place (n : nat) (code : nat * bool) : Z :=
  2 * (Z.of_nat n - 1 - Z.of_nat (fst code)) + (if snd code then 1 else 0).
Definition feature_of (p : Z) : Z := p / 2.

Definition key_of (ls : list (option literal)) (r : row) : Z :=
  bits (fun l => match l with Some l => holds l (cells r) | None => false end) ls.
Definition key (t : table) (r : row) : Z :=
  key_of (map (literal_of t) (bit_codes (length (features t)))) r.

Definition places (n : nat) (R : rule) : body_t := map (place n) (body R).

Lemma bits_test {A} (f : A -> bool) l : forall k x, nth_error l k = Some x -> Z.testbit (bits f l) (Z.of_nat k) = f x.
Proof.
  induction l as [|y l IH]; intros k x H; [destruct k; discriminate|]. destruct k as [|k]; cbn [bits].
  - cbn in H. inversion H; subst. destruct (f x).
    + rewrite Z.add_comm. apply Z.testbit_odd_0.
    + rewrite Z.add_0_l. apply Z.testbit_even_0.
  - cbn in H. rewrite Nat2Z.inj_succ. rewrite <- (IH k x H). destruct (f y).
    + rewrite Z.add_comm. apply Z.testbit_odd_succ. lia.
    + rewrite Z.add_0_l. apply Z.testbit_even_succ. lia.
Qed.

Lemma nth_pairs {A} (a b : nat -> A) n : forall s k, (k < n)%nat ->
  nth_error (flat_map (fun k => [a k; b k]) (seq s n)) (2 * k) = Some (a (s + k)%nat) /\
  nth_error (flat_map (fun k => [a k; b k]) (seq s n)) (2 * k + 1) = Some (b (s + k)%nat).
Proof.
  induction n as [|n IH]; intros s k H; [lia|]. cbn [seq flat_map app]. destruct k as [|k].
  - cbn. rewrite Nat.add_0_r. auto.
  - replace (2 * S k)%nat with (S (S (2 * k))) by lia. replace (S (S (2 * k)) + 1)%nat with (S (S (2 * k + 1))) by lia.
    cbn [nth_error]. destruct (IH (S s) k ltac:(lia)) as [E1 E2]. rewrite E1, E2.
    replace (S s + k)%nat with (s + S k)%nat by lia. auto.
Qed.

Lemma place_code n code : (fst code < n)%nat -> exists k,
  place n code = Z.of_nat k /\ nth_error (bit_codes n) k = Some code.
Proof.
  intros H. destruct code as [f b]. cbn [fst] in H. set (j := (n - 1 - f)%nat).
  destruct (nth_pairs (fun k => ((n - 1 - k)%nat, false)) (fun k => ((n - 1 - k)%nat, true)) n 0 j ltac:(lia)) as [E1 E2].
  cbn [plus] in E1, E2. replace (n - 1 - j)%nat with f in * by lia. unfold place. cbn [fst snd].
  destruct b; [exists (2 * j + 1)%nat|exists (2 * j)%nat]; (split; [lia|assumption]).
Qed.

Lemma key_bit t r code : (fst code < length (features t))%nat ->
  Z.testbit (key t r) (place (length (features t)) code) = selects t (cells r) code.
Proof.
  intros H. destruct (place_code _ code H) as (k & -> & E). unfold key, key_of.
  erewrite bits_test; [|apply map_nth_error; eassumption]. reflexivity.
Qed.

Lemma in_codes t f b : In (f, b) (codes t) <-> (f < length (features t))%nat.
Proof.
  unfold codes. rewrite in_flat_map. split.
  - intros (k & Hk & H). apply in_seq in Hk. cbn in H. destruct H as [H|[H|[]]]; inversion H; subst; lia.
  - intros H. exists f. rewrite in_seq. split; [lia|]. destruct b; cbn; auto.
Qed.

Lemma bits_eq {A} (f g : A -> bool) l : (forall x, In x l -> f x = g x) -> bits f l = bits g l.
Proof. induction l; intros H; [reflexivity|]. cbn [bits].
  rewrite (H a (or_introl eq_refl)), IHl; [reflexivity|intros; apply H; now right].
Qed.

Lemma bits_map {A B} (f : B -> bool) (g : A -> B) l : bits f (map g l) = bits (fun x => f (g x)) l.
Proof. induction l; [reflexivity|]. cbn [map bits]. now rewrite IHl. Qed.

Lemma alike_key t r s : alike t r s = true <-> key t r = key t s.
Proof.
  unfold alike. rewrite forallb_forall. split.
  - intros H. unfold key, key_of. rewrite !bits_map. apply bits_eq. intros code Hc.
    assert (In code (codes t)).
    { unfold bit_codes in Hc. apply in_flat_map in Hc. destruct Hc as (k & Hk & Hc). apply in_seq in Hk.
      destruct code as [f b]. apply in_codes. cbn in Hc. destruct Hc as [Hc|[Hc|[]]]; inversion Hc; lia. }
    specialize (H code H0). apply eqb_prop in H. exact H.
  - intros E code Hc. destruct code as [f b]. apply in_codes in Hc.
    rewrite <- (key_bit t r (f, b) Hc), <- (key_bit t s (f, b) Hc), E. apply eqb_reflx.
Qed.

Lemma rule_codes t R code : rule_over t R -> In code (body R) -> (fst code < length (features t))%nat.
Proof.
  intros (_ & H & _) Hc. specialize (H code Hc). unfold literal_of in H.
  destruct (nth_error (features t) (fst code)) eqn:E; [|congruence]. apply nth_error_Some. congruence.
Qed.

Lemma covers_key t R r : rule_over t R ->
  covers t R (cells r) = covers_mask (places (length (features t)) R) (key t r).
Proof.
  intros H. unfold covers, covers_mask, places.
  assert (G : forall code, In code (body R) -> selects t (cells r) code = Z.testbit (key t r) (place (length (features t)) code)).
  { intros code Hc. symmetry. apply key_bit. eapply rule_codes; eauto. }
  clear H. induction (body R) as [|code b IH]; [reflexivity|]. cbn [map forallb].
  rewrite (G code (or_introl eq_refl)), IH; [reflexivity|]. intros; apply G; now right.
Qed.

(** The literals that rules may use, and rules as sets of them. *)
Definition literal_places (t : table) : list Z :=
  map (place (length (features t)))
      (filter (fun code => match literal_of t code with Some _ => true | None => false end)
              (bit_codes (length (features t)))).

Lemma place_feature n f b : feature_of (place n (f, b)) = Z.of_nat n - 1 - Z.of_nat f.
Proof.
  unfold feature_of, place. cbn [fst snd]. symmetry. apply (Z.div_unique _ 2 _ (if b then 1 else 0)); [destruct b; lia|lia].
Qed.

Lemma places_legal t R : rule_over t R ->
  NoDup (map feature_of (places (length (features t)) R)) /\ incl (places (length (features t)) R) (literal_places t).
Proof.
  intros H. split.
  - destruct H as (_ & _ & N). unfold places. rewrite map_map.
    induction (body R) as [|[f b] bs IH]; [constructor|]. cbn [map] in *. inversion N; subst. constructor; [|auto].
    intros Hin. apply in_map_iff in Hin. destruct Hin as ([f' b'] & E & Hin). rewrite !place_feature in E.
    apply H1. cbn [fst]. replace f with f' by lia. change f' with (fst (f', b')). now apply in_map.
  - intros x Hx. unfold places in Hx. apply in_map_iff in Hx. destruct Hx as (code & <- & Hc).
    unfold literal_places. apply in_map. apply filter_In. pose proof (rule_codes t R code H Hc) as Hf.
    destruct (place_code _ code Hf) as (k & _ & Hk). split; [eapply nth_error_In; eauto|].
    destruct H as (_ & H & _). specialize (H code Hc). destruct (literal_of t code); congruence.
Qed.

Lemma literal_places_nonneg t l : In l (literal_places t) -> 0 <= l.
Proof.
  intros H. unfold literal_places in H. apply in_map_iff in H. destruct H as ([f b] & <- & H). apply filter_In in H.
  destruct H as [H _]. unfold bit_codes in H. apply in_flat_map in H. destruct H as (k & Hk & H). apply in_seq in Hk.
  unfold place. cbn [fst snd]. cbn in H. destruct H as [H|[H|[]]]; inversion H; subst; lia.
Qed.

(** ** Merging *)

Definition entry_t : Type := Z * list Z.

Section Merge.
Variable n : nat.   (* the number of classes *)

(** The sum of [f key class] over what an entry stands for. *)
Definition ev (f : Z -> nat -> Z) (e : entry_t) : Z := dot (snd e) (map (f (fst e)) (seq 0 n)).

Fixpoint join (a b : list entry_t) : list entry_t :=
  let fix with_a b :=
    match a, b with
    | [], _ => b
    | _, [] => a
    | x :: a', y :: b' =>
        if fst x <? fst y then x :: join a' b
        else if fst y <? fst x then y :: with_a b'
        else (fst x, add_rows (snd x) (snd y)) :: join a' b'
    end in with_a b.

Fixpoint join_pairs (ls : list (list entry_t)) : list (list entry_t) :=
  match ls with a :: b :: ls => join a b :: join_pairs ls | _ => ls end.
Fixpoint join_all (fuel : nat) (ls : list (list entry_t)) : list entry_t :=
  match fuel, ls with
  | _, [] => []
  | _, [a] => a
  | O, _ => fold_right join [] ls
  | S fuel, _ => join_all fuel (join_pairs ls)
  end.

Definition single (ls : list (option literal)) (r : row) : list entry_t :=
  [(key_of ls r, map (fun c => if Nat.eqb c (label r) then weight r else 0) (seq 0 n))].
Definition merge (ls : list (option literal)) (rs : list row) : list entry_t :=
  join_all (length rs) (map (single ls) rs).

Lemma ev_add f k u v : ev f (k, add_rows u v) = ev f (k, u) + ev f (k, v).
Proof. apply dot_add. Qed.

Lemma join_cons x a y b : join (x :: a) (y :: b) =
  if fst x <? fst y then x :: join a (y :: b)
  else if fst y <? fst x then y :: join (x :: a) b
  else (fst x, add_rows (snd x) (snd y)) :: join a b.
Proof. reflexivity. Qed.

Lemma join_ev f a : forall b, sum (ev f) (join a b) = sum (ev f) a + sum (ev f) b.
Proof.
  induction a as [|x a IHa]; intros b; [destruct b; reflexivity|].
  induction b as [|y b IHb].
  { change (join (x :: a) []) with (x :: a). change (sum (ev f) []) with 0. lia. }
  rewrite join_cons.
  destruct (fst x <? fst y) eqn:E1; [rewrite !sum_cons, IHa, sum_cons; lia|].
  destruct (fst y <? fst x) eqn:E2.
  - rewrite sum_cons, IHb, !sum_cons. lia.
  - rewrite !sum_cons, IHa. destruct x as [k u], y as [k' v]. cbn [fst snd] in *. apply Z.ltb_ge in E1, E2.
    replace k' with k by lia. rewrite ev_add. lia.
Qed.

Lemma join_pairs_ev f m : forall ls, (length ls <= m)%nat ->
  sum (fun l => sum (ev f) l) (join_pairs ls) = sum (fun l => sum (ev f) l) ls.
Proof.
  induction m as [|m IH]; intros ls H; [destruct ls; [reflexivity|cbn in H; lia]|].
  destruct ls as [|a [|b ls]]; [reflexivity|reflexivity|]. cbn [join_pairs]. rewrite !sum_cons, join_ev.
  rewrite IH; [lia|]. cbn in H. lia.
Qed.

Lemma join_all_ev f fuel : forall ls, sum (ev f) (join_all fuel ls) = sum (fun l => sum (ev f) l) ls.
Proof.
  induction fuel as [|fuel IH]; intros ls.
  - destruct ls as [|a [|b ls]]; [reflexivity|rewrite sum_cons; cbn [join_all]; change (sum (fun l => sum (ev f) l) []) with 0; lia|]. change (join_all 0 (a :: b :: ls)) with (fold_right join [] (a :: b :: ls)).
    generalize (a :: b :: ls) as l. induction l as [|x l IHl]; [reflexivity|]. cbn [fold_right]. rewrite join_ev, IHl, sum_cons. lia.
  - destruct ls as [|a [|b ls]]; [reflexivity|rewrite sum_cons; cbn [join_all]; change (sum (fun l => sum (ev f) l) []) with 0; lia|].
    change (join_all (S fuel) (a :: b :: ls)) with (join_all fuel (join_pairs (a :: b :: ls))).
    rewrite IH. now apply (join_pairs_ev f (length (a :: b :: ls))).
Qed.

Lemma dot_maps {A} (f g : A -> Z) l : dot (map f l) (map g l) = sum (fun x => f x * g x) l.
Proof. induction l; [reflexivity|]. cbn [map dot]. rewrite IHl, sum_cons. lia. Qed.

Lemma sum_one (g : nat -> Z) c l : NoDup l -> In c l -> sum (fun x => if Nat.eqb x c then g x else 0) l = g c.
Proof.
  induction 1 as [|x l NI N IH]; intros I; [contradiction|]. rewrite sum_cons. destruct I as [->|I].
  - rewrite Nat.eqb_refl. rewrite (sum_eq _ (fun _ => 0)); [rewrite sum_zero; lia|]. intros y Hy.
    destruct (Nat.eqb y c) eqn:E; [|reflexivity]. apply Nat.eqb_eq in E. congruence.
  - rewrite IH by assumption. destruct (Nat.eqb x c) eqn:E; [|lia]. apply Nat.eqb_eq in E. congruence.
Qed.

Lemma single_ev f ls r : (label r < n)%nat -> sum (ev f) (single ls r) = weight r * f (key_of ls r) (label r).
Proof.
  intros H. unfold single. rewrite sum_cons. unfold ev at 1. cbn [fst snd]. rewrite dot_maps.
  rewrite (sum_eq _ (fun x => if Nat.eqb x (label r) then weight r * f (key_of ls r) x else 0)).
  - rewrite (sum_one (fun x => weight r * f (key_of ls r) x)); [cbn; lia|apply seq_NoDup|apply in_seq; lia].
  - intros c _. destruct (Nat.eqb c (label r)); lia.
Qed.

Lemma merge_ev f ls rs : (forall r, In r rs -> (label r < n)%nat) ->
  sum (ev f) (merge ls rs) = sum (fun r => weight r * f (key_of ls r) (label r)) rs.
Proof.
  intros H. unfold merge. rewrite join_all_ev, sum_map. apply sum_eq. intros r Hr. now apply single_ev, H.
Qed.

(** ** Weight of one class in an entry, and of all *)

Definition own (c : nat) (e : entry_t) : Z := ev (fun _ l => if Nat.eqb l c then 1 else 0) e.
Definition all (e : entry_t) : Z := ev (fun _ _ => 1) e.

Lemma dot_map_scale {A} a k (f : A -> Z) l : dot a (map (fun x => k * f x) l) = k * dot a (map f l).
Proof. revert a; induction l; intros [|x a']; cbn; try lia. rewrite IHl. lia. Qed.

Lemma dot_sum {A B} a (f : B -> A -> Z) bs l :
  sum (fun b => dot a (map (f b) l)) bs = dot a (map (fun x => sum (fun b => f b x) bs) l).
Proof.
  revert a; induction l as [|x l IH]; intros [|y a]; cbn [map dot]; try apply sum_zero.
  rewrite <- IH, <- sum_scale, <- sum_plus. apply sum_eq. intros. lia.
Qed.

Lemma ev_ext f g e : (forall c, (c < n)%nat -> f (fst e) c = g (fst e) c) -> ev f e = ev g e.
Proof.
  intros H. unfold ev. f_equal. apply map_ext_in. intros c Hc. apply H. apply in_seq in Hc. lia.
Qed.

Lemma ev_two c a b e : ev (fun k l => if Nat.eqb l c then a k else b k) e = a (fst e) * own c e + b (fst e) * (all e - own c e).
Proof.
  unfold own, all, ev. rewrite (map_ext _ (fun l => (a (fst e) - b (fst e)) * (if Nat.eqb l c then 1 else 0) + b (fst e) * 1)).
  - rewrite dot_map_plus, !dot_map_scale. lia.
  - intros l. destruct (Nat.eqb l c); lia.
Qed.

Lemma ev_own f e : ev f e = sum (fun c => own c e * f (fst e) c) (seq 0 n).
Proof.
  unfold own, ev. rewrite (sum_eq _ (fun c => dot (snd e) (map (fun l => f (fst e) c * (if Nat.eqb l c then 1 else 0)) (seq 0 n)))).
  - rewrite dot_sum. f_equal. apply map_ext_in. intros l Hl.
    rewrite (sum_eq _ (fun c => if Nat.eqb c l then f (fst e) c else 0)).
    + now rewrite (sum_one (f (fst e)) l (seq 0 n) (seq_NoDup _ _) Hl).
    + intros c _. rewrite (Nat.eqb_sym l c). destruct (Nat.eqb c l); lia.
  - intros c _. rewrite dot_map_scale. lia.
Qed.

(** ** The reduction to the heaviest class *)

Definition reduce (e : entry_t) : entry_t :=
  let os := map (fun c => (c, own c e)) (seq 0 n) in
  (fst e, map (fun x : nat * Z => if forallb (fun y : nat * Z => (snd y <? snd x) || ((snd y =? snd x) && Nat.leb (fst x) (fst y))) os
                       then snd x else 0) os).

Definition heaviest (w : nat -> Z) (c : nat) : bool :=
  forallb (fun d => (w d <? w c) || ((w d =? w c) && Nat.leb c d)) (seq 0 n).

Lemma forallb_map {A B} (p : B -> bool) (g : A -> B) l : forallb p (map g l) = forallb (fun x => p (g x)) l.
Proof. induction l; [reflexivity|]. cbn. now rewrite IHl. Qed.

Lemma reduce_ev f e : ev f (reduce e)
  = ev (fun k c => if heaviest (fun d => own d e) c then f k c else 0) e.
Proof.
  rewrite (ev_own _ e). unfold ev, reduce. cbn [fst snd]. rewrite map_map, dot_maps. apply sum_eq. intros c _.
  cbn [fst snd]. rewrite forallb_map. cbn [fst snd]. fold (heaviest (fun d => own d e) c).
  destruct (heaviest (fun d => own d e) c); lia.
Qed.

End Merge.

(** ** What a merged table stands for *)

Definition represents (t : table) (rs : list row) (m : list entry_t) : Prop :=
  forall f, sum (fun r => weight r * f (key t r) (label r)) rs = sum (ev (n_classes t) f) m.

Record merged (t : table) (m : list entry_t) : Prop :=
  { stands_for : represents t (rows t) m;
    one_per_key : NoDup (map fst m);
    labels_known : forall r, In r (rows t) -> (label r < n_classes t)%nat;
    weights_positive : forall r, In r (rows t) -> 0 < weight r;
    entries_positive : forall e, In e m -> 0 < all (n_classes t) e }.

Fixpoint ascending (m : list entry_t) : bool :=
  match m with
  | a :: (b :: _) as m' => (fst a <? fst b) && ascending m'
  | _ => true
  end.

(** The merged table of a table that is as it should be. *)
Definition merge_table (t : table) : option (list entry_t) :=
  if forallb (fun r => Nat.ltb (label r) (n_classes t) && (0 <? weight r)) (rows t) then
    let m := merge (n_classes t) (map (literal_of t) (bit_codes (length (features t)))) (rows t) in
    if ascending m && forallb (fun e => 0 <? all (n_classes t) e) m then Some m else None
  else None.

Lemma ascending_nodup m : ascending m = true -> NoDup (map fst m).
Proof.
  assert (G : forall m a, ascending (a :: m) = true -> forall e, In e m -> fst a < fst e).
  { clear m. induction m as [|b m IH]; intros a H e He; [contradiction|]. cbn [ascending] in H.
    apply andb_true_iff in H. destruct H as [H1 H2]. apply Z.ltb_lt in H1.
    destruct He as [<-|He]; [assumption|]. specialize (IH b H2 e He). lia. }
  induction m as [|a m IH]; intros H; [constructor|]. cbn [map]. constructor.
  - intros I. apply in_map_iff in I. destruct I as (e & E & He). specialize (G m a H e He). lia.
  - apply IH. destruct m; [reflexivity|]. cbn [ascending] in H. apply andb_true_iff in H. apply H.
Qed.

Lemma merge_table_ok t m : merge_table t = Some m -> merged t m.
Proof.
  unfold merge_table. destruct (forallb _ (rows t)) eqn:E; [|discriminate]. rewrite forallb_forall in E.
  set (m' := merge _ _ _). destruct (ascending m' && _) eqn:E2; [|discriminate]. intros H; inversion H; subst m. clear H.
  apply andb_true_iff in E2. destruct E2 as [E2 E3]. rewrite forallb_forall in E3.
  assert (HL : forall r, In r (rows t) -> (label r < n_classes t)%nat /\ 0 < weight r).
  { intros r Hr. specialize (E r Hr). apply andb_true_iff in E. destruct E as [E4 E5].
    apply Nat.ltb_lt in E4. apply Z.ltb_lt in E5. auto. }
  split.
  - intros f. symmetry. apply merge_ev. intros r Hr. now apply HL.
  - now apply ascending_nodup.
  - intros r Hr. now apply HL.
  - intros r Hr. now apply HL.
  - intros e He. apply Z.ltb_lt. auto.
Qed.

Lemma sum_pos_in {A} (f : A -> Z) l : 0 < sum f l -> exists x, In x l /\ f x <> 0.
Proof.
  intros H. induction l as [|x l IH]; [cbn in H; lia|]. rewrite sum_cons in H.
  destruct (Z.eq_dec (f x) 0) as [E|E]; [|exists x; split; [now left|assumption]].
  destruct IH as (y & Hy & Ey); [lia|]. exists y. split; [now right|assumption].
Qed.

Section Represented.
Variable t : table.
Variable m : list entry_t.
Hypothesis M : merged t m.
Notation n := (n_classes t).

Lemma sum_single_key (g : entry_t -> Z) e : In e m ->
  sum (fun e' => if fst e' =? fst e then g e' else 0) m = g e.
Proof.
  pose proof (one_per_key t m M) as N. clear M. revert N. induction m as [|a l IH]; intros N I; [contradiction|].
  cbn [map] in N. inversion N; subst. rewrite sum_cons. destruct I as [->|I].
  - rewrite Z.eqb_refl. rewrite (sum_eq _ (fun _ => 0)); [rewrite sum_zero; lia|]. intros y Hy.
    destruct (fst y =? fst e) eqn:E; [|reflexivity]. apply Z.eqb_eq in E. exfalso. apply H1. rewrite <- E. now apply in_map.
  - rewrite IH by assumption. destruct (fst a =? fst e) eqn:E; [|lia]. apply Z.eqb_eq in E. exfalso. apply H1.
    rewrite E. now apply in_map.
Qed.

Lemma ev_at_key f k e : ev n (fun k' c => if k' =? k then f k' c else 0) e = if fst e =? k then ev n f e else 0.
Proof.
  destruct (fst e =? k) eqn:E.
  - apply ev_ext. intros. now rewrite E.
  - rewrite (ev_ext n _ (fun _ _ => 0 * 0)).
    + unfold ev. rewrite (dot_map_scale _ 0 (fun _ => 0)). lia.
    + intros. rewrite E. lia.
Qed.

(** The weight of a class among the rows of an entry. *)
Lemma own_weight e c : In e m ->
  sum (fun r => weight r * (if key t r =? fst e then if Nat.eqb (label r) c then 1 else 0 else 0)) (rows t) = own n c e.
Proof.
  intros He. rewrite (stands_for t m M (fun k l => if k =? fst e then if Nat.eqb l c then 1 else 0 else 0)).
  rewrite (sum_eq _ (fun e' => if fst e' =? fst e then own n c e' else 0)).
  - now apply sum_single_key.
  - intros e' _. apply (ev_at_key (fun _ l => if Nat.eqb l c then 1 else 0)).
Qed.

Lemma row_entry r : In r (rows t) -> exists e, In e m /\ fst e = key t r.
Proof.
  intros Hr. assert (P : 0 < sum (ev n (fun k _ => if k =? key t r then 1 else 0)) m).
  { rewrite <- (stands_for t m M). pose proof (weights_positive t m M) as W.
    assert (weight r * (if key t r =? key t r then 1 else 0) <=
            sum (fun r0 => weight r0 * (if key t r0 =? key t r then 1 else 0)) (rows t)).
    { apply (sum_in (fun r0 => weight r0 * (if key t r0 =? key t r then 1 else 0))); [|assumption].
      intros y Hy. specialize (W y Hy). destruct (key t y =? key t r); lia. }
    rewrite Z.eqb_refl in H. specialize (W r Hr). lia. }
  apply sum_pos_in in P. destruct P as (e & He & P). exists e. split; [assumption|].
  pose proof (ev_at_key (fun _ _ => 1) (key t r) e) as E. cbn beta in E. rewrite E in P.
  destruct (fst e =? key t r) eqn:E2; [now apply Z.eqb_eq|congruence].
Qed.

Lemma entry_row e : In e m -> exists r, In r (rows t) /\ key t r = fst e.
Proof.
  intros He. assert (P : 0 < sum (fun r => weight r * (if key t r =? fst e then 1 else 0)) (rows t)).
  { rewrite (stands_for t m M (fun k _ => if k =? fst e then 1 else 0)).
    rewrite (sum_eq _ (fun e' => if fst e' =? fst e then all n e' else 0)).
    - rewrite sum_single_key by assumption. now apply (entries_positive t m M).
    - intros e' _. apply (ev_at_key (fun _ _ => 1)). }
  apply sum_pos_in in P. destruct P as (r & Hr & P). exists r. split; [assumption|].
  destruct (key t r =? fst e) eqn:E; [now apply Z.eqb_eq|lia].
Qed.

Lemma weight_like_own r e c : In e m -> fst e = key t r -> weight_like t r c = own n c e.
Proof.
  intros He E. rewrite <- own_weight by assumption. unfold weight_like. rewrite sum_filter. apply sum_eq. intros s _.
  rewrite E. destruct (alike t r s) eqn:A.
  - apply alike_key in A. rewrite A, Z.eqb_refl. cbn [andb]. destruct (Nat.eqb (label s) c); lia.
  - cbn [andb]. destruct (key t s =? key t r) eqn:K; [|lia]. apply Z.eqb_eq in K. symmetry in K. apply alike_key in K. congruence.
Qed.

Lemma kept_heaviest r e : In e m -> fst e = key t r ->
  kept t r = heaviest n (fun d => own n d e) (label r).
Proof.
  intros He E. unfold kept, heaviest, all_classes. 
  assert (W : forall c, weight_like t r c = own n c e) by (intros; now apply weight_like_own).
  induction (seq 0 n) as [|c l IH]; [reflexivity|]. cbn [forallb]. rewrite IH, !W. reflexivity.
Qed.

Theorem reduced_represents : represents t (kept_rows t) (map (reduce n) m).
Proof.
  intros f. unfold kept_rows. rewrite sum_filter, sum_map.
  (* heaviest, as a function of key and class *)
  set (w := fun k c => sum (fun r => weight r * (if key t r =? k then if Nat.eqb (label r) c then 1 else 0 else 0)) (rows t)).
  assert (W : forall e, In e m -> forall c, heaviest n (w (fst e)) c = heaviest n (fun d => own n d e) c).
  { intros e He c. unfold heaviest. induction (seq 0 n) as [|d l IH]; [reflexivity|]. cbn [forallb]. rewrite IH.
    unfold w. now rewrite !own_weight. }
  rewrite (sum_eq (fun e => ev n f (reduce n e)) (ev n (fun k c => if heaviest n (w k) c then f k c else 0))).
  - rewrite <- (stands_for t m M). apply sum_eq. intros r Hr.
    destruct (row_entry r Hr) as (e & He & E). rewrite (kept_heaviest r e He E). rewrite <- E, W by assumption.
    destruct (heaviest n (fun d => own n d e) (label r)); lia.
  - intros e He. rewrite reduce_ev. apply ev_ext. intros c _. now rewrite W.
Qed.

Lemma kinds_keys rs : kinds t rs = Z.of_nat (length (nodup Z.eq_dec (map (key t) rs))).
Proof.
  induction rs as [|r rs IH]; [reflexivity|]. cbn [kinds map nodup]. rewrite IH.
  destruct (existsb (alike t r) rs) eqn:E; destruct (in_dec Z.eq_dec (key t r) (map (key t) rs)) as [I|I].
  - lia.
  - exfalso. apply I. apply existsb_exists in E. destruct E as (s & Hs & A). apply alike_key in A. rewrite A. now apply in_map.
  - exfalso. apply in_map_iff in I. destruct I as (s & Es & Hs).
    assert (existsb (alike t r) rs = true) by (apply existsb_exists; exists s; split; [assumption|apply alike_key; congruence]).
    congruence.
  - cbn [length]. lia.
Qed.

Theorem kinds_merged : kinds t (rows t) = Z.of_nat (length m).
Proof.
  rewrite kinds_keys. f_equal. transitivity (length (map fst m)); [|apply map_length]. apply Nat.le_antisymm.
  - apply NoDup_incl_length; [apply NoDup_nodup|]. intros k Hk. apply nodup_In in Hk. apply in_map_iff in Hk.
    destruct Hk as (r & <- & Hr). destruct (row_entry r Hr) as (e & He & <-). now apply in_map.
  - apply NoDup_incl_length; [apply (one_per_key t m M)|]. intros k Hk. apply in_map_iff in Hk.
    destruct Hk as (e & <- & He). apply nodup_In. destruct (entry_row e He) as (r & Hr & <-). now apply in_map.
Qed.
End Represented.
