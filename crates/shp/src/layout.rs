//! Columns and comments.

use std::fmt::Write as _;

use tracebank_syntax::tree::{NodeId, Tree};

use super::ROOT;
use super::edge::{End, GAP, Parent, Trace, parents, traces};
use super::extent::Extents;
use super::index::Indices;
use super::properties::graph_type;
use super::spine::{Spines, tag};

/// The columns that are as wide as their widest field; numbers stand on the right.
const COLUMNS: usize = 6;
/// The widest column: one field longer than any sentence of a treebank has would otherwise pad every line to its own length.
const WIDEST: usize = 1000;
const RIGHT_ALIGNED: [usize; 2] = [0, 4];

/// The lines of a prepared tree.
pub(super) fn lay_out(tree: &Tree, with_comments: bool) -> String {
    let extents = Extents::of(tree);
    let indices = Indices::of(tree);
    let spines = Spines::of(tree, &extents, &indices);
    let parents = parents(tree, &extents);
    let traces = traces(tree, &extents, &indices);
    let mut out = String::new();
    if with_comments {
        out.push_str(&comments(tree, &extents, &indices));
        out.push_str("# Graph type ");
        out.push_str(&graph_type(&parents, &traces));
        out.push('\n');
    }
    let rows: Vec<[String; COLUMNS]> = rows(tree, &spines, &parents);
    let widths: [usize; COLUMNS] = std::array::from_fn(|column| {
        rows.iter().map(|row| width(&row[column])).max().unwrap_or(0).min(WIDEST)
    });
    let mut fields = trace_fields(&spines, &traces, rows.len());
    for (row, fields) in rows.iter().zip(&mut fields) {
        fields.sort_unstable();
        for (column, text) in row.iter().enumerate() {
            let padding = " ".repeat(widths[column].saturating_sub(width(text)));
            let parts = if RIGHT_ALIGNED.contains(&column) { [&padding, text] } else { [text, &padding] };
            out.push_str(if column == 0 { "" } else { " " });
            out.extend(parts.map(String::as_str));
        }
        for field in fields {
            out.extend([" ", field]);
        }
        out.push('\n');
    }
    out.push('\n');
    out
}

fn width(text: &str) -> usize {
    text.chars().count()
}

fn rows(tree: &Tree, spines: &Spines, parents: &[Parent]) -> Vec<[String; COLUMNS]> {
    let words = tree.word_nodes().zip(spines.texts()).zip(parents).enumerate();
    words
        .map(|(place, ((leaf, spine), parent))| {
            let (head, attachment) = match *parent {
                Parent::Root => (0, format!("{ROOT}_0")),
                Parent::Phrase { word, node } => (word, spines.name(node).to_owned()),
            };
            let word = tree.word(leaf).unwrap_or_default().to_owned();
            [(place + 1).to_string(), word, tag(tree, leaf), spine.to_owned(), head.to_string(), attachment]
        })
        .collect()
}

/// The trace edges of each word. An edge stands with its antecedent and names the referrer first, unless it is a gap's or both ends are null.
fn trace_fields(spines: &Spines, traces: &[Trace], words: usize) -> Vec<Vec<String>> {
    let mut fields = vec![Vec::new(); words];
    let flag = |end: End| if end.is_null { 'T' } else { 'F' };
    for trace in traces {
        let both_null = trace.antecedent.is_null && trace.referrer.is_null;
        let (target, own) = if trace.kind == GAP || both_null {
            (trace.antecedent, trace.referrer)
        } else {
            (trace.referrer, trace.antecedent)
        };
        fields[own.word - 1].push(format!(
            "{} {} {} {} {} {}",
            target.word,
            spines.name(target.node),
            flag(target),
            spines.name(own.node),
            flag(own),
            trace.kind
        ));
    }
    fields
}

