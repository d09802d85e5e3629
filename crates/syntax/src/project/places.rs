//! The table of places: where nulls usually stand among their siblings.
//!
//! A null under a phrase with *n* overt children can stand in *n* + 1 gaps. What tells the right one is mostly what stands on either
//! side of it: the trace of an object is behind the verb and before the preposition, whatever else there is. So the table
//! counts, for every null of a treebank and every gap in which it could have stood, how often such a gap was the one; and it
//! puts a null into the gap whose share is highest. A gap is described in six ways, from the null alone to the null, its phrase
//! and two neighbours on each side; where a description was seldom seen, the share by the next more general one decides.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::alphabet::Alphabet;
use super::reduce::{Places, Reduced};
use super::scene::{Scene, coarse_name};
use crate::graph::outline::Outline;
use crate::graph::{Graph, Symbol};

/// How many sightings the share by the next more general description is worth.
const TRUST: f64 = 1.0;

/// In front of a line that says how often one null stood before another.
const BEFORE: &str = "before";

/// Where nulls stand, by counting.
///
/// As text it is a line for every description of a gap, sorted, with tabs between the fields. The last two are how often the null
/// stood in such a gap and how often it could have.
///
/// ```
/// use tracebank_syntax::{graph, heads::HeadTable, project::{Alphabet, PlaceTable}, tree::Tree};
/// let tree: Tree = "( (S (NP-SBJ (-NONE- *)) (VP (VB Go))))".parse()?;
/// let mut table = PlaceTable::default();
/// table.learn(&graph::encode(&tree, &HeadTable::named("penn").unwrap(), graph::Targets::Common), Alphabet::default());
/// assert!(table.to_string().contains("near\t(NP-SBJ(*))\tS\t(\tVP\t1\t1\n"));
/// assert!(table.to_string().contains("near\t(NP-SBJ(*))\tS\tVP\t)\t0\t1\n"));
/// assert_eq!(table.to_string().parse::<PlaceTable>()?, table);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PlaceTable {
    gaps: BTreeMap<String, Tally>,
    /// How often one null stood before another in the same gap.
    before: BTreeMap<(String, String), u32>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Tally {
    here: u32,
    possible: u32,
}

impl PlaceTable {
    /// Counts the nulls of a graph as `alphabet` sees it.
    pub fn learn(&mut self, graph: &Graph, alphabet: Alphabet) {
        let reduced = Reduced::of(graph, alphabet, Places::Kept);
        let outline = Outline::of(&reduced.graph);
        for scene in outline.vertices().flat_map(|vertex| Scene::all(&outline, vertex)) {
            for null in 0..scene.nulls.len() {
                self.count(&scene, null);
            }
        }
    }

    fn count(&mut self, scene: &Scene<'_>, null: usize) {
        let stands = scene.gap(null);
        for (gap, contexts) in scene.contexts(null).enumerate() {
            for context in contexts {
                let tally = self.gaps.entry(context).or_default();
                tally.possible += 1;
                tally.here += u32::from(gap == stands);
            }
        }
        for other in (null + 1..scene.nulls.len()).filter(|&other| scene.gap(other) == stands) {
            let pair = (coarse_name(scene.null(null)), coarse_name(scene.null(other)));
            *self.before.entry(pair).or_default() += 1;
        }
    }

    /// Pairs of null and gap, from left to right. Of gaps that are equally likely the leftmost is taken; nulls in one gap of which
    /// neither usually comes first keep their order.
    pub(super) fn arrange(&self, scene: &Scene<'_>) -> Vec<(usize, usize)> {
        let mut arranged: Vec<(usize, usize)> = Vec::with_capacity(scene.nulls.len());
        for null in 0..scene.nulls.len() {
            let gap = self.usual_gap(scene, null);
            let position = arranged.iter().position(|&(other, at)| {
                at > gap || (at == gap && self.precedes(scene.null(null), scene.null(other)))
            });
            arranged.insert(position.unwrap_or(arranged.len()), (null, gap));
        }
        arranged
    }

    fn usual_gap(&self, scene: &Scene<'_>, null: usize) -> usize {
        let mut best = (0, f64::NEG_INFINITY);
        for (gap, contexts) in scene.contexts(null).enumerate() {
            let share = contexts.iter().fold(0.0, |general, context| {
                let Tally { here, possible } = self.gaps.get(context).copied().unwrap_or_default();
                (f64::from(here) + TRUST * general) / (f64::from(possible) + TRUST)
            });
            if share > best.1 {
                best = (gap, share);
            }
        }
        best.0
    }

    /// Whether `null` usually comes before `other` when they are in the same gap.
    fn precedes(&self, null: &[Symbol], other: &[Symbol]) -> bool {
        let [null, other] = [null, other].map(coarse_name);
        let count = |first: &str, second: &str| {
            self.before.get(&(first.to_owned(), second.to_owned())).copied().unwrap_or_default()
        };
        count(&null, &other) > count(&other, &null)
    }
}

impl fmt::Display for PlaceTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for ((null, other), count) in &self.before {
            writeln!(f, "{BEFORE}\t{null}\t{other}\t{count}")?;
        }
        for (context, Tally { here, possible }) in &self.gaps {
            writeln!(f, "{context}\t{here}\t{possible}")?;
        }
        Ok(())
    }
}

/// A line that is none of a [`PlaceTable`].
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line} is no line of a table of places: {text:?}")]
pub struct PlaceTableError {
    /// Its number, from 1.
    pub line: usize,
    /// Its text.
    pub text: String,
}

impl FromStr for PlaceTable {
    type Err = PlaceTableError;

    fn from_str(text: &str) -> Result<PlaceTable, PlaceTableError> {
        // Lines are sorted: making a table of all of them at once is faster than inserting one after the other.
        let mut lines = Lines::default();
        for (index, line) in text.lines().enumerate() {
            let error = || PlaceTableError { line: index + 1, text: line.to_owned() };
            lines.read(line).ok_or_else(error)?;
        }
        Ok(PlaceTable { before: lines.before.into_iter().collect(), gaps: lines.gaps.into_iter().collect() })
    }
}

/// The fields of the lines of a table.
#[derive(Default)]
struct Lines {
    before: Vec<((String, String), u32)>,
    gaps: Vec<(String, Tally)>,
}

impl Lines {
    fn read(&mut self, line: &str) -> Option<()> {
        let (rest, last) = rsplit_tab(line)?;
        let last = last.parse().ok()?;
        let (context, field) = rsplit_tab(rest)?;
        if let Some(null) = context.strip_prefix(BEFORE).and_then(|rest| rest.strip_prefix('\t')) {
            self.before.push(((null.to_owned(), field.to_owned()), last));
        } else {
            self.gaps.push((context.to_owned(), Tally { here: field.parse().ok()?, possible: last }));
        }
        Some(())
    }
}

/// The text before the last tab and behind it, which is a few bytes away: a search made for long texts takes longer to begin.
fn rsplit_tab(text: &str) -> Option<(&str, &str)> {
    let tab = text.bytes().rposition(|byte| byte == b'\t')?;
    Some((&text[..tab], &text[tab + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bad_line_is_named() {
        let text = "null\t(NP(*))\t1\t2\nnull\t(NP(*))\t1\n";
        let error = text.parse::<PlaceTable>().unwrap_err();
        assert_eq!(error.to_string(), "line 2 is no line of a table of places: \"null\\t(NP(*))\\t1\"");
    }
}
