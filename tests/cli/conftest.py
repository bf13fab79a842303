from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_iris

from laconic.cli.main import run

LOANS = """age,job,owner,class
25,clerk,true,bad
61,clerk,false,good
43,,true,good
38,driver,true,bad
57,driver,false,good
22,clerk,true,bad
,driver,false,bad
49,,true,good
"""


@dataclass
class Result:
    code: int
    out: str
    err: str


@pytest.fixture
def laconic(capsys: pytest.CaptureFixture[str]) -> Callable[..., Result]:
    """Run a command line in this process."""

    def call(*arguments: object) -> Result:
        capsys.readouterr()
        code = run([str(one) for one in arguments])
        shown = capsys.readouterr()
        return Result(code, shown.out, shown.err)

    return call


@pytest.fixture
def loans(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A table with numbers, categories, booleans and missing values, in the working directory."""
    monkeypatch.chdir(tmp_path)
    path = Path("loans.csv")
    path.write_text(LOANS)
    return path


@pytest.fixture
def model(loans: Path, laconic: Callable[..., Result]) -> Path:
    """A perfect model of the loans."""
    result = laconic("fit", loans, "--objective", "perfect", "--bins", 4, "-o", "model.json")
    assert result.code == 0
    return Path("model.json")


@pytest.fixture(scope="session")
def iris_csv(tmp_path_factory: pytest.TempPathFactory) -> Path:
    data = load_iris(as_frame=True)
    path = tmp_path_factory.mktemp("iris") / "iris.csv"
    data.data.assign(species=data.target_names[data.target]).to_csv(path, index=False)
    return path


@pytest.fixture(scope="session")
def hard_csv(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Random labels: no SAT search proves the smallest perfect set within a test."""
    rng = np.random.default_rng(0)
    lines = [",".join([f"f{i}" for i in range(12)] + ["class"])]
    lines += [",".join([*map(str, row[:-1]), "ab"[row[-1]]]) for row in rng.integers(0, 2, (150, 13))]
    path = tmp_path_factory.mktemp("hard") / "hard.csv"
    path.write_text("\n".join(lines))
    return path
