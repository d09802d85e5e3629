"""spaCy: attributes, alignment, processes, storage."""

from __future__ import annotations

import pytest

import tracebank

spacy = pytest.importorskip("spacy")
nltk = pytest.importorskip("nltk")

from spacy.tokens import DocBin  # noqa: E402

HARD = [
    "The well-known, state-of-the-art method can't fail; I cannot say why.",
    "“Don't,” she said—twice—‘I'm gonna leave’.",
    "See https://example.org/a-b?c=d (or mail me@example.org) for 3.5% of the U.S.-based firms' data.",
    "😀 He said: 👍🏽 great!!! :-) We paid $1,000/yr…",
    "A  double blank\tand a tab\n and a line break.",
    "O'Neill's and/or Smith's 10-year-old dog, e.g. Rex, wasn't there.",
]


@pytest.fixture(scope="module")
def nlp() -> object:
    pipeline = spacy.blank("en")
    pipeline.add_pipe("sentencizer")
    pipeline.add_pipe("tracebank", config={"model": "fast"})
    return pipeline


def check(sentence: object) -> None:
    tree = nltk.Tree.fromstring(sentence._.parse_string) if sentence._.labels else None
    if tree is not None:
        assert len(tree.leaves()) == len(sentence)
    spans = list(sentence._.constituents)
    words = [span for span in spans if len(span) == 1]
    assert {span.start for span in words} == set(range(sentence.start, sentence.end))
    for span in spans:
        for child in span._.children:
            assert child._.parent == span and span.start <= child.start and child.end <= span.end
        below = list(span._.children)
        if below:
            assert [token.i for child in below for token in child] == [token.i for token in span]
    parse = sentence._.parse
    categories = [one.category for one in parse.phrases if one.tokens and one.label != parse.tokens[one.span[0]].tag]
    # every phrase with words is a label of some constituent, unless its words are part of a token of spaCy's
    labels = [label for span in {(span.start, span.end): span for span in spans}.values() for label in span._.labels]
    assert len(labels) >= len(categories) - sum(len(theirs) for _, theirs in sentence._.misaligned)


def test_what_benepar_has(nlp: object) -> None:
    doc = nlp("The time for action is now. It is never too late to do something.")
    first, second = doc.sents
    assert first._.parse_string.startswith("(S (NP (NP (DT The) (NN time)) (PP (IN for) (NP (NN action))))")
    assert first._.labels == ("S",)
    spans = list(first._.constituents)
    assert spans[0].text == first.text and spans[1].text == "The time for action"
    assert spans[1]._.parent == spans[0] and spans[1]._.labels == ("NP",)
    assert [child.text for child in first._.children] == ["The time for action", "is now", "."]
    assert doc[0]._.parent.text == "The time" and doc[0]._.labels == ()
    for sentence in doc.sents:
        check(sentence)
    with pytest.raises(ValueError, match="no constituent"):
        doc[1:3]._.labels
    with pytest.raises(ValueError, match="add_pipe"):
        spacy.blank("en")("They left.")[:]._.labels


def test_what_is_ours() -> None:
    pipeline = spacy.blank("en")
    pipeline.add_pipe("sentencizer")
    pipeline.add_pipe("tracebank")
    doc = pipeline("Which book did she want to buy? They left.")
    sentence = next(doc.sents)
    assert [null.description for null in sentence._.nulls] == ["*-2 = she, subject of buy", "*T*-1 = Which book, object of buy"]
    assert [null.kind for null in doc[0:2]._.antecedent_of] == ["*T*"] and doc[3:4]._.antecedent_of[0].kind == "*"
    assert "VP" in doc[6]._.head_spine
    assert [relation.predicate.lemma for relation in doc._.relations] == ["want", "buy", "leave"]
    assert isinstance(sentence._.parse, tracebank.Parse)


@pytest.mark.parametrize("text", HARD)
def test_tokens_line_up_or_are_merged(nlp: object, text: str) -> None:
    doc = nlp(text)
    assert "".join(token.text_with_ws for token in doc) == text
    for sentence in doc.sents:
        check(sentence)
        for mine, theirs in sentence._.misaligned:
            start = min(token.idx for token in mine) - sentence.start_char
            assert theirs and theirs[0].start < start + sum(len(token.text_with_ws) for token in mine)


def test_misaligned_tokens_are_told(nlp: object) -> None:
    doc = nlp("The well-known man cannot come.")
    told = next(doc.sents)._.misaligned
    assert [[token.text for token in mine] for mine, _ in told] == [["well", "-", "known"]]
    assert [[token.text for token in theirs] for _, theirs in told] == [["well-known"]]
    single = spacy.blank("en")
    single.tokenizer = lambda text: spacy.tokens.Doc(single.vocab, words=text.split(" "))
    single.add_pipe("sentencizer")
    single.add_pipe("tracebank", config={"model": "fast"})
    doc = single("They cannot come, can they?")
    check(doc[:])
    assert [[token.text for token in theirs] for _, theirs in doc[:]._.misaligned] == [["can", "not"], ["come", ","], ["they", "?"]]


def test_documents_without_words_or_sentences(nlp: object) -> None:
    assert nlp("")._.relations == []
    bare = spacy.blank("en")
    bare.add_pipe("tracebank", config={"model": "fast", "options": {"traces": False}})
    doc = bare("They left.")
    assert doc[:]._.labels == ("S",) and doc[:]._.nulls == []


def test_pipe_processes_and_storage(nlp: object, sentences: list[str]) -> None:
    texts = sentences[:24]
    one = [[sentence._.parse_string for sentence in nlp(text).sents] for text in texts]
    def strings(docs: object) -> object:
        return [[sentence._.parse_string for sentence in doc.sents] for doc in docs]

    assert strings(nlp.pipe(texts, batch_size=5)) == one
    docs = list(nlp.pipe(texts, n_process=2, batch_size=4))
    assert strings(docs) == one
    kept = DocBin(store_user_data=True, docs=docs).to_bytes()
    again = list(DocBin().from_bytes(kept).get_docs(nlp.vocab))
    assert strings(again) == one
    assert [doc._.relations for doc in again] == [nlp(text)._.relations for text in texts]


def test_a_pipeline_is_saved_and_loaded(nlp: object, tmp_path: object) -> None:
    nlp.to_disk(tmp_path / "pipeline")
    again = spacy.load(tmp_path / "pipeline")
    text = "They want to leave."
    assert next(again(text).sents)._.parse_string == next(nlp(text).sents)._.parse_string
