"""Tables, figures and pages from a handful of records whose numbers can be counted by hand."""

import json
import re
from dataclasses import replace

import pytest
from tests.support.bench_records import RECORDS, SAMPLED, failed, solved

from laconic.bench import figures, page, series
from laconic.bench.compare import as_text as compare_text
from laconic.bench.compare import comparison, drawing
from laconic.bench.methods import METHODS
from laconic.bench.records import Exit
from laconic.bench.table import (
    as_text,
    common,
    comparable_groups,
    frame,
    n_common,
    on_same_sets,
    summary,
    to_markdown,
)
from laconic.runtime.errors import InputError


def test_a_summary_counts_what_a_person_counts():
    result = summary(frame(RECORDS))
    assert result.loc["sp-l3", ["tasks", "solved", "timeouts", "failed"]].tolist() == [3, 3, 0, 0]
    assert result.loc["ripper", ["tasks", "solved", "timeouts", "failed"]].tolist() == [3, 2, 0, 1]
    assert result.loc["opt", ["tasks", "solved", "answered", "timeouts"]].tolist() == [3, 1, 2, 2]
    assert result.loc["sp-l3", "mean_size"] == pytest.approx(7 / 3)
    assert result.loc["sp-l3", "median_size"] == 3
    assert result.loc["sp-l3", "median_s"] == 0.2
    assert result.loc["sp-l3", "strict_all"] == pytest.approx(80)
    assert result.loc["ripper", "strict_all"] == pytest.approx((90 + 0 + 70) / 3)  # unsolved = 0
    assert result.loc["ripper", "strict_solved"] == pytest.approx(80)
    assert result.loc["opt", "strict_all"] == pytest.approx(100 / 3)  # the unproved answer is unsolved
    # Only fold 1 was solved by all three.
    assert n_common(frame(RECORDS)) == 1
    assert result["strict_common"].to_dict() == pytest.approx({"sp-l3": 60, "ripper": 90, "opt": 100})
    assert result["plain_common"].to_dict() == pytest.approx({"sp-l3": 80, "ripper": 90, "opt": 100})


def test_methods_can_be_chosen_and_common_follows():
    table = frame(RECORDS, ["ripper", "sp-l3"])
    assert list(summary(table).index) == ["ripper", "sp-l3"]
    assert sorted(set(common(table)["fold"])) == [1, 3]
    with pytest.raises(InputError, match="no task of method 'cn2'"):
        frame(RECORDS, ["cn2"])
    with pytest.raises(InputError, match="no records"):
        frame([])


def test_a_method_named_twice_counts_once():
    once = summary(frame(RECORDS, ["ripper", "opt"]))
    assert summary(frame(RECORDS, ["ripper", "opt", "ripper"])).equals(once)


def test_of_two_limits_the_higher_one_counts():
    late = solved("opt", 2, size=7, wrong=0, limit=100.0)
    for records in ([*RECORDS, late], [late, *RECORDS]):
        result = summary(frame(records))
        assert result.loc["opt", ["tasks", "solved"]].tolist() == [3, 2]


def test_a_method_without_any_answer_has_dashes_not_numbers():
    cells = as_text(summary(frame([failed("opt", 1)])))
    row = dict(zip(cells[0], cells[1], strict=True))
    assert (row["solved"], row["mean size"], row["strict acc. on all %"]) == ("0", "–", "0.00")
    assert to_markdown(cells).count("\n") == 3


def test_what_used_too_much_processor_time_has_a_column_where_there_is_any():
    assert "CPU-outs" not in as_text(summary(frame(RECORDS)))[0]
    cells = as_text(summary(frame([*RECORDS, failed("cn2", 1, Exit.CPUOUT)])))
    row = dict(zip(cells[0], cells[-1], strict=True))
    assert (row["method"], row["CPU-outs"], row["time-outs"], row["failed"]) == ("cn2", "1", "0", "0")


def test_a_cactus_is_sorted_and_ranked():
    times = series.time_curves(frame(RECORDS))
    assert [(curve.label, curve.summary) for curve in times] == [
        ("sp[λ3], 10 s", "3 of 3 solved"),
        ("ripper, 10 s", "2 of 3 solved"),
        ("opt, 10 s", "1 of 3 solved"),
    ]
    assert times[0].values.tolist() == [0.1, 0.2, 0.5]
    sizes = series.size_curves(frame(RECORDS))
    assert [curve.method for curve in sizes] == ["sp-l3", "ripper", "opt"]
    assert sizes[1].values.tolist() == [10, 30]


def test_accuracy_on_all_has_zeros_for_the_unsolved_and_on_common_a_family_can_share_a_curve():
    everything = {curve.method: curve for curve in series.accuracy_curves(frame(RECORDS), on_common=False)}
    assert everything["ripper"].values.tolist() == pytest.approx([90, 70, 0])
    assert everything["opt"].values.tolist() == pytest.approx([100, 0, 0])
    mopt = solved("mopt", 1, size=40, wrong=4)
    table = frame([*RECORDS, mopt])
    apart = series.accuracy_curves(table, on_common=True)
    assert [curve.method for curve in apart] == ["opt", "ripper", "mopt", "sp-l3"]
    shared = series.accuracy_curves(table, on_common=True, as_one="perfect")
    assert [(curve.method, curve.label) for curve in shared] == [
        ("ripper", "ripper, 10 s"),
        ("perfect", "perfect, 10 s"),
        ("sp-l3", "sp[λ3], 10 s"),
    ]
    assert shared[1].values.tolist() == pytest.approx([80])


