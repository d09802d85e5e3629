//! Function tags: `-SBJ`, `-TMP` and the like.
//!
//! They are no part of spine types, which would double their number. Nearly all of them say what a phrase is to the phrase above it, so
//! the topmost phrase of a spine gets those that the scorer chose for the word; a phrase of nulls gets those it mostly has in such a
//! phrase, unless `null_functions` knows better; and the phrases in between go without.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use tracebank_syntax::graph::{Graph, Spine, SymbolKind};
use tracebank_syntax::tree::Label;

use crate::vocabulary::is_function;

/// The function tags that phrases of nulls mostly have.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FunctionTable(BTreeMap<String, BTreeMap<String, usize>>);

impl FunctionTable {
    /// Counts the phrases of nulls of one more sentence, whose labels have their function tags.
    pub fn learn(&mut self, graph: &Graph) {
        for word in &graph.words {
            for (index, description) in null_phrases(&word.spine) {
                let functions = functions_of(word.spine.symbols[index].name());
                *self.0.entry(description).or_default().entry(functions).or_default() += 1;
            }
        }
    }

    /// The table reduced to its answers: one for each phrase, and none where there is nothing to add.
    #[must_use]
    pub fn settled(self) -> FunctionTable {
        let settled = self.0.into_iter().filter_map(|(description, counts)| {
            let (functions, count) = counts.into_iter().max_by_key(|&(_, count)| count)?;
            (!functions.is_empty()).then(|| (description, BTreeMap::from([(functions, count)])))
        });
        FunctionTable(settled.collect())
    }

    /// Whether all function tags of the table can stand in a label.
    pub(crate) fn is_sound(&self) -> bool {
        self.0.values().flat_map(BTreeMap::keys).all(|functions| is_function(functions))
    }

    /// Puts function tags into a graph that has none. `tops` has those of each word's topmost phrase.
    pub fn apply<'t>(&self, graph: &mut Graph, tops: impl Iterator<Item = &'t str>) {
        for (word, functions) in graph.words.iter_mut().zip(tops) {
            for (index, description) in null_phrases(&word.spine) {
                let counts = self
                    .0
                    .get(&description)
                    .and_then(|counts| counts.iter().max_by_key(|(_, count)| **count));
                if let Some((functions, _)) = counts {
                    tag(&mut word.spine, index, functions);
                }
            }
            let top = word.spine.headed().next_back();
            if let Some(top) = top {
                tag(&mut word.spine, top.index(), functions);
            }
        }
    }
}

/// The function tags of a label as they are written: `-SBJ`, `-LOC-PRD`.
pub(crate) fn functions_of(label: &str) -> String {
    Label::parse(label).functions().flat_map(|function| ["-", function]).collect()
}

fn tag(spine: &mut Spine, index: usize, functions: &str) {
    if let SymbolKind::Phrase(label) = &mut spine.symbols[index].kind {
        label.push_str(functions);
    }
}

/// The phrases of nulls of a spine, each with its category, the first thing in it and the category of the phrase it hangs in.
fn null_phrases(spine: &Spine) -> Vec<(usize, String)> {
    let category = |name| Label::parse(name).category().to_owned();
    let mut above = String::new();
    let mut phrases = Vec::new();
    for (index, symbol) in spine.symbols.iter().enumerate() {
        if symbol.is_headed() {
            above = category(symbol.name());
        } else if let SymbolKind::Phrase(label) = &symbol.kind {
            let below = spine.symbols.get(index + 1).map_or(String::new(), |below| category(below.name()));
            phrases.push((index, format!("{above} {} {below}", category(label))));
        }
    }
    phrases
}

#[cfg(test)]
mod tests {
    use super::*;
    use tracebank_syntax::graph::{self, Targets};
    use tracebank_syntax::heads::HeadTable;
    use tracebank_syntax::tree::Tree;

    #[test]
    fn functions_come_back_where_they_mostly_are() {
        let text = "( (S (NP-SBJ-1 (PRP We)) (VP (VBP like) (S-NOM (NP-SBJ (-NONE- *-1)) (VP (VBG running)))) (. .)))";
        let heads = HeadTable::named("penn").unwrap();
        let tree: Tree = text.parse().unwrap();
        let mut table = FunctionTable::default();
        table.learn(&graph::encode(&tree, &heads, Targets::Referent));
        let mut plain = tree.clone();
        plain.strip_functions();
        let mut graph = graph::encode(&plain, &heads, Targets::Referent);
        table.settled().apply(&mut graph, ["-SBJ", "", "-NOM", ""].into_iter());
        assert_eq!(graph::decode(&graph).unwrap(), tree);
    }
}
