from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.support.checking.programs import no_program, stand_in  # noqa: F401


@pytest.fixture
def certificate(loans, laconic):
    result = laconic(
        "fit", loans, "--objective", "perfect", "--bins", 4, "-o", "model.json", "--certificate", "cert.json"
    )
    assert result.code == 0
    assert "certificate in cert.json: it proves that nothing is cheaper" in result.err
    return Path("cert.json")


def test_a_certificate_is_checked_on_its_data(certificate, loans, laconic):
    result = laconic("verify", "--certificate", certificate, loans)
    assert (result.code, result.err) == (0, "")
    cost = json.loads(certificate.read_text())["cost"]
    assert result.out == (
        f"cert.json holds on loans.csv: optimal (perfect): the rules cost {cost}, and no decision set over "
        f"the 11 conditions on age, job and owner costs less on the 8 rows of the data (6 different).\n"
        f"Labels were read from column 'class'.\n"
    )
    shown = json.loads(laconic("verify", "--certificate", certificate, loans, "--json").out)
    assert shown["stands"] is True
    assert shown["certificate"]["optimal"] is True
    assert shown["certificate"]["lower_bound"] == cost


def test_a_model_and_its_certificate_are_checked_together(certificate, loans, laconic):
    result = laconic("verify", "model.json", loans, "--certificate", certificate)
    assert result.code == 0
    assert result.out.startswith("model.json stands on loans.csv")
    assert "was not proved again" not in result.out
    assert "cert.json holds on loans.csv: optimal" in result.out


def test_a_certificate_of_other_rules_is_noticed(certificate, loans, laconic):
    laconic("fit", loans, "--objective", "min_rules", "--bins", 4, "-o", "other.json")
    result = laconic("verify", "other.json", loans, "--certificate", certificate)
    assert result.code == 1
    assert (
        "cert.json is not the certificate of other.json: the objective is min_rules in the model, but "
        "perfect in the certificate" in result.out
    )


def test_an_edited_certificate_fails_with_exit_code_1(certificate, loans, laconic):
    content = json.loads(certificate.read_text())
    content["cost"] -= 1
    certificate.write_text(json.dumps(content))
    result = laconic("verify", "--certificate", certificate, loans)
    assert result.code == 1
    assert "it was edited: its seal is not that of its contents" in result.out


def test_other_data_fail_with_exit_code_1(certificate, loans, laconic):
    Path("other.csv").write_text(loans.read_text().replace("25,clerk,true,bad", "25,clerk,true,good"))
    result = laconic("verify", "--certificate", certificate, "other.csv")
    assert result.code == 1
    assert "this is not the data it was made for" in result.out


def test_a_check_out_of_time_says_so(certificate, loans, laconic):
    result = laconic("verify", "--certificate", certificate, loans, "--time-limit", "1e-9")
    assert result.code == 1
    assert "the check was not finished in time" in result.out
    shown = json.loads(
        laconic("verify", "--certificate", certificate, loans, "--time-limit", "1e-9", "--json").out
    )
    assert shown["certificate"]["verdict"] == "undecided"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "it is not JSON"),
        ("[1]", "is not a laconic certificate"),
        ('{"format":"laconic certificate","schema_version":1}', "the certificate is malformed"),
        ('{"format":"laconic certificate","schema_version":9}', "written by a newer laconic"),
    ],
)
def test_a_malformed_certificate_ends_with_exit_code_2(text, says, loans, laconic):
    Path("bad.json").write_text(text)
    result = laconic("verify", "--certificate", "bad.json", loans)
    assert result.code == 2
    assert says in result.err
    assert len(result.err.splitlines()) == 1


def test_missing_files_and_arguments_end_with_exit_code_2(certificate, loans, laconic):
    for arguments, says in (
        (("verify", "--certificate", "none.json", loans), "there is no certificate 'none.json'"),
        (("verify", loans), "laconic verify needs a model and its data, not 1 files"),
        (("verify", "a", "b", "c", "--certificate", certificate), "there is no model file 'a'"),
        (
            ("verify", "--certificate", certificate, loans, "--time-limit", 0),
            "--time-limit must be a positive",
        ),
        (("fit", loans, "--certificate", loans), "--certificate loans.csv would overwrite an input"),
        (("fit", loans, "--certificate", "no/such/place"), "choose another place with --certificate"),
    ):
        result = laconic(*arguments)
        assert result.code == 2, arguments
        assert says in result.err


