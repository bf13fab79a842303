"""What the documents say is true: examples run, commands work, paths exist."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest
from sklearn.datasets import load_iris, load_wine

from laconic import DecisionSetClassifier, load_model
from laconic.cli.main import run
from laconic.engines import registry
from laconic.problem.objective import Kind

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)


def test_the_python_of_the_readme_runs():
    (code,) = blocks(README, "python")
    example = doctest.DocTestParser().get_doctest(code, {}, "README", "README.md", 0)
    assert len(example.examples) >= 7
    runner = doctest.DocTestRunner(optionflags=doctest.REPORT_NDIFF)
    failures: list[str] = []
    runner.run(example, out=failures.append)
    assert "".join(failures) == ""


@pytest.mark.parametrize(
    "engine", [name for name in registry.available() if Kind.PERFECT in registry.entry(name).kinds]
)
def test_the_papers_first_example_has_size_7_with_every_perfect_engine(engine):
    (code,) = blocks(README, "python")
    setting = 'objective="perfect"'
    assert setting in code
    changed = code.replace(setting, f'{setting}, engine="{engine}"')
    example = doctest.DocTestParser().get_doctest(changed, {}, engine, "README.md", 0)
    failures: list[str] = []
    doctest.DocTestRunner().run(example, out=failures.append)
    assert "".join(failures) == ""


def test_the_rules_shown_first_are_those_of_the_default_fit():
    data = load_wine(as_frame=True)
    clf = DecisionSetClassifier().fit(data.data, data.target_names[data.target])
    assert clf.optimal_
    assert blocks(README, "")[0] == f"{clf.decision_set_}\n({clf.choice_.text})\n"


def test_the_commands_of_the_readme_work(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    data = load_iris(as_frame=True)
    data.data.assign(species=data.target_names[data.target]).to_csv("iris.csv", index=False)
    (lines,) = blocks(README, "console")
    commands = [shlex.split(line.removeprefix("$ ")) for line in lines.splitlines()]
    assert {command[1] for command in commands} >= {"fit", "show", "predict", "explain", "verify", "bench"}
    for program, *arguments in commands:
        assert (program, run(arguments)) == ("laconic", 0), arguments
    assert "stands on iris.csv" in capsys.readouterr().out
    assert load_model("model.json").proof.optimal


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/architecture.md"])
def test_links_and_make_targets_exist(name):
    document = ROOT / name
    text = document.read_text(encoding="utf-8")
    for link in re.findall(r"\]\(([^)]+)\)", text):
        assert link.startswith("http") or (document.parent / link).exists(), link
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), flags=re.MULTILINE))
    assert set(re.findall(r"\bmake ([a-z-]+)(?=[`\s]*(?:#|`|$))", text, flags=re.MULTILINE)) <= targets


def test_every_room_and_file_of_the_architecture_page_exists():
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    package = ROOT / "src" / "laconic"
    places = ((package, "*.py"), (ROOT / "benchmarks", "*.py"), (ROOT / "native", "*.cpp"))
    known = {path.name for place, ending in places for path in place.rglob(ending)}
    for path in re.findall(r"`([\w/]+\.(?:py|cpp))`", text):
        assert (package / path).exists() if "/" in path else path in known, path
    for folder, prefix in ((package, ""), (package / "engines", "engines/")):
        rooms = {f"{prefix}{path.name}/" for path in folder.iterdir() if (path / "__init__.py").exists()}
        unsaid = sorted(name for name in rooms if f"`{name}`" not in text)
        assert unsaid == [], "give these a word in docs/architecture.md"


def test_the_top_of_the_package_stays_small():
    entries = {p.name for p in (ROOT / "src" / "laconic").iterdir() if p.name != "__pycache__"}
    assert len(entries) <= 16, sorted(entries)
