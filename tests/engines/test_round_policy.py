"""What column generation does next: each decision by itself, from figures alone."""

from __future__ import annotations

import math

import pytest
from tests.support.native_testing import parts


def figures(best=50.0, target=100.0, n_pairs=1e4, coarse=True):
    return parts.AscentFigures(coarse, best, target, n_pairs)


def after(n_rounds, *, large=False, options=None, n_found=40, grew=True, complete=False):
    """Return a policy after some rounds that all went alike."""
    policy = parts.RoundPolicy(large, options or {})
    for _ in range(n_rounds):
        policy.note_partial_pass(n_found, 1000.0)
        policy.end_round(grew, complete)
    return policy


def test_ascents_on_groups_to_be_split_are_short_and_grow_while_the_list_does_not():
    policy = parts.RoundPolicy(False)
    assert (policy.n_steps(True), policy.n_steps(False)) == (200, 800)
    for n_rounds, factor in [(1, 2), (2, 4), (3, 8), (4, 16), (5, 16), (9, 16)]:
        assert after(n_rounds, grew=False, complete=True).n_steps(False) == factor * 800
    policy = after(3, grew=False, complete=True)
    policy.end_round(True, True)
    assert policy.n_steps(False) == 800


def test_a_round_without_a_complete_pass_is_no_sign_that_no_rule_is_missing():
    assert after(3, grew=False, complete=False).n_steps(False) == 800


def test_groups_get_finer_where_the_list_alone_stays_far_below_the_incumbent():
    policy = after(2, n_found=0)
    assert policy.needs_finer_groups(figures(best=94.0))
    assert not policy.needs_finer_groups(figures(best=96.0))  # within 5 %
    assert not policy.needs_finer_groups(figures(best=50.0, coarse=False))
    assert not after(1, n_found=0).needs_finer_groups(figures(best=50.0))  # two rounds first


def test_a_list_that_grows_comes_before_finer_groups_for_some_rounds_and_on_few_pairs():
    assert not after(2, n_found=8).needs_finer_groups(figures())
    assert after(6, n_found=8).needs_finer_groups(figures())
    policy = after(2, n_found=8, options={"sparse_first_pairs": 160_001})
    assert policy.needs_finer_groups(figures())


def test_groups_get_finer_where_the_list_promises_hardly_more_than_is_proved():
    policy = after(2)
    assert policy.needs_finer_groups(figures(best=80.0), 76.0, 100.0)  # promises 4 of the 20 that are missing
    assert not policy.needs_finer_groups(figures(best=80.0), 74.0, 100.0)
    assert not policy.needs_finer_groups(figures(best=80.0, coarse=False), 79.0, 100.0)


def test_pairs_grow_by_a_factor_up_to_their_limit():
    policy = parts.RoundPolicy(False, {"sparse_most_pairs": 100_000.0})
    pairs = []
    for _ in range(4):
        pairs.append(policy.max_pairs)
        policy.make_finer()
    assert pairs == [10_000, 40_000, 100_000, 100_000]


def test_a_limit_below_the_first_pairs_holds():
    assert parts.RoundPolicy(False, {"sparse_most_pairs": 500.0}).max_pairs == 500


@pytest.mark.parametrize(("n_pairs", "every"), [(1e4, 6), (100_000, 6), (100_001, 3), (1e6, 3), (1e6 + 1, 1)])
def test_small_tables_have_a_complete_pass_every_few_rounds(n_pairs, every):
    due = []
    for k in range(12):
        policy = after(k)
        policy.note_partial_pass(40, 0.0)
        due.append(policy.needs_pass(figures(n_pairs=n_pairs), True, 0.0))
    assert due == [k % every == every - 1 for k in range(12)]


def test_few_violated_rules_in_a_partial_pass_and_a_missing_bound_lead_to_a_pass():
    policy = after(1)
    policy.note_partial_pass(3, 0.0)
    assert policy.needs_pass(figures(), True, 0.0)
    policy.note_partial_pass(4, 0.0)
    assert not policy.needs_pass(figures(), True, 0.0)
    assert not after(1).needs_pass(figures(), False, 0.0)
    assert after(2).needs_pass(figures(), False, 0.0)