def test_a_sparse_verdict_names_the_objective(loans, laconic):
    assert laconic("fit", loans, "--lambda", 0.01, "--certificate", "cert.json").code == 0
    result = laconic("verify", "--certificate", "cert.json", loans, "--require-proof")
    assert result.code == 0
    assert "optimal (sparse, λ = 1/100, errors per class)" in result.out


def test_a_certificate_has_a_time_limit_of_its_own(loans, laconic):
    limited = ("--certificate", "cert.json", "--certificate-time-limit", 1e-9)
    fitted = laconic("fit", loans, "--lambda", 0.01, *limited)
    assert fitted.code == 0
    assert "proven optimal" in fitted.out
    assert (
        "certificate in cert.json: it proves that nothing costs less than 0; "
        "that nothing costs less than 5 is known from the engine only" in fitted.err
    )
    for wrong in (
        ("--certificate-time-limit", 3),
        ("--certificate", "c.json", "--certificate-time-limit", 0),
    ):
        refused = laconic("fit", loans, *wrong)
        assert refused.code == 2
        assert "--certificate-time-limit" in refused.err


def test_a_bound_is_enough_unless_a_proof_is_required(loans, laconic, monkeypatch):
    monkeypatch.setattr("laconic.checking.certify.certify.prove_together", lambda *_: (0, None))
    fitted = laconic("fit", loans, "--counting", "per_row", "--lambda", 0.01, "--certificate", "cert.json")
    assert "it proves that nothing costs less than 4" in fitted.err
    result = laconic("verify", "--certificate", "cert.json", loans)
    assert result.code == 0
    assert (
        "valid bound 4 (sparse, λ = 1/100, errors per row): no decision set over the 15 conditions on age, "
        "job and owner costs less than 4 on the 8 rows of the data (7 different). The rules cost 5."
        in result.out
    )
    required = laconic("verify", "--certificate", "cert.json", loans, "--require-proof")
    assert required.code == 1
    assert "but not that the rules are optimal, as --require-proof asks" in required.out


@pytest.mark.parametrize(
    ("wishes", "says"),
    [
        (
            ["--lambda", 0.05, "--max-rules", 2],
            "(sparse, λ = 1/20, errors per class, max_rules = 2): the rules have cost",
        ),
        (["--size-budget", 4], "optimal (sparse, errors per class, size_budget = 4): the rules have errors"),
        (["--objective", "perfect", "--measure", "longest,size"], "longest 1 (proven), size 6 (proven)"),
        (["--class-weight", "bad=2"], "class_weight = bad: 2.0): the rules have cost"),
    ],
)
def test_a_certificate_says_which_constraints_it_is_about(wishes, says, loans, laconic):
    fitted = laconic("fit", loans, "--target", "class", *wishes, "-o", "m.json", "--certificate", "c.json")
    assert fitted.code == 0, fitted.err
    assert "certificate in c.json: it proves that nothing is cheaper" in fitted.err
    result = laconic("verify", "m.json", loans, "--certificate", "c.json", "--require-proof")
    assert result.code == 0, result.out
    assert says in result.out
    assert "that respects this is better on the 8 rows" in result.out


def test_a_certificate_without_the_constraints_is_not_that_of_the_model(loans, laconic):
    """Nor the other way round: rules may be the same although what is proved of them is not."""
    for name, wishes in (("free", []), ("bound", ["--max-rules", 9]), ("size", ["--size-budget", 4])):
        asked = ["fit", loans, "--target", "class", *wishes, "-o", f"{name}.json"]
        assert laconic(*asked, "--certificate", f"{name}.cert.json").code == 0
    for model in ("free", "bound", "size"):
        for other in ("free", "bound", "size"):
            result = laconic("verify", f"{model}.json", loans, "--certificate", f"{other}.cert.json")
            assert result.code == (model != other), (model, other, result.out)