def test_a_scatter_plot_takes_the_training_sets_that_both_solved():
    points = series.pairs(frame(RECORDS), "sp-l3", "ripper", "size")
    assert sorted(zip(points.x, points.y, strict=True)) == [(1, 30), (3, 10)]
    unproved = series.pairs(frame(RECORDS), "sp-l3", "opt", "size")  # opt's answer on fold 3 is not proved
    assert (unproved.x.tolist(), unproved.y.tolist()) == ([1], [40])
    points = series.pairs(frame(RECORDS), "sp-l3", "ripper", "strict")
    assert sorted(zip(points.x, points.y, strict=True)) == [pytest.approx((60, 90)), pytest.approx((100, 70))]


def test_figures_are_written_twice_and_say_what_they_show(tmp_path):
    drawings = figures.draw(frame(RECORDS))
    paths = figures.save(drawings, tmp_path)
    assert [path.name for path in paths if path.suffix == ".png"] == [
        "time.png",
        "size.png",
        "accuracy-all.png",
        "accuracy-common.png",
        "size-ripper.png",
        "strict-ripper.png",
    ]
    assert all(path.stat().st_size > 1000 for path in paths)
    svg = (tmp_path / "size.svg").read_text()
    assert "sp[λ3], 10 s  (mean 2.33 on 3)" in svg
    assert "size: literals + rules" in svg
    again = figures.save(figures.draw(frame(RECORDS)), tmp_path / "again")
    assert [path.read_bytes() for path in again] == [path.read_bytes() for path in paths]


def test_figures_of_nothing_solved_are_empty_not_broken(tmp_path):
    table = frame([failed("opt", 1), failed("ripper", 1)])
    paths = figures.save(figures.draw(table), tmp_path)
    assert "no training set solved" in (tmp_path / "time.svg").read_text()
    assert len(paths) == 12


def scatters(table, **chosen):
    names = [one.name for one in figures.draw(table, **chosen)]
    return [name for name in names if not name.startswith(("time", "accuracy")) and name != "size"]


def test_without_a_method_of_laconic_there_are_no_scatter_plots():
    assert scatters(frame(RECORDS, ["ripper"])) == []
    assert scatters(frame(RECORDS, ["ripper"]), rivals=["ripper"]) == []


def test_a_method_is_not_drawn_against_itself():
    assert scatters(frame(RECORDS), ours="ripper") == []
    with pytest.raises(InputError, match="'ripper' would be drawn against itself"):
        scatters(frame(RECORDS), ours="ripper", rivals=["ripper"])


def test_rivals_can_be_named_and_each_is_drawn_once():
    expected = ["size-opt", "strict-opt"]
    assert scatters(frame(RECORDS), rivals=["opt", "opt"]) == expected


@pytest.mark.parametrize(
    ("chosen", "option"), [({"ours": "cn2"}, "--ours"), ({"rivals": ["cn2"]}, "--rival")]
)
def test_a_method_named_for_a_scatter_plot_must_have_records(chosen, option):
    for names in (None, ["sp-l3"]):
        with pytest.raises(InputError, match=rf"{option} 'cn2'; choose among: .*sp-l3"):
            figures.draw(frame(RECORDS, names), **chosen)


def test_figures_are_not_written_below_a_file(tmp_path):
    (tmp_path / "a").touch()
    with pytest.raises(InputError, match="cannot make folder"):
        figures.save([], tmp_path / "a")


def test_the_page_needs_nothing_from_outside_and_its_ids_are_unique():
    table = frame(RECORDS)
    html = page.render(table, RECORDS, figures.draw(table), "A <title>")
    assert "A &lt;title&gt;" in html
    assert html.count("<svg") == 6
    outside = re.findall(r'(?:src|href)="(?!#)([^"]*)"', html)
    assert outside == []
    ids = re.findall(r'\bid="([^"]*)"', html)
    assert len(ids) == len(set(ids)) > 0
    used = set(re.findall(r'(?:href="#|url\(#)([^")]*)', html))
    assert used <= set(ids)
    assert "ValueError: no | rules" in html
    assert "53.33" in html


def test_methods_are_compared_on_the_sets_that_all_of_them_were_run_on():
    same, whole = comparable_groups(frame(SAMPLED))
    assert (same.name, same.key) == ("the same 1 training sets", "")
    assert sorted(same.table["method"]) == ["cn2", "opt", "ripper", "sp-l3"]
    assert set(same.table["fold"]) == {1}
    assert (whole.name, whole.key) == ("all 3 training sets", "whole")
    assert sorted(whole.table["method"].cat.categories) == ["opt", "ripper", "sp-l3"]
    assert len(whole.table) == 9
    (only,) = comparable_groups(frame(RECORDS))
    assert (only.name, len(only.table)) == ("all 3 training sets", 9)


