"""The vendored Eigen headers are unmodified."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

EIGEN = Path(__file__).parent.parent / "cpp" / "third_party" / "eigen"


@pytest.mark.skipif(not EIGEN.is_dir(), reason="not a source checkout")
def test_every_vendored_header_has_its_recorded_hash() -> None:
    recorded = dict(
        reversed(line.split(maxsplit=1)) for line in (EIGEN / "SHA256SUMS").read_text().splitlines()
    )
    present = {
        path.relative_to(EIGEN).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in (EIGEN / "Eigen").rglob("*")
        if path.is_file()
    }
    assert present == recorded