@pytest.fixture
def program(tmp_path, monkeypatch):
    def install(script):
        monkeypatch.setenv("LACONIC_CHECK", str(stand_in(tmp_path / "check", script)))

    return install


def test_the_verified_checker_says_its_theorem(certificate, loans, laconic, program):
    cost = json.loads(certificate.read_text())["cost"]
    program(f"echo s VERIFIED {cost} {cost} perfect")
    result = laconic("verify", "--certificate", certificate, loans, "--verified")
    assert (result.code, result.err) == (0, "")
    theorem = result.out.splitlines()[1]
    assert theorem.startswith("By the theorem of laconic-check, which is proved in Coq, these rules are")
    assert f"and cost {cost}, and every decision set over them costs at least {cost}." in theorem
    shown = json.loads(laconic("verify", "--certificate", certificate, loans, "--verified", "--json").out)
    assert shown["certificate"]["verified"] is True
    assert shown["certificate"]["theorem"] == theorem


def test_the_verified_checker_proves_the_bounds_of_single_classes_where_rows_tie_them(
    loans, laconic, program
):
    fit = ("fit", loans, "--counting", "per_row", "--lambda", 0.01, "-o", "m.json")
    assert laconic(*fit, "--certificate", "cert.json").code == 0
    together = laconic("verify", "m.json", loans, "--certificate", "cert.json", "--require-proof")
    assert together.code == 0
    assert "optimal (sparse, λ = 1/100, errors per row): the rules cost 5, and no decision" in together.out
    program("echo s VERIFIED 5 4 per_row 1/100")
    result = laconic("verify", "m.json", loans, "--certificate", "cert.json", "--verified")
    assert result.code == 0
    assert "valid bound 4 (sparse, λ = 1/100, errors per row)" in result.out
    assert "and cost 5, and every decision set over them costs at least 4." in result.out
    required = ("--verified", "--require-proof")
    assert laconic("verify", "m.json", loans, "--certificate", "cert.json", *required).code == 1
    assert laconic("verify", "--certificate", "cert.json", loans, "--canonical", "c.txt").code == 0
    assert "\nbound 4\n" in Path("c.txt").read_text()


def test_what_the_verified_checker_refuses_ends_with_exit_code_1(certificate, loans, laconic, program):
    program("echo 's REFUSED class 1: the bound is not proved'; exit 1")
    result = laconic("verify", "model.json", loans, "--certificate", certificate, "--verified")
    assert (result.code, result.err) == (1, "")
    assert "cert.json: class 1: the bound is not proved" in result.out
    shown = json.loads(laconic("verify", "--certificate", certificate, loans, "--verified", "--json").out)
    assert shown["stands"] is False
    assert shown["certificate"]["verified"] is False
    assert shown["certificate"]["theorem"] is None


def test_without_the_verified_checker_one_sentence_says_how_to_get_it(
    no_program,  # noqa: F811
    certificate,
    loans,
    laconic,
):
    result = laconic("verify", "--certificate", certificate, loans, "--verified")
    assert (result.code, result.out) == (2, "")
    assert result.err == (
        "laconic: the verified checker laconic-check is not installed; run make proofs in a checkout of "
        "laconic, or let LACONIC_CHECK name the program\n"
    )


@pytest.mark.parametrize("option", [("--verified",), ("--canonical", "loans.txt")])
def test_what_is_about_a_certificate_needs_one(option, model, loans, laconic):
    result = laconic("verify", model, loans, *option)
    assert result.code == 2
    assert result.err == f"laconic: {option[0]} is about a certificate; name it with --certificate\n"


def test_the_canonical_text_can_be_written_to_a_file(certificate, loans, laconic):
    result = laconic("verify", "--certificate", certificate, loans, "--canonical", "loans.txt")
    assert (result.code, result.err) == (0, "")
    lines = Path("loans.txt").read_text().splitlines()
    assert (lines[0], lines[-1]) == ("laconic-canonical 2", "end")
    assert "rows 8" in lines
    overwrites = laconic("verify", "--certificate", certificate, loans, "--canonical", loans)
    assert overwrites.code == 2
    assert "would overwrite an input" in overwrites.err