def test_passes_over_large_tables_take_a_share_of_the_work():
    policy = after(10, large=True)
    figure = figures(best=99.0)
    policy.note_pass(7_000.0)
    assert policy.needs_pass(figure, True, 400.0)  # 0.75 * 10,000 nodes of partial passes exceed both passes
    assert not policy.needs_pass(figure, True, 600.0)


def test_large_tables_have_no_pass_while_their_groups_are_about_to_get_finer_but_for_a_first_bound():
    policy = after(4, large=True)
    assert not policy.needs_pass(figures(best=50.0), True, 0.0)
    assert policy.needs_pass(figures(best=50.0), False, 0.0)
    assert policy.needs_pass(figures(best=99.0), True, 0.0)
    policy.make_finer()
    assert not policy.needs_pass(figures(best=99.0), True, 0.0)


def test_the_time_is_used_up_later_while_finer_groups_are_about_to_come():
    policy = after(4, large=True)
    assert policy.share_before_last_pass(figures(best=99.0)) == 0.5  # no pass over these groups yet
    policy.note_pass(1.0)
    assert policy.share_before_last_pass(figures(best=99.0)) == 0.25
    assert policy.share_before_last_pass(figures(best=50.0)) == 0.5


def test_column_generation_converges_on_groups_that_merge_nothing_that_counts():
    policy = after(3)
    fine = figures(best=98.0, coarse=False)
    assert policy.has_converged(fine, 0, 50.0, 100.0)
    assert policy.has_converged(fine, 9, 97.99, 100.0)
    assert not policy.has_converged(fine, 9, 97.0, 100.0)
    assert not policy.has_converged(figures(best=98.0), 0, 97.99, 100.0)
    assert after(4, grew=False, complete=True).has_converged(fine, 9, 50.0, 100.0)


def test_it_converges_on_coarse_groups_only_if_nothing_else_is_left_to_try():
    finest = {"sparse_most_pairs": 10_000.0}
    assert after(4, grew=False, complete=True, options=finest).has_converged(figures(), 9, 1.0, 100.0)
    assert not after(3, grew=False, complete=True, options=finest).has_converged(figures(), 9, 1.0, 100.0)
    assert not after(4, grew=False, complete=True).has_converged(figures(), 9, 1.0, 100.0)


def test_a_long_list_waits_for_some_rounds():
    policy = after(2)
    assert not policy.has_waited
    policy.put_list_off()
    for _ in range(14):
        policy.end_round(True, False)
        policy.put_list_off()  # the first time counts
    assert not policy.has_waited
    policy.end_round(True, False)
    assert policy.has_waited


def test_trust_grows_after_a_success_as_far_as_the_limit_should_allow():
    trust = parts.PassTrust()
    trust.succeed(1000.0, 20_000)
    assert trust.value == pytest.approx(0.5 + math.log(20) / 12)
    for _ in range(20):
        trust.succeed(1000.0, 20_000)
    assert trust.value == 1.0


def test_trust_learns_the_growth_from_two_passes():
    trust = parts.PassTrust()
    trust.succeed(1000.0, 20_000)
    step = trust.value - 0.5
    trust.succeed(1000.0 * math.exp(30 * step), 10**12)
    far = math.log(10**12 / (1000.0 * math.exp(30 * step))) / 30
    assert trust.value == pytest.approx(min(1.0, 0.5 + step + far))


def test_trust_shrinks_after_a_failure_and_forgets_what_tells_nothing():
    trust = parts.PassTrust()
    trust.fail(20_000)
    assert trust.value == pytest.approx(0.85 * 0.5)
    trust = parts.PassTrust()
    trust.succeed(1000.0, 20_000)
    before = trust.value
    trust.fail(20_000)
    assert 0.5 < trust.value < before
    assert trust.last_nodes == 1000.0
    for _ in range(40):
        trust.fail(20_000)
    assert trust.is_near
    assert trust.last_nodes == 0.0


def test_an_interrupted_pass_makes_trust_smaller_but_not_tiny():
    trust = parts.PassTrust()
    for _ in range(20):
        trust.interrupt()
    assert trust.value == 0.2
    assert not trust.is_near
