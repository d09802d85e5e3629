//! Any text in any input form is parsed, and what is written in each output form is read again: a tree for each input, with its words.
//!
//! The first byte chooses the input form, the second the dialect and the model.

use std::io::Cursor;
use std::sync::LazyLock;
use std::sync::atomic::AtomicBool;

use tracebank::testing::TinyModel;
use tracebank::{
    BrokenStream, DIALECTS, Input, InputFormat, Limits, Options, OutputFormat, Parse, Parser, Record, Tree,
};
use tracebank_syntax::graph::{self, text};
use tracebank_syntax::penn::Reader;

static PARSERS: LazyLock<Vec<Parser>> = LazyLock::new(|| {
    let parsers = TinyModel::ALL.map(|kind| Parser::from_bytes(kind.bytes()).unwrap());
    let dialect = |parser: &Parser, name: &str| {
        // Tiny models know nothing, so decoding is as hard as can be: a small budget keeps inputs many.
        let options = Options {
            dialect: Some(name.to_owned()),
            max_words: 12,
            seconds: Some(0.01),
            ..Options::default()
        };
        parser.with_options(options).ok()
    };
    parsers.iter().flat_map(|parser| DIALECTS.iter().filter_map(|of| dialect(parser, of.name))).collect()
});

fn check(input: &Input, parse: &Parse) {
    let write = |form: OutputFormat| {
        let mut text = String::new();
        form.write(Record { parse, id: input.id.as_ref(), origin: Some(&input.origin) }, &mut text);
        text
    };
    let words: Vec<&str> = parse.tree.words().collect();
    if let Ok(sentence) = &input.sentence {
        assert!(words.iter().copied().eq(sentence.words()) || sentence.tokens.is_empty(), "{}", parse.tree);
    }
    for form in [OutputFormat::Penn, OutputFormat::Pretty] {
        let text = write(form);
        let trees: Vec<Tree> =
            Reader::new(text.as_bytes()).map(|tree| tree.expect("a tree was written")).collect();
        assert_eq!(trees.len(), 1, "{text}");
        assert_eq!(trees[0].to_string(), parse.tree.to_string());
    }
    let written = write(OutputFormat::Graph);
    let graphs: Vec<_> =
        text::Reader::new(written.as_bytes()).map(|graph| graph.expect("a graph was written")).collect();
    assert_eq!(graphs.len(), 1, "{written}");
    assert!(graph::decode(&graphs[0]).expect("the graph of a tree").words().eq(words.iter().copied()));
    let json: serde_json::Value = serde_json::from_str(&write(OutputFormat::Json)).expect("JSON was written");
    assert_eq!(json["tree"], parse.tree.to_string());
    let conllu = write(OutputFormat::Conllu);
    // There may be more rows than tokens: Universal Dependencies cut some words.
    let mut rows = conllu.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    assert!(rows.all(|row| row.split('\t').count() == 10), "{conllu}");
    assert_eq!(write(OutputFormat::Words).lines().count(), 1);
    write(OutputFormat::Relations);
}

/// One attack. Panics where a promise does not hold.
pub fn attack(bytes: &[u8]) {
    let [form, parser, text @ ..] = bytes else { return };
    let form = InputFormat::ALL[usize::from(*form) % InputFormat::ALL.len()];
    let parser = &PARSERS[usize::from(*parser) % PARSERS.len()];
    let stream = Box::new(Cursor::new(text.to_vec()));
    let inputs = tracebank::read(stream, "fuzz", form, parser.tokeniser(), Limits::default());
    let stop = AtomicBool::new(false);
    let parsed = tracebank::parse_stream(parser, inputs, 16, &stop, |input, parse| {
        check(input, parse);
        Ok::<(), BrokenStream>(())
    });
    parsed.expect("a cursor does not break");
}
