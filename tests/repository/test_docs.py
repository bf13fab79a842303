"""The site's pages are true: their Python gives what they show, and their commands do what they say."""

from __future__ import annotations

import ast
import doctest
import inspect
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from numpydoc.validate import validate

import laconic

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
MADE = ("_build", "gallery", "generated")
PAGES = sorted(
    path.relative_to(DOCS).as_posix()
    for path in DOCS.rglob("*.md")
    if not set(path.relative_to(DOCS).parts) & set(MADE)
)
RUN = [page for page in PAGES if re.search(r"^```(python|console)$", (DOCS / page).read_text(), re.MULTILINE)]

SET_UP = re.compile(r"(git clone|cd|make|pip install|source) ?")
"""Commands that fetch or build things, or change the shell; the tests run where they have been run."""


def test_the_pages_that_must_exist_do():
    assert set(PAGES) >= {
        "start.md",
        "your-csv.md",
        "lambda.md",
        "perfect-or-sparse.md",
        "reading-a-proof.md",
    }
    assert len(RUN) >= 10


@pytest.mark.parametrize("page", RUN)
def test_everything_a_page_shows_is_so(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    ran = 0
    for language, body in fences(DOCS / page):
        if language == "python":
            ran += run_python(body, names, page)
        elif language == "console":
            ran += run_commands(body)
    assert ran > 0


@pytest.mark.parametrize("page", PAGES)
def test_no_page_holds_code_that_is_not_run(page):
    shown = {language for language, _ in fences(DOCS / page)}
    assert {word for word in shown if not word.startswith("{")} <= {"python", "console", "text", ""}


def test_a_wrong_page_would_be_noticed():
    with pytest.raises(AssertionError, match="Expected"):
        run_python(">>> 1 + 1\n3\n", {}, "page")
    with pytest.raises(AssertionError, match="Expected"):
        run_commands("$ echo one\ntwo\n")
    with pytest.raises(AssertionError, match="exit code 1"):
        run_commands("$ false\n")


def test_every_gallery_script_has_its_place():
    order = re.findall(r'"(plot_\w+\.py)"', (DOCS / "conf.py").read_text())
    assert sorted(order) == sorted(path.name for path in (ROOT / "examples").glob("plot_*.py"))


def test_make_targets_and_commands_named_by_pages_exist():
    from typer.main import get_command

    from laconic.cli.main import app

    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), flags=re.MULTILINE))
    commands = set(get_command(app).commands)
    for page in PAGES:
        text = (DOCS / page).read_text(encoding="utf-8")
        assert set(re.findall(r"`make ([a-z-]+)", text)) <= targets, page
        assert set(re.findall(r"`laconic ([a-z]+)", text)) <= commands, page


def public_names() -> Iterator[str]:
    """Yield what ``laconic.__all__`` reaches: its functions and classes, their methods and properties."""
    for name in laconic.__all__:
        found = getattr(laconic, name)
        if not (inspect.isclass(found) or inspect.isfunction(found)):
            continue
        path = f"{found.__module__}.{found.__qualname__}"
        yield path
        if inspect.isclass(found):
            for member, value in vars(found).items():
                documented = callable(value) or isinstance(value, property | classmethod | staticmethod)
                made = member.startswith("set_") and member.endswith("_request")  # scikit-learn adds these
                if documented and not member.startswith("_") and not made:
                    yield f"{path}.{member}"


OPTIONAL = {
    "ES01",  # a longer text, where one sentence says it
    "EX01",  # an example of each method; the pages have them
    "SA01",  # "See also"
    "PR07",  # a word on parameters whose type says it all
    "PR08",  # a capital to begin with, which λ and ``sparse`` do not have
    "RT03",  # a word on what is returned
}


@pytest.mark.parametrize("name", list(public_names()))
def test_public_docstrings_are_valid_numpydoc(name):
    checked = validate(name)
    found = {code: text for code, text in checked["errors"] if code not in OPTIONAL}
    doc = checked["docstring"]
    if re.match(r"(Return|Whether) ", doc):
        found.pop("RT01", None)  # the first line says what comes back
    if "Attributes\n" in doc and "Parameters\n" not in doc:
        found.pop("PR01", None)  # a dataclass: its attributes are its parameters
    assert found == {}


def fences(path: Path) -> list[tuple[str, str]]:
    text = path.read_text(encoding="utf-8")
    return re.findall(r"^```([^\n`]*)\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)


def run_python(body: str, names: dict[str, object], page: str) -> int:
    """Run a block as a doctest, or as it is if it shows no results; the names stay for the next one."""
    if ">>>" not in body:
        exec(compile(ast.parse(body), page, "exec"), names)
        return 1
    test = doctest.DocTestParser().get_doctest(body, names, page, page, 0)
    failures: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=failures.append, clear_globs=False)
    names.update(test.globs)
    assert not failures, "".join(failures)
    return len(test.examples)


def run_commands(body: str) -> int:
    """Run a block's commands in the shell and compare what they write with what the page shows, if any."""
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    ran = 0
    for command, expected in commands(body):
        if SET_UP.match(command):
            assert not expected, f"{command} is not run here, so its output must not be shown"
            continue
        done = subprocess.run(
            ["bash", "-c", command],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, f"{command}: exit code {done.returncode}\n{done.stdout}"
        same = not expected or doctest.OutputChecker().check_output(expected, done.stdout, doctest.ELLIPSIS)
        assert same, f"{command}\nExpected:\n{expected}\nGot:\n{done.stdout}"
        ran += 1
    return ran


def commands(body: str) -> list[tuple[str, str]]:
    """Return the commands of a block, here-documents included, each with the output shown below it."""
    found: list[tuple[list[str], list[str]]] = []
    end: str | None = None
    for line in body.splitlines():
        if end is not None:
            found[-1][0].append(line)
            end = None if line == end else end
        elif line.startswith("$ "):
            found.append(([line.removeprefix("$ ")], []))
            here = re.search(r"<<'(\w+)'", line)
            end = here[1] if here else None
        else:
            found[-1][1].append(line)
    return [("\n".join(command), "".join(f"{line}\n" for line in shown)) for command, shown in found]
