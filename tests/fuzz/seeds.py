"""The valid files that are broken, and the directory they live in."""

from __future__ import annotations

import gzip
from dataclasses import dataclass
from pathlib import Path

from laconic.cli.main import run

TABLE = """age,income,job,owner,class
25,1.5,clerk,true,bad
61,2.5,clerk,false,good
43,,,true,good
38,-0.5,driver,true,bad
57,1e3,driver,false,good
22,0,clerk,true,bad
,7.25,Straße,false,bad
49,3,,true,good
"""

FIT = ["--bins", "4", "--time-limit", "5"]


@dataclass(frozen=True)
class Seeds:
    """The bytes of one valid file of each kind, made by the program itself."""

    csv: bytes
    packed_csv: bytes
    parquet: bytes
    model: bytes
    certificate: bytes
    rows: bytes
    hard_model: bytes
    hard_certificate: bytes

    @classmethod
    def made_in(cls, place: Path) -> Seeds:
        """Fit the table in a directory, both ways, and keep every file that comes of it."""
        import pandas as pd

        table = place / "seed.csv"
        table.write_text(TABLE)
        pd.read_csv(table).to_parquet(place / "seed.parquet")
        for objective in ("sparse", "perfect"):
            keep = [
                *("-o", str(place / f"{objective}.json")),
                *("--certificate", str(place / f"{objective}.cert")),
                *("--save-rows", str(place / "seed.npz")),
            ]
            assert run(["fit", str(table), *FIT, "--objective", objective, *keep, "--history"]) == 0
        read = {name: (place / name).read_bytes() for name in ("seed.parquet", "seed.npz")}
        return cls(
            csv=TABLE.encode(),
            packed_csv=gzip.compress(TABLE.encode(), mtime=0),
            parquet=read["seed.parquet"],
            # The rows were saved last: they belong to the perfect model, and to the other one as well.
            rows=read["seed.npz"],
            model=(place / "sparse.json").read_bytes(),
            certificate=(place / "sparse.cert").read_bytes(),
            hard_model=(place / "perfect.json").read_bytes(),
            hard_certificate=(place / "perfect.cert").read_bytes(),
        )
