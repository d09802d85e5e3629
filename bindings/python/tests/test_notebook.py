"""The notebook of the documentation: it runs, and shows what it showed when it was written."""

from __future__ import annotations

import os
import pathlib

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")
pytest.importorskip("pandas")

NOTEBOOK = pathlib.Path(__file__).parents[3] / "docs" / "tour.ipynb"


def shown(notebook: object) -> list[str]:
    """What each cell printed or showed: its text, however many pieces that came in, or its picture."""
    found = []
    for cell in notebook.cells:
        pieces = []
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            pieces.append(data.get("image/svg+xml") or output.get("text") or data.get("text/plain", ""))
        found.append("".join(pieces).strip())
    return [one for one in found if one]


def test_it_shows_what_it_showed() -> None:
    written = nbformat.read(NOTEBOOK, 4)
    run = nbformat.read(NOTEBOOK, 4)
    for cell in run.cells:
        cell.pop("outputs", None)
        if cell.cell_type == "code":
            cell.outputs = []
    nbclient.NotebookClient(run, timeout=300, kernel_name="python3", record_timing=False).execute()
    if os.environ.get("TRACEBANK_RENEW_GOLDEN"):
        nbformat.write(run, NOTEBOOK)
    assert sum(one.startswith(("<svg", "<?xml")) for one in shown(run)) == 2
    # pandas draws its tables a little differently from version to version, so their blanks do not count
    assert [one.split() for one in shown(run)] == [one.split() for one in shown(written)]
