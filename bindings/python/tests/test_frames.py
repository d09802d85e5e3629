"""Data frames."""

from __future__ import annotations

import pytest

import tracebank

pyarrow = pytest.importorskip("pyarrow")
pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")

from tracebank import frames  # noqa: E402

TEXTS = ["Who did they see? They left.", None, "", "  ", "The man who we saw wants to go.", 'He said "outcome":"x" 😀 loudly.']


def test_the_three_kinds_agree(parser: tracebank.Parser) -> None:
    table = pyarrow.table({"text": TEXTS, "id": [10, 11, 12, 13, 14, 15]})
    arrow = parser.parse_frame(table, key="id")
    pand = parser.parse_frame(table.to_pandas(), key="id")
    pola = parser.parse_frame(polars.from_arrow(table), key="id")
    for name in frames.Tables._fields:
        one = getattr(arrow, name)
        assert one.column_names == ["id", *frames.SCHEMA[name]]
        assert getattr(pola, name).to_arrow().to_pylist() == one.to_pylist()
        again = pyarrow.Table.from_pandas(getattr(pand, name), preserve_index=False)
        assert again.to_pylist() == one.to_pylist()
        assert isinstance(getattr(pola, name), polars.DataFrame) and isinstance(getattr(pand, name), pandas.DataFrame)


def test_no_text_is_dropped_and_offsets_are_those_of_the_text(parser: tracebank.Parser) -> None:
    tables = parser.parse_frame(pyarrow.table({"text": TEXTS}))
    rows = tables.sentences.to_pylist()
    assert [(row["row"], row["sentence"], row["outcome"]) for row in rows] == [
        (0, 0, "exact"), (0, 1, "exact"), (1, None, "missing"), (2, None, "empty"), (3, None, "empty"), (4, 0, "exact"), (5, 0, "exact"),
    ]
    for name in ("sentences", "phrases"):
        for row in getattr(tables, name).to_pylist():
            if row["start"] is not None:
                assert row["text"] == " ".join(TEXTS[row["row"]][row["start"] : row["end"]].split())
    parse = parser.parse("The man who we saw wants to go.")
    nulls = [row for row in tables.nulls.to_pylist() if row["row"] == 4]
    assert [row["description"] for row in nulls] == [null.description for null in parse.nulls]
    relations = {(row["lemma"], row["role"], row["text"]) for row in tables.relations.to_pylist() if row["row"] == 4}
    wanted = {(one.predicate.lemma, arg.role, arg.text) for one in parse.relations for arg in one.arguments}
    assert wanted <= relations


def test_nan_is_missing_and_numbers_are_no_text(parser: tracebank.Parser) -> None:
    frame = pandas.DataFrame({"text": ["They left.", float("nan")], "row": [5, 6]})
    assert parser.parse_frame(frame).sentences["outcome"].tolist() == ["exact", "missing"]
    assert parser.parse_frame(frame, key="row").sentences["row"].tolist() == [5, 6]
    with pytest.raises(TypeError, match="not text"):
        parser.parse_frame(frame, column="row")
    with pytest.raises(KeyError, match="no column"):
        parser.parse_frame(frame, column="nothing")
    with pytest.raises(TypeError, match="frame"):
        parser.parse_frame([1, 2])
    empty = parser.parse_frame(pandas.DataFrame({"text": pandas.Series([], dtype="string")}))
    assert [len(table) for table in empty] == [0, 0, 0, 0]
