//! Columns and comments.

use std::fmt::Write as _;

use super::ROOT;
use super::edge::{End, GAP, Parent, Trace, parents, traces};
use super::extent::Extents;
use super::index::Indices;
use super::properties::graph_type;
use super::spine::{Spines, tag};
use crate::tree::{NodeId, Tree};

/// The columns that are as wide as their widest field; numbers stand on the right.
const COLUMNS: usize = 6;
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
    let widths: [usize; COLUMNS] =
        std::array::from_fn(|column| rows.iter().map(|row| width(&row[column])).max().unwrap_or(0));
    let mut fields = trace_fields(&spines, &traces, rows.len());
    for (row, fields) in rows.iter().zip(&mut fields) {
        fields.sort_unstable();
        for (column, text) in row.iter().enumerate() {
            let padding = " ".repeat(widths[column] - width(text));
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
        nodes.iter().for_each(|&node| line("Gapping", &format!("{number} "), node, tree.label_text(node)));
    }
    let word = |node| tree.word(node).unwrap_or_default();
    for (number, nodes) in indices.references.iter() {
        nodes.iter().for_each(|&node| line("Reference", &format!("{number} "), node, word(node)));
    }
    indices.empty.iter().for_each(|&node| line("Empty", "", node, word(node)));
    for (number, _) in indices.gaps.iter().chain(indices.references.iter()) {
        if indices.antecedent(number).is_none() {
            writeln!(out, "# Error      {number} reference without identity").expect("writing to a string");
        }
    }
    out
}
