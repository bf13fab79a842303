import hashlib
import re
import subprocess
import zipfile
from pathlib import Path

import pytest

from laconic.bench.peers import environments
from laconic.bench.peers.catalogue import PEERS, Peer, peer
from laconic.bench.peers.environments import InstallationError, directory, install, missing, python
from laconic.runtime.errors import InputError


def small_peer(tmp_path, driver="import json\n", requirements=""):
    (tmp_path / "driver.py").write_text(driver)
    (tmp_path / "requirements.txt").write_text(requirements)
    return Peer(
        "small", ("tiny-package",), "for tests", tmp_path / "requirements.txt", tmp_path / "driver.py"
    )


@pytest.mark.parametrize("name", PEERS)
def test_every_peer_has_a_driver_and_pinned_requirements_that_hold_its_packages(name):
    text = PEERS[name].requirements.read_text()
    listed = re.fullmatch(r"(?:[\w.-]+==[\w.]+(?: \\\n    --hash=sha256:[0-9a-f]{64})+\n)+", text)
    assert listed is not None  # each with the hashes of its files
    pinned = [one.lower() for one in re.findall(r"^([\w.-]+)==", text, re.MULTILINE)]
    assert {package.lower() for package in PEERS[name].packages} <= set(pinned)
    drivers = [one for one in (PEERS[name].driver, PEERS[name].table_driver) if one is not None]
    assert drivers
    for driver in drivers:
        assert re.search(r"^def learn(_class)?\(rows: Any, \w+: Any, job: ", driver.read_text(), re.MULTILINE)


def test_no_driver_imports_laconic():
    drivers = sorted(environments.SERVE.parent.rglob("*.py"))
    assert len(drivers) >= len(PEERS)
    for driver in drivers:
        assert not re.search(r"^\s*(import|from) laconic", driver.read_text(), re.MULTILINE), driver


def test_an_unknown_peer_is_refused_with_the_known_ones():
    with pytest.raises(InputError, match="unknown peer 'rippr'; choose among: ripper, cn2"):
        peer("rippr")


def test_peers_live_in_the_users_cache_unless_told_otherwise(monkeypatch, tmp_path):
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.delenv("LACONIC_PEERS", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert directory() == tmp_path / ".cache" / "laconic" / "peers"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert directory() == tmp_path / "cache" / "laconic" / "peers"
    monkeypatch.setenv("LACONIC_PEERS", "~/mine")
    assert directory() == tmp_path / "mine"
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LACONIC_PEERS", "here")
    assert directory() == tmp_path / "here"


def test_install_makes_an_environment_that_is_not_ours(home, tmp_path):
    small = small_peer(tmp_path)
    assert missing(small) == "tiny-package is not installed; run: laconic bench peers install small"
    said = []
    install(small, said.append)
    assert missing(small) is None
    assert str(home / "small") in said[0]
    code = "import sys, importlib.util; print(sys.prefix); print(importlib.util.find_spec('laconic'))"
    run = subprocess.run([python(small), "-c", code], capture_output=True, text=True, check=True)
    prefix, ours = run.stdout.split()
    assert Path(prefix).samefile(home / "small")
    assert ours == "None"

    (tmp_path / "requirements.txt").write_text("# changed\n")
    assert missing(small) == (
        "tiny-package was installed for another version of Laconic; run: laconic bench peers install small"
    )


def test_only_the_files_with_the_pinned_hashes_are_installed(home, tmp_path, monkeypatch):
    wheel = tmp_path / "tiny_package-1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as packed:
        info = "tiny_package-1.0.dist-info"
        packed.writestr("tiny_package.py", "")
        packed.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\nName: tiny-package\nVersion: 1.0\n")
        packed.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        packed.writestr(f"{info}/RECORD", "")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    right = hashlib.sha256(wheel.read_bytes()).hexdigest()
    driver = "import tiny_package\n"
    for pin in ("", f" --hash=sha256:{'0' * 64}"):
        small = small_peer(tmp_path, driver, f"tiny-package==1.0{pin}\n")
        with pytest.raises(InstallationError, match="small could not be installed: "):
            install(small, lambda _: None)
        assert missing(small) is not None
    small = small_peer(tmp_path, driver, f"tiny-package==1.0 --hash=sha256:{right}\n")
    install(small, lambda _: None)
    assert missing(small) is None


def test_a_driver_that_cannot_be_imported_leaves_the_peer_missing(fake, home, monkeypatch):
    done = []
    monkeypatch.setattr(environments, "_do", lambda peer, command: done.append(command))
    install(fake, lambda _: None)
    assert missing(fake) is None
    monkeypatch.undo()
    monkeypatch.setenv("LACONIC_PEERS", str(home))
    (check,) = [command for command in done if "--check" in command]
    fake.driver.write_text("import no_such_module_of_ours\n")
    with pytest.raises(InstallationError, match=r"fake could not be installed: .*no_such_module_of_ours"):
        environments._do(fake, check)


def test_an_installation_that_fails_half_way_leaves_the_peer_missing(fake, monkeypatch):
    def fail(peer, command):
        if "pip" in command:
            raise InstallationError("no network")

    monkeypatch.setattr(environments, "_do", fail)
    assert missing(fake) is None
    with pytest.raises(InstallationError, match="no network"):
        install(fake, lambda _: None)
    assert missing(fake) is not None


def test_what_failed_is_told_with_its_last_words(fake):
    with pytest.raises(InstallationError, match="fake could not be installed: first / last"):
        environments._do(fake, ["sh", "-c", "echo first; echo last; exit 3"])
    with pytest.raises(InstallationError, match=r"fake could not be installed: \(no message\)"):
        environments._do(fake, ["false"])
    with pytest.raises(InstallationError, match=r"fake could not be installed: .*no-such-program"):
        environments._do(fake, ["no-such-program"])