def test_methods_without_a_common_set_are_shown_with_a_warning():
    table = frame([solved("opt", 1, size=3, wrong=0), solved("ripper", 2, size=3, wrong=0)])
    (only,) = comparable_groups(table)
    assert "must not be compared" in only.name
    with pytest.raises(InputError, match="no training set was run by every method"):
        on_same_sets(table)


def test_figures_of_a_sample_do_not_mix_it_with_everything(tmp_path):
    drawings = {one.name: one for one in figures.draw(frame(SAMPLED))}
    figures.save(list(drawings.values()), tmp_path, endings=("svg",))
    sample, whole = ((tmp_path / f"time{end}.svg").read_text() for end in ("", "-whole"))
    assert "ripper, 10 s  (1 of 1 solved)" in sample
    assert "cn2, 60 s  (1 of 1 solved)" in sample
    assert "ripper, 10 s  (2 of 3 solved)" in whole
    assert "cn2" not in whole
    assert drawings["time"].title == "Time, on the same 1 training sets"
    assert drawings["accuracy-all-whole"].title.endswith("on all 3 training sets")


def test_many_curves_are_drawn_in_a_panel_per_kind_of_method():
    names = [*list(METHODS)[: figures.MAX_CURVES], "ripper", "of no registry"]
    table = frame([solved(name, 1, size=3, wrong=0) for name in names])
    drawn = figures.draw(table)[0].figure
    assert [axes.get_title() for axes in drawn.axes] == [
        "perfect sets",
        "sparse sets",
        "heuristics and trees",
        "others",
    ]
    shown = [len(axes.get_legend().get_texts()) for axes in drawn.axes]
    assert sum(shown) == len(names)
    assert all(len(axes.lines) == len(names) for axes in drawn.axes)  # the others are there in grey
    (few,) = figures.draw(frame(RECORDS))[0].figure.axes
    assert len(few.lines) == 3


def test_what_records_were_made_with_adds_up_to_all_of_them():
    lost = replace(RECORDS[0], commit=None)
    told = dict(
        page.circumstances([replace(RECORDS[1], commit="abc"), replace(RECORDS[2], commit="abd"), lost])
    )
    assert told["commit"] == "abc (1); abd (1); not recorded (1)"
    assert told["laconic"] == "0.1"
    many = [replace(RECORDS[0], commit=f"c{i}") for i in range(40)]
    assert dict(page.circumstances(many))["commit"].count("(1)") == 40


def test_a_comparison_uses_unproved_answers_and_says_so():
    result = comparison(frame(RECORDS))
    assert result.loc["opt", "size"] == pytest.approx(30)
    assert result.loc["opt", "strict"] == pytest.approx(75)
    assert result.loc["opt", "strict_sd"] == pytest.approx(25)
    assert result.loc["opt", "note"] == "1 timeout, 1 not proved"
    cells = compare_text(result)
    assert [row[0] for row in cells] == ["method", "opt", "sp[λ3]", "ripper"]
    assert cells[1][1:3] == ["2 of 3", "30.0 ± 10.0"]
    assert json.loads(result.to_json())["size"]["sp-l3"] == pytest.approx(7 / 3)


def test_the_comparison_is_drawn_even_if_a_method_failed(tmp_path):
    result = comparison(frame([*RECORDS, failed("exact", 1, Exit.ERROR, "no")]))
    path = tmp_path / "plot.svg"
    drawing(result, "iris").figure.savefig(path)
    assert path.stat().st_size > 1000


def test_small_sizes_are_drawn_on_a_linear_axis_with_room_on_the_right():
    records = [solved("sp-l3", 1, size=1, wrong=0), solved("sp-l3", 2, size=5, wrong=0)]
    for place in drawing(comparison(frame(records)), "iris").figure.axes:
        assert place.get_xscale() == "linear"
        assert place.get_xlim() == pytest.approx((0, 1.15 * 5))  # mean 3, standard deviation 2
        inside = [tick for tick in place.get_xticks() if 0 <= tick <= 5.75]
        assert len(inside) >= 4
        assert all(tick == int(tick) for tick in inside)
        assert 90 < place.get_ylim()[0] < place.get_ylim()[1] <= 101


def test_large_sizes_are_drawn_on_a_logarithmic_axis_with_room_on_the_right():
    for place in drawing(comparison(frame(RECORDS)), "iris").figure.axes:
        assert place.get_xscale() == "symlog"
        assert place.get_xlim() == pytest.approx((0, 1.15 * 40))  # opt: mean 30, standard deviation 10
        assert place.get_ylim()[1] <= 101


def test_a_comparison_without_any_answer_is_an_empty_plot(tmp_path):
    drawing(comparison(frame([failed("opt", 1)])), "iris").figure.savefig(tmp_path / "plot.png")
