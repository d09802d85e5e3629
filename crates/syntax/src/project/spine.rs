//! The types of spines, of which a parser chooses one for each word.

use std::fmt;
use std::str::FromStr;

use super::label::{LabelError, TraceType, is_label};
use crate::graph::outline::subtrees;
use crate::graph::{Spine, Symbol, SymbolKind};

/// A spine as a value: the phrases a word heads, from the bottom to the top, each with the nulls that hang in it, and the
/// traces between them.
///
/// Where a null stands among its siblings is not part of it (every [place](Symbol::place) is 0), and the nulls of one phrase are in
/// the order of their symbols, so that spines which differ in nothing else are equal. In text, a null or a phrase of nulls is a
/// bracket behind the phrase in which it hangs, and a trace is a bracket at the end:
///
/// ```
/// use tracebank_syntax::project::SpineType;
/// let relative: SpineType = "VP(NP(*T*)) S SBAR(WHNP(0)) ((NP *T*)#0 > (WHNP ())#0)".parse()?;
/// assert_eq!(relative.spine.headed().count(), 3);
/// assert_eq!(relative.traces[0].from.kind(), "*T*");
/// assert_eq!(relative.to_string(), "VP(NP(*T*)) S SBAR(WHNP(0)) ((NP *T*)#0 > (WHNP ())#0)");
/// assert_eq!(SpineType::default().to_string(), "()");
/// # Ok::<(), tracebank_syntax::project::LabelError>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct SpineType {
    /// The symbols.
    pub spine: Spine,
    /// The traces whose two ends are both in the spine, sorted.
    pub traces: Vec<TraceType>,
}

/// The one headed phrase that has no name to be written by: the outermost bracket.
const NAMELESS: &str = "(())";
const NOTHING: &str = "()";

/// The order that the symbols have in a [`SpineType`]: a permutation of their indices, subtrees kept together.
pub(super) fn canonical_order(symbols: &[Symbol]) -> Vec<usize> {
    let mut order = Vec::with_capacity(symbols.len());
    let hanging_from = |order: &mut Vec<usize>, start| {
        let mut ranges = subtrees(symbols, start, 1);
        ranges.sort_by(|a, b| faces(&symbols[a.clone()]).cmp(faces(&symbols[b.clone()])));
        order.extend(ranges.into_iter().flatten());
    };
    hanging_from(&mut order, 0);
    for headed in (0..symbols.len()).filter(|&index| symbols[index].is_headed()) {
        order.push(headed);
        hanging_from(&mut order, headed + 1);
    }
    order
}

/// Symbols without their places.
fn faces(symbols: &[Symbol]) -> impl Iterator<Item = (&SymbolKind, u32)> {
    symbols.iter().map(|symbol| (&symbol.kind, symbol.depth))
}

/// Writes a null with all below it, each null in brackets.
pub(super) fn write_subtree<'a>(
    f: &mut impl fmt::Write,
    symbols: &'a [Symbol],
    label: impl Fn(&'a str) -> &'a str,
) -> fmt::Result {
    for (index, symbol) in symbols.iter().enumerate() {
        match &symbol.kind {
            SymbolKind::Phrase(name) => write!(f, "({}", label(name))?,
            SymbolKind::Null(kind) => write!(f, "({kind}")?,
            SymbolKind::Mark { tag, text } => write!(f, "({tag} {text}")?,
        }
        let next = symbols.get(index + 1).map_or(symbols[0].depth, |next| next.depth);
        for _ in next..=symbol.depth {
            f.write_char(')')?;
        }
    }
    Ok(())
}

fn write_hanging(f: &mut fmt::Formatter<'_>, symbols: &[Symbol], start: usize) -> fmt::Result {
    let mut hanging = subtrees(symbols, start, 1).into_iter();
    hanging.try_for_each(|range| write_subtree(f, &symbols[range], |name| name))
}

impl fmt::Display for SpineType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let symbols = &self.spine.symbols;
        if symbols.is_empty() {
            f.write_str(NOTHING)?;
        }
        write_hanging(f, symbols, 0)?;
        for (index, symbol) in symbols.iter().enumerate().filter(|(_, symbol)| symbol.is_headed()) {
            let separator = if index > 0 { " " } else { "" };
            let name = if symbol.name().is_empty() { NAMELESS } else { symbol.name() };
            write!(f, "{separator}{name}")?;
            write_hanging(f, symbols, index + 1)?;
        }
        self.traces.iter().try_for_each(|trace| write!(f, " ({trace})"))
    }
}

impl FromStr for SpineType {
    type Err = LabelError;

    fn from_str(text: &str) -> Result<SpineType, LabelError> {
        SpineReader { rest: text, symbols: Vec::new(), traces: Vec::new() }
            .read()
            .ok_or_else(|| LabelError(text.to_owned()))
    }
}

