//! What a spine says by itself, for those who look at whole analyses: the guidelines, and the choice of function tags.

use tracebank_syntax::graph::{Spine, Symbol, SymbolId, SymbolKind};
use tracebank_syntax::tree::Label;

/// The contents of a phrase, as its spine alone tells them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PhraseContents {
    /// The category, without function tags.
    pub category: String,
    /// For each null that hangs there, the category of its phrase; none for a null in no phrase of its own.
    pub nulls: Vec<Option<String>>,
}

impl PhraseContents {
    /// Those of each phrase of a spine, from the bottom to the top.
    pub(super) fn of(spine: &Spine) -> Vec<PhraseContents> {
        let category = |symbol: &Symbol| Label::parse(symbol.name()).category().to_owned();
        let contents = |phrase: SymbolId| {
            let inside = spine.symbols[phrase.index() + 1..].iter().take_while(|symbol| !symbol.is_headed());
            let null =
                |symbol: &Symbol| matches!(symbol.kind, SymbolKind::Phrase(_)).then(|| category(symbol));
            PhraseContents {
                category: category(&spine.symbols[phrase.index()]),
                nulls: inside.filter(|symbol| symbol.depth == 1).map(null).collect(),
            }
        };
        spine.headed().map(contents).collect()
    }
}

/// Whether a spine has a trace of movement.
pub(super) fn has_trace(spine: &Spine) -> bool {
    spine.symbols.iter().any(|symbol| matches!(&symbol.kind, SymbolKind::Null(kind) if kind == "*T*"))
}
