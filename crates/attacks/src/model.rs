//! Any model with right checksums is loaded or refused, and a parser that was loaded parses.
//!
//! The input is a script of edits to the unpacked sections of a tiny model, whose kind its first byte chooses: the checksums are made anew, so
//! that what is tried is what is read behind them.

use std::sync::LazyLock;

use tracebank::testing::{TinyModel, sections};
use tracebank::{Options, OutputFormat, Parser, Tree};
use tracebank_parser::model::ModelWriter;

type Sections = Vec<(String, Vec<u8>)>;

static MODELS: LazyLock<Vec<Sections>> =
    LazyLock::new(|| TinyModel::ALL.iter().map(|kind| sections(&kind.bytes()).unwrap()).collect());

/// The bytes of a script, one after the other; zeros behind its end.
struct Script<'a>(&'a [u8]);

impl Script<'_> {
    fn byte(&mut self) -> usize {
        self.0.split_off_first().copied().map_or(0, usize::from)
    }

    fn number(&mut self) -> usize {
        self.byte() << 8 | self.byte()
    }

    fn take(&mut self, count: usize) -> Vec<u8> {
        self.0.split_off(..count.min(self.0.len())).unwrap_or_default().to_vec()
    }
}

/// The place of the `nth` number written in digits.
fn digits(bytes: &[u8], nth: usize) -> Option<std::ops::Range<usize>> {
    let is_digit = |at: &usize| matches!(bytes[*at], b'0'..=b'9' | b'.' | b'e' | b'-');
    let starts: Vec<usize> = (0..bytes.len())
        .filter(|at| bytes[*at].is_ascii_digit() && (*at == 0 || !is_digit(&(at - 1))))
        .collect();
    let start = *starts.get(nth % starts.len().max(1))?;
    let end = (start..bytes.len()).find(|at| !is_digit(at)).unwrap_or(bytes.len());
    Some(start..end)
}

fn edit(bytes: &mut Vec<u8>, script: &mut Script<'_>) {
    let operation = script.byte() % 6;
    let at = script.number() % (bytes.len() + 1);
    let count = script.byte();
    match operation {
        0 => {
            let new = script.take(count % 16);
            let end = (at + new.len()).min(bytes.len());
            bytes.splice(at..end, new);
        }
        1 => drop(bytes.splice(at..at, script.take(count % 64))),
        2 => drop(bytes.drain(at..(at + count).min(bytes.len()))),
        3 => {
            let copied = bytes[at..(at + count).min(bytes.len())].to_vec();
            bytes.splice(at..at, copied);
        }
        // Numbers of a text, which sizes are.
        4 => {
            let new = script.take(count % 24);
            if let Some(place) = digits(bytes, at) {
                bytes.splice(place, new);
            }
        }
        _ => {
            let numbers = [f32::NAN, f32::INFINITY, f32::MAX, -f32::MAX, 1e30, 0.0, f32::MIN_POSITIVE, -1.0];
            let number = numbers[count % numbers.len()].to_le_bytes();
            if let Some(place) = bytes.get_mut(at / 4 * 4..at / 4 * 4 + 4) {
                place.copy_from_slice(&number);
            }
        }
    }
}

/// One attack. Panics where a promise does not hold.
pub fn attack(bytes: &[u8]) {
    let mut script = Script(bytes);
    let mut sections = MODELS[script.byte() % MODELS.len()].clone();
    for _ in 0..4 {
        if script.0.is_empty() {
            break;
        }
        let section = script.byte() % sections.len();
        edit(&mut sections[section].1, &mut script);
    }
    let mut writer = ModelWriter::default();
    for (name, bytes) in &sections {
        match std::str::from_utf8(bytes) {
            Ok(text) => writer.text(name, text),
            Err(_) => writer.bytes(name, bytes.clone()),
        }
    }
    match Parser::from_bytes(writer.finish()) {
        Ok(parser) => {
            let words = ["Which", "book", "did", "we", "like", "?"];
            let options = Options { seconds: Some(0.01), ..Options::default() };
            let parse = parser.with_options(options).expect("no dialect is asked for").parse_tokens(&words);
            assert!(parse.tree.words().eq(words), "{}", parse.tree);
            for form in OutputFormat::ALL {
                form.write((&parse).into(), &mut String::new());
            }
            assert_eq!(
                parse.tree.to_string().parse::<Tree>().map(|tree| tree.to_string()),
                Ok(parse.tree.to_string())
            );
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