struct SpineReader<'a> {
    rest: &'a str,
    symbols: Vec<Symbol>,
    traces: Vec<TraceType>,
}

impl SpineReader<'_> {
    fn read(mut self) -> Option<SpineType> {
        let has_phrases = if let Some(rest) = self.rest.strip_prefix(NOTHING) {
            self.rest = rest;
            false
        } else if self.at_bracket() {
            self.hanging()?;
            false
        } else {
            self.headed()?;
            true
        };
        while let Some(rest) = self.rest.strip_prefix(' ') {
            self.rest = rest;
            if self.at_bracket() {
                self.trace()?;
            } else if has_phrases && self.traces.is_empty() {
                self.headed()?;
            } else {
                return None;
            }
        }
        self.rest
            .is_empty()
            .then_some(SpineType { spine: Spine { symbols: self.symbols }, traces: self.traces })
    }

    fn at_bracket(&self) -> bool {
        self.rest.starts_with('(') && !self.rest.starts_with(NAMELESS)
    }

    /// A phrase of the spine and what hangs in it.
    fn headed(&mut self) -> Option<()> {
        let label = match self.rest.strip_prefix(NAMELESS) {
            Some(rest) => {
                self.rest = rest;
                String::new()
            }
            None => self.word()?,
        };
        self.symbols.push(Symbol { kind: SymbolKind::Phrase(label), depth: 0, place: 0 });
        self.hanging()
    }

    /// Brackets, up to where all are closed and no other opens.
    fn hanging(&mut self) -> Option<()> {
        let mut depth = 0;
        while let Some(bracket @ ('(' | ')')) = self.rest.chars().next() {
            self.rest = &self.rest[1..];
            if bracket == ')' {
                depth = u32::checked_sub(depth, 1)?;
                continue;
            }
            depth += 1;
            let name = self.word().unwrap_or_default();
            let kind = if self.rest.starts_with('(') {
                SymbolKind::Phrase(name)
            } else if let Some(rest) = self.rest.strip_prefix(' ') {
                self.rest = rest;
                SymbolKind::Mark { tag: name, text: self.word()? }
            } else {
                SymbolKind::Null(name)
            };
            self.symbols.push(Symbol { kind, depth, place: 0 });
        }
        (depth == 0).then_some(())
    }

    fn trace(&mut self) -> Option<()> {
        // up to the bracket that closes the first one: null elements in it have brackets of their own
        let mut open = 0_u32;
        let end = self.rest.find(|c| {
            open = match c {
                '(' => open + 1,
                ')' => open.saturating_sub(1),
                _ => open,
            };
            open == 0
        })?;
        self.traces.push(self.rest[1..end].parse().ok()?);
        self.rest = &self.rest[end + 1..];
        Some(())
    }

    /// A label, a null's type, a tag or a mark: up to the next space or bracket, and not empty.
    fn word(&mut self) -> Option<String> {
        let end = self.rest.find([' ', '(', ')']).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        (!word.is_empty() && is_label(word)).then(|| word.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_read_as_it_was_written() {
        for text in [
            "()",
            "(())",
            "(())(0) S",
            "NP",
            "X X X",
            "VP(NP(*)) S(NP(*T*))(SBAR(0)(S(*T*))) SBAR",
            "(NP(*))",
            "((*))",
            "S(SU /)(CODE A.1)",
            "S(EDITED(SU /)((*)))",
            "() (()#0= > ()#0)",
            "VP(NP(*T*)) SBAR(WHNP(0)) ((NP *T*)#0 > (WHNP ())#0) ((*)#0 in VP#0 > SBAR#0)",
        ] {
            let spine: SpineType = text.parse().unwrap();
            assert_eq!(spine.to_string(), text);
        }
    }

    #[test]
    fn what_is_no_spine_is_refused() {
        for text in [
            "", " ", "NP ", "NP(", "NP(*", "NP)", "NP(*)) S", "NP  S", "NP (x)", "NP(*)x", "NP(SU )",
            "() NP", "(*) NP",
        ] {
            assert!(text.parse::<SpineType>().is_err(), "{text}");
        }
    }

    #[test]
    fn the_order_of_the_nulls_is_no_part_of_the_type() {
        let order = |text: &str| {
            let symbols = text.parse::<SpineType>().unwrap().spine.symbols;
            canonical_order(&symbols).into_iter().map(|index| symbols[index].clone()).collect::<Vec<_>>()
        };
        assert_eq!(order("VP(NP(*))(ADVP(*T*)) S"), order("VP(ADVP(*T*))(NP(*)) S"));
        assert_ne!(order("VP(NP(*)) S"), order("VP S(NP(*))"));
    }
}
