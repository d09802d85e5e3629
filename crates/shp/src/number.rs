//! Numbers on labels and null elements, made of trace edges.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use tracebank_syntax::tree::{NodeId, SlotKind, Tree};

use super::edge::GAP;
use super::row::{Fault, Row};
use super::sprout::Sprouts;

/// Writes the numbers of all trace edges, from 1 in the order of the lines.
///
/// DIVERGENCE: the authors' program reads a number of two digits that it has given in reverse when a second edge wants it, and takes a
/// gap between two nulls the wrong way round. Here numbers stay as they are, and gaps come back as they were written.
pub(super) fn number_traces<'a>(
    tree: &mut Tree,
    sprouts: &Sprouts<'a>,
    rows: &[Row<'a>],
) -> Result<(), Fault> {
    let mut numbers = Numbers::default();
    for trace in rows.iter().flat_map(|row| &row.traces) {
        let is_reversed = trace.kind != GAP && trace.target.is_null && trace.own.is_null;
        let (target, own) = if is_reversed { (trace.own, trace.target) } else { (trace.target, trace.own) };
        let (target_node, own_node) = (sprouts.find(target)?, sprouts.find(own)?);
        if trace.kind == GAP {
            let number = numbers.of(target_node);
            numbers.add(own_node, SlotKind::Gap, number);
        } else {
            let null = numbers.null_below(tree, target_node, trace.kind).ok_or_else(|| {
                let name = target.field.text;
                target.field.fault(format!("there is no null element straight below {name}"))
            })?;
            let number = numbers.of(own_node);
            numbers.add(null, SlotKind::Index, number);
        }
    }
    numbers.write(tree);
    Ok(())
}

/// The numbers of nodes, which are written when all are known: a label could otherwise be rewritten once for each edge.
#[derive(Default)]
struct Numbers {
    given: BTreeMap<NodeId, u32>,
    texts: BTreeMap<NodeId, String>,
}

impl Numbers {
    /// The number of an antecedent, a new one if it has none yet.
    fn of(&mut self, antecedent: NodeId) -> u32 {
        let next = self.given.len() as u32 + 1;
        let number = *self.given.entry(antecedent).or_insert(next);
        if number == next {
            self.add(antecedent, SlotKind::Index, number);
        }
        number
    }

    fn add(&mut self, node: NodeId, kind: SlotKind, number: u32) {
        let text = self.texts.entry(node).or_default();
        write!(text, "{}{number}", kind.sign()).expect("writing to a string");
    }

    /// The first null element in `phrase` of type `kind` that has no number yet, or the first of all.
    fn null_below(&self, tree: &Tree, phrase: NodeId, kind: &str) -> Option<NodeId> {
        let nulls = || tree.children(phrase).filter(|&child| tree.is_null_element(child));
        let is_free = |null: &NodeId| tree.word(*null) == Some(kind) && !self.texts.contains_key(null);
        nulls().find(is_free).or_else(|| nulls().next())
    }

    fn write(self, tree: &mut Tree) {
        for (node, numbers) in self.texts {
            if tree.is_null_element(node) {
                let word = format!("{}{numbers}", tree.word(node).unwrap_or_default());
                tree.set_word(node, &word);
            } else {
                let label = format!("{}{numbers}", tree.label_text(node));
                tree.set_label(node, &label);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::Reader;

    /// A verb with two nulls and a noun, whose lines end with `verb` and `noun`.
    fn read(verb: &str, noun: &str) -> String {
        let text = format!("1 see VB (NP_(*))_(PP_(0))_VP 0 ROOT_0 {verb}\n2 dogs NNS NP 1 VP_0 {noun}\n");
        let tree = Reader::new(text.as_bytes()).next().unwrap();
        tree.map_or_else(|error| error.to_string(), |tree| tree.to_string())
    }

    #[test]
    fn one_case_a_rule() {
        let cases = [
            // an edge stands with the antecedent
            ("", "1 NP_0 T NP_0 F *", "(PP (-NONE- 0)) (NP (-NONE- *-1)) (NP-1 (NNS dogs))"),
            // between two nulls it stands with the trace
            ("1 PP_0 T NP_0 T *", "", "(PP-1 (-NONE- 0)) (NP (-NONE- *-1)) (NP (NNS dogs))"),
            // a gap has its number from its target
            ("", "1 PP_0 T NP_0 F =", "(PP-1 (-NONE- 0)) (NP (-NONE- *)) (NP=1 (NNS dogs))"),
            ("1 PP_0 T NP_0 T =", "", "(PP-1 (-NONE- 0)) (NP=1 (-NONE- *)) (NP (NNS dogs))"),
            // one number for all that refer to a node, in the order of the lines
            (
                "2 NP_0 F NP_0 T =",
                "1 NP_0 T NP_0 F * 1 PP_0 T NP_0 F *T*",
                "(PP (-NONE- 0-1)) (NP=1 (-NONE- *-1)) (NP-1 (NNS dogs))",
            ),
            ("", "1 NP_0 T NNS_0 F *", "(PP (-NONE- 0)) (NP (-NONE- *-1)) (NP (NNS-1 dogs))"),
        ];
        for (verb, noun, wanted) in cases {
            assert_eq!(read(verb, noun), format!("(ROOT (VP (VB see) {wanted}))"));
        }
    }

    #[test]
    fn an_edge_needs_its_ends() {
        let no_node = "2:24: the spine of word 1 has no null node NP_1";
        assert_eq!(read("", "1 NP_1 T NP_0 F *"), no_node);
        assert_eq!(read("", "1 VP_0 F NP_0 F *"), "2:24: there is no null element straight below VP_0");
        assert_eq!(read("", "7 NP_0 T NP_0 F *"), "2:24: the spine of word 7 has no null node NP_0");
    }
}
