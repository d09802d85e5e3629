"""What the tests share: parsers, which are loaded once, and the free trees of the repository."""

from __future__ import annotations

import pathlib

import pytest

import tracebank

REPOSITORY = pathlib.Path(__file__).parents[3]


@pytest.fixture(scope="session")
def parser() -> tracebank.Parser:
    return tracebank.Parser("fast")


@pytest.fixture(scope="session")
def treebank() -> pathlib.Path:
    return REPOSITORY / "treebank"


@pytest.fixture(scope="session")
def sentences(treebank: pathlib.Path) -> list[str]:
    """Some hundred sentences as people write them."""
    lines = (treebank / "golden" / "penn.txt").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line.strip()]