fn comments(tree: &Tree, extents: &Extents, indices: &Indices) -> String {
    let mut out = String::from("# Sentence  ");
    for word in tree.words() {
        out.extend([" ", word]);
    }
    out.push('\n');
    let mut line = |kind: &str, number: &str, node: NodeId, text: &str| {
        let (start, end) = extents.span(node);
        writeln!(out, "# {kind:<10} {number}({start}, {end}) {text}").expect("writing to a string");
    };
    for (number, &node) in indices.antecedents.iter() {
        if let Some(node) = node {
            let is_null = if extents.is_null(node) { "True" } else { "False" };
            line("Identity", &format!("{number} "), node, &format!("{} {is_null}", tree.label_text(node)));
        }
    }
    for (number, nodes) in indices.gaps.iter() {
        for &node in nodes {
            line("Gapping", &format!("{number} "), node, tree.label_text(node));
        }
    }
    let word = |node| tree.word(node).unwrap_or_default();
    for (number, nodes) in indices.references.iter() {
        for &node in nodes {
            line("Reference", &format!("{number} "), node, word(node));
        }
    }
    indices.empty.iter().for_each(|&node| line("Empty", "", node, word(node)));
    for (number, _) in indices.gaps.iter().chain(indices.references.iter()) {
        if indices.antecedent(number).is_none() {
            writeln!(out, "# Error      {number} reference without identity").expect("writing to a string");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        let tree: Tree = text.parse().unwrap();
        lay_out(&tree, true).lines().map(str::to_owned).collect()
    }

    #[test]
    fn between_two_nulls_the_edge_stands_with_the_trace() {
        let text = "(ROOT (NP (NP (DT a) (NN book)) (SBAR (WHNP-1 (-NONE- 0)) \
                    (S (NP-SBJ (-NONE- *)) (VP (TO to) (VP (VB read) (NP (-NONE- *T*-1))))))))";
        let wanted = [
            "# Sentence   a book to read",
            "# Identity   1 (2, 2) WHNP-1 True",
            "# Reference  1 (4, 4) *T*-1",
            "# Empty      (2, 2) 0",
            "# Empty      (2, 2) *",
            "# Graph type  proj graph no-cycle no-cycle-rev-edges has-len1-cycle no-double",
            "1 a    DT _                                               2 NP_0  ",
            "2 book NN NP_NP                                           0 ROOT_0",
            "3 to   TO _                                               4 VP_1  ",
            "4 read VB (NP_(*T*))_VP_VP_(NP-SBJ_(*))_S_(WHNP_(0))_SBAR 2 NP_1   4 WHNP_0 T NP_0 T *T*",
            "",
        ];
        assert_eq!(lines(text), wanted);
    }

    #[test]
    fn a_gap_points_to_what_it_resembles() {
        let text = "(ROOT (S (S (NP-SBJ-1 (NNS cats)) (VP (VBP like) (NP-2 (NN fish)))) (CC and) \
                    (S (NP-SBJ=1 (NNS dogs)) (NP=2 (NN meat)))))";
        let wanted = [
            "# Sentence   cats like fish and dogs meat",
            "# Identity   1 (0, 1) NP-SBJ-1 False",
            "# Identity   2 (2, 3) NP-2 False",
            "# Gapping    1 (4, 5) NP-SBJ=1",
            "# Gapping    2 (5, 6) NP=2",
            "# Graph type other graph no-cycle no-cycle-rev-edges no-len1-cycle no-double",
            "1 cats NNS NP-SBJ   2 S_0   ",
            "2 like VBP VP_S     4 S_0   ",
            "3 fish NN  NP       2 VP_0  ",
            "4 and  CC  S        0 ROOT_0",
            "5 dogs NNS NP-SBJ_S 4 S_0    1 NP-SBJ_0 F NP-SBJ_0 F =",
            "6 meat NN  NP       5 S_0    3 NP_0 F NP_0 F =",
            "",
        ];
        assert_eq!(lines(text), wanted);
    }

    #[test]
    fn numbers_are_reversed_in_comments_and_dangling_ones_told() {
        let text = "(ROOT (S (NP-SBJ-12 (PRP we)) (VP (VBP hope) (S (NP-SBJ (-NONE- *-12)) \
                    (VP (TO to) (VP (VB win) (NP (-NONE- *T*-3))))))))";
        let wanted = [
            "# Sentence   we hope to win",
            "# Identity   21 (0, 1) NP-SBJ-12 False",
            "# Reference  21 (2, 2) *-12",
            "# Reference  3 (4, 4) *T*-3",
            "# Error      3 reference without identity",
            "# Graph type   1ec graph no-cycle no-cycle-rev-edges no-len1-cycle no-double",
            "1 we   PRP NP-SBJ               2 S_0    4 NP-SBJ_0 T NP-SBJ_0 F *",
            "2 hope VBP VP_S                 0 ROOT_0",
            "3 to   TO  _                    4 VP_1  ",
            "4 win  VB  VP_VP_(NP-SBJ_(*))_S 2 VP_0  ",
            "",
        ];
        assert_eq!(lines(text), wanted);
    }

    #[test]
    fn each_reference_and_each_link_of_a_chain_has_its_edge() {
        let text = "(ROOT (SBARQ (WHNP-1 (WP what)) (SQ (VBZ is) (NP-SBJ-2 (-NONE- *T*-1)) \
                    (VP (VBN seen) (NP (-NONE- *-2)) (PP (-NONE- *T*-1))))))";
        let wanted = [
            "1 what WP  WHNP                                           3 SBARQ_0 3 NP-SBJ_0 T WHNP_0 F *T* 3 PP_0 T WHNP_0 F *T*",
            "2 is   VBZ _                                              3 SQ_0   ",
            "3 seen VBN (NP_(*))_(PP_(*T*))_VP_(NP-SBJ_(*T*))_SQ_SBARQ 0 ROOT_0  3 NP-SBJ_0 T NP_0 T *",
            "",
        ];
        assert_eq!(lines(text)[7..], wanted);
    }

    #[test]
    fn an_edge_can_end_on_an_overt_phrase_or_a_tag() {
        let text = "(ROOT (VP (VB see) (NNS-1 dogs) (-NONE- *-1)))";
        let wanted = ["1 see  VB  (*)_VP 0 ROOT_0", "2 dogs NNS _      1 VP_0   1 VP_0 F NNS_0 F *", ""];
        assert_eq!(lines(text)[4..], wanted);
    }
}
