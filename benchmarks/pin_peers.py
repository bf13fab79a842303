"""Pin the requirements of the rival packages: rewrite them with SHA-256 hashes of the files on PyPI.

The versions are those in ``src/laconic/bench/peers/requirements``; change one there, then run

    python benchmarks/pin_peers.py

The hashes are those of the wheels for CPython 3.11 to 3.14 and of the source distribution, so that one list
serves all machines. ``pip --require-hashes`` then refuses any other file.
"""

from __future__ import annotations

import re
import urllib.request
from html.parser import HTMLParser
from pathlib import Path

from packaging.utils import canonicalize_name, parse_sdist_filename, parse_wheel_filename
from packaging.version import Version

INDEX = "https://pypi.org/simple"
REQUIREMENTS = Path(__file__).resolve().parents[1] / "src" / "laconic" / "bench" / "peers" / "requirements"
INTERPRETERS = {"py3", *(f"cp3{minor}" for minor in range(11, 15))}


class _Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "a":
            self.found += [value for name, value in attrs if name == "href" and value]


def hashes(name: str, version: str) -> list[str]:
    """Return the hashes of a release's files."""
    page = _Links()
    with urllib.request.urlopen(f"{INDEX}/{canonicalize_name(name)}/", timeout=60) as answer:
        page.feed(answer.read().decode())
    wanted = set()
    for link in page.found:
        address, _, digest = link.partition("#")
        if digest.startswith("sha256=") and _is_wanted(address.rpartition("/")[2], Version(version)):
            wanted.add(digest.removeprefix("sha256="))
    if not wanted:
        raise SystemExit(f"{INDEX} has no files of {name} {version}")
    return sorted(wanted)


def _is_wanted(file: str, version: Version) -> bool:
    try:
        if not file.endswith(".whl"):
            return parse_sdist_filename(file)[1] == version
        _, found, _, tags = parse_wheel_filename(file)
    except ValueError:  # a file name older than the current naming rules
        return False
    usable = any(
        tag.abi == "abi3" or (tag.interpreter in INTERPRETERS and not tag.abi.endswith("t")) for tag in tags
    )
    return found == version and usable


def main() -> None:
    """Rewrite all lists of requirements."""
    known: dict[str, list[str]] = {}
    for path in sorted(REQUIREMENTS.glob("*.txt")):
        pins = re.findall(r"^([\w.-]+)==([\w.]+)", path.read_text(), re.MULTILINE)
        lines = []
        for name, version in pins:
            pin = f"{name}=={version}"
            known[pin] = known.get(pin) or hashes(name, version)
            lines.append(" \\\n".join([pin, *(f"    --hash=sha256:{one}" for one in known[pin])]))
        path.write_text("\n".join(lines) + "\n")
        print(f"{path.name}: {len(pins)} packages, {sum(len(known[f'{n}=={v}']) for n, v in pins)} files")


if __name__ == "__main__":
    main()
