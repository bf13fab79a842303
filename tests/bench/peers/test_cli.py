import json

import pytest
from typer.testing import CliRunner

from laconic.bench.cli import app
from laconic.bench.peers import environments
from laconic.bench.peers.catalogue import PEERS, Peer
from laconic.bench.peers.environments import InstallationError
from laconic.runtime.errors import InputError


def bench(*arguments):
    return CliRunner().invoke(app, ["peers", *arguments], catch_exceptions=False)


@pytest.fixture
def peers(fake, tmp_path, monkeypatch):
    """Two peers: one that is there, and one that cannot be had."""
    absent = Peer("absent", ("absent-package",), "not to be had", fake.requirements, fake.driver)
    monkeypatch.setattr("laconic.bench.peers.catalogue.PEERS", {"absent": absent, "fake": fake})
    made = []

    def install(peer, say):
        made.append(peer.name)
        say(f"making {peer.name}")
        if peer.name == "absent":
            raise InstallationError("absent could not be installed: no such package")

    monkeypatch.setattr(environments, "install", install)
    return made


def test_the_list_says_what_is_there_and_how_to_get_the_rest(peers, home):
    result = bench()
    assert result.exit_code == 0
    absent, there = result.stdout.splitlines()[-2:]
    assert "absent-package is not installed; run: laconic bench peers install absent" in absent
    assert there.split()[0] == "fake"
    assert there.rstrip().endswith("installed")
    assert str(home) in result.stderr
    data = json.loads(bench("--json").stdout)
    assert data["directory"] == str(home)
    assert data["peers"]["fake"]["missing"] is None
    assert "install absent" in data["peers"]["absent"]["missing"]


def test_all_peers_are_offered(home):
    listed = json.loads(bench("--json").stdout)["peers"]
    assert list(listed) == list(PEERS)
    assert set(listed) == {"ripper", "cn2", "minds", "brcg", "streed", "contree", "gosdt", "figs", "ebm"}
    assert all(entry["missing"] for entry in listed.values())


def test_what_is_installed_is_left_alone_unless_told(peers):
    assert "fake: installed already" in bench("install", "fake").stdout
    assert peers == []
    assert "fake: installed\n" in bench("install", "fake", "--again").stdout
    assert peers == ["fake"]


def test_a_peer_that_cannot_be_installed_is_told_and_does_not_stop_the_others(peers):
    result = bench("install", "all", "--again")
    assert result.exit_code == 1
    assert peers == ["absent", "fake"]
    assert "absent could not be installed: no such package" in result.stderr
    assert result.stderr.endswith("missing: absent\n")
    assert "fake: installed" in result.stdout


def test_unknown_names_are_refused_before_anything_is_made(peers):
    with pytest.raises(InputError, match="unknown peer 'fak'"):
        bench("install", "absent", "fak")
    assert peers == []
