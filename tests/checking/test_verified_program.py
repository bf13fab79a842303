"""How the verified checker is found, run, limited and understood; a shell script stands in for it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from tests.support.checking.builders import sealed
from tests.support.checking.programs import no_program, stand_in  # noqa: F401

from laconic import Certificate, DecisionSetClassifier, verify_certificate
from laconic.checking.certify import verified
from laconic.checking.certify.canonical import text_for_program
from laconic.runtime.errors import CertificateError, InputError


@pytest.fixture(scope="module")
def loans():
    X = pd.DataFrame({"age": [25.0, 61, 43, 38, 57, 22, np.nan], "job": list("abcabca")})
    return X, np.array(["bad", "good", "good", "bad", "good", "bad", "bad"])


@pytest.fixture(scope="module")
def certificate(loans):
    return DecisionSetClassifier("perfect", certificate=True).fit(*loans).certificate_


@pytest.fixture
def program(tmp_path, monkeypatch):
    def install(script):
        monkeypatch.setenv(verified.VARIABLE, str(stand_in(tmp_path / "check", script)))

    return install


def says(certificate):
    return f"s VERIFIED {certificate.cost} {certificate.lower_bound} perfect"


def test_the_program_reads_the_canonical_text(certificate, loans, program, tmp_path):
    program(f"cat $1 > {tmp_path}/read; echo '{says(certificate)}'")
    verdict = verify_certificate(certificate, *loans, verified=True)
    assert (verdict.cost, verdict.lower_bound) == (certificate.cost, certificate.lower_bound)
    assert verdict.optimal
    expected = text_for_program(certificate.content, certificate.words, *loans, None)
    assert (tmp_path / "read").read_text() == expected


def test_what_the_program_refuses_does_not_hold(certificate, loans, program):
    program("echo 's REFUSED class 0: a rule is overpaid'; exit 1")
    verdict = verify_certificate(certificate, *loans, verified=True)
    assert (verdict.holds, verdict.optimal, verdict.decided) == (False, False, True)
    assert verdict.problem == "class 0: a rule is overpaid"


@pytest.mark.parametrize("numbers", ["0 0", "{cost} {less}", "{more} {bound}", "x y"])
def test_other_numbers_than_the_certificates_are_refused(numbers, certificate, loans, program):
    known = {"cost": certificate.cost, "bound": certificate.lower_bound}
    known |= {"less": certificate.lower_bound - 1, "more": certificate.cost + 1}
    program(f"echo s VERIFIED {numbers.format(**known)} perfect")
    verdict = verify_certificate(certificate, *loans, verified=True)
    assert verdict.problem.startswith("what is proved is a cost of")


def test_a_proof_for_another_objective_is_refused(certificate, loans, program):
    program(f"echo '{says(certificate)}' | sed s/perfect/min_rules/")
    verdict = verify_certificate(certificate, *loans, verified=True)
    assert verdict.problem.endswith(f"and a bound of {certificate.lower_bound} for min_rules")


@pytest.mark.parametrize(
    ("line", "code"), [(None, 1), (None, 2), ("s REFUSED no", 0), ("s UNREADABLE no", 1), ("s VERIFIED", 0)]
)
def test_the_exit_code_has_to_be_that_of_the_answer(line, code, certificate, loans, program):
    program(f"echo '{line or says(certificate)}'; exit {code}")
    with pytest.raises(InputError, match=rf"ended without an answer \(exit code {code}"):
        verify_certificate(certificate, *loans, verified=True)


def test_seal_and_digest_are_looked_at_first(certificate, loans, program):
    program(f"echo '{says(certificate)}'")
    X, y = loans
    edited = Certificate({**certificate.content, "cost": 3})
    assert "it was edited" in verify_certificate(edited, X, y, verified=True).problem
    other = verify_certificate(certificate, X, y[::-1], verified=True)
    assert "this is not the data it was made for" in other.problem
    unknown = np.where(y == "good", "fine", y)
    assert "label 'fine'" in verify_certificate(certificate, X, unknown, verified=True).problem


def test_what_is_not_written_as_a_certificate_is_never_given_to_the_program(certificate, loans, program):
    program(f"echo '{says(certificate)}'")
    for change in ({"proofs": []}, {"rules": [[]]}, {"objective": "cheapest"}, {"cost": "4"}):
        damaged = Certificate(sealed({**certificate.content, **change}))
        try:
            assert not verify_certificate(damaged, *loans, verified=True).holds
        except CertificateError:
            continue


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("exit 3", "ended without an answer (exit code 3); give it more memory"),
        ("echo stack >&2; exit 2", "ended without an answer (exit code 2, stack)"),
        ("kill -9 $$", "ended without an answer (exit code -9)"),
        ("echo 's UNREADABLE half a byte'; exit 2", "build the program again with: make proofs"),
        (
            "echo 's UNREADABLE the stack is too small for this table: try ulimit -s unlimited'; exit 2",
            "had no room: the stack is too small for this table",
        ),
        ("echo 'c 4'", "does not read what this version of laconic writes"),
        ("echo one; echo two", "ended without an answer"),
        ("head -c 100 /dev/urandom", "(ended without|does not read)"),
    ],
)
def test_a_program_without_an_answer_is_said(script, message, certificate, loans, program):
    program(script)
    with pytest.raises(InputError) as refused:
        verify_certificate(certificate, *loans, verified=True)
    assert any(part in str(refused.value) for part in message.strip("()").split("|"))
    assert "\n" not in str(refused.value)


def test_the_time_limit_kills_the_program(certificate, loans, program, tmp_path):
    program(f"echo $$ > {tmp_path}/pid; exec sleep 60")
    start = time.monotonic()
    verdict = verify_certificate(certificate, *loans, time_limit=1.0, verified=True)
    assert time.monotonic() - start < 20
    assert (verdict.decided, verdict.holds) == (False, False)
    assert not alive(int((tmp_path / "pid").read_text()))


def test_without_any_time_the_program_is_not_run(certificate, loans, program, tmp_path):
    program(f"touch {tmp_path}/ran")
    assert not verify_certificate(certificate, *loans, time_limit=1e-9, verified=True).decided
    assert not (tmp_path / "ran").exists()


def alive(pid):
    """Whether a process runs; one that nobody has buried yet does not."""
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False)
    return state.stdout.strip()[:1] not in ("", "Z")


def wait_for(path):
    for _ in range(600):
        if path.exists() and path.read_text():
            return
        time.sleep(0.05)
    raise AssertionError(path)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_nothing_is_left_behind_when_the_check_is_interrupted(number, certificate, loans, tmp_path):
    X, y = loans
    certificate.save(tmp_path / "cert.json")
    X.assign(y=y).to_csv(tmp_path / "loans.csv", index=False)
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    script = stand_in(tmp_path / "check", f"echo $$ > {tmp_path}/pid; exec sleep 60")
    verify = "from laconic.cli.main import main; main()"
    code = f"import signal; signal.signal(signal.SIGINT, signal.default_int_handler); {verify}"
    arguments = ["verify", "--certificate", "cert.json", "loans.csv", "--target", "y", "--verified"]
    process = subprocess.Popen(
        [sys.executable, "-c", code, *arguments],
        cwd=tmp_path,
        env={**os.environ, verified.VARIABLE: str(script), "TMPDIR": str(temporary)},
        stderr=subprocess.PIPE,
    )
    wait_for(tmp_path / "pid")
    pid = int((tmp_path / "pid").read_text())
    process.send_signal(number)
    try:
        process.communicate(timeout=60)
        assert process.returncode == (130 if number == signal.SIGINT else -number)
        assert list(temporary.iterdir()) == []
        assert number == signal.SIGKILL or not alive(pid)
    finally:
        if alive(pid):
            os.kill(pid, signal.SIGKILL)


def test_the_program_gets_all_the_stack_that_there_may_be(certificate, loans, program, tmp_path):
    program(f"ulimit -s > {tmp_path}/soft; ulimit -H -s > {tmp_path}/hard; echo '{says(certificate)}'")
    assert verify_certificate(certificate, *loans, verified=True).optimal
    assert (tmp_path / "soft").read_text() == (tmp_path / "hard").read_text()


def test_a_place_for_the_temporary_file_is_asked_for(certificate, loans, program, monkeypatch):
    program("exit 0")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tempfile.TemporaryFile", full)
    with pytest.raises(InputError, match="No space left on device; make room for the file"):
        verify_certificate(certificate, *loans, verified=True)


def test_a_missing_program_is_said_with_the_next_step(no_program, certificate, loans):  # noqa: F811
    with pytest.raises(InputError) as refused:
        verify_certificate(certificate, *loans, verified=True)
    assert str(refused.value) == (
        "the verified checker laconic-check is not installed; run make proofs in a checkout of laconic, or "
        "let LACONIC_CHECK name the program"
    )


def test_the_variable_comes_before_the_path_before_the_checkout(no_program, monkeypatch, tmp_path):  # noqa: F811
    monkeypatch.undo()
    places = [tmp_path / name / verified.PROGRAM for name in ("named", "path", "built")]
    for place in places:
        place.parent.mkdir()
        stand_in(place, "exit 0")
    monkeypatch.setattr(verified, "BUILT", places[2])
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.delenv(verified.VARIABLE, raising=False)
    assert verified.find_program() == places[2]
    monkeypatch.setenv("PATH", str(places[1].parent))
    assert verified.find_program() == places[1]
    monkeypatch.setenv(verified.VARIABLE, str(places[0]))
    assert verified.find_program() == places[0]
    monkeypatch.setenv(verified.VARIABLE, str(tmp_path / "gone"))
    with pytest.raises(InputError, match=r"LACONIC_CHECK is .*, which is not a program that can be run"):
        verified.find_program()


def test_the_program_of_a_checkout_is_looked_for_where_make_leaves_it():
    root = Path(__file__).resolve().parents[2]
    assert (root / "proof" / "build" / "laconic-check") == verified.BUILT
    assert "build/laconic-check" in (root / "proof" / "Makefile").read_text()
