//! A phrase with nulls in it, as the [`PlaceTable`](super::PlaceTable) looks at it.

use std::ops::Range;

use super::spine::write_subtree;
use crate::graph::outline::{Outline, Overt, subtrees};
use crate::graph::{Symbol, SymbolId, SymbolKind, Vertex};
use crate::tree::Label;

/// How a gap is described, the most general first: by categories up to `category`, by whole labels from `near` on.
const LEVELS: [&str; 6] = ["null", "left", "beside", "category", "near", "wide"];

/// The neighbours of a gap at either edge of its phrase. No label can be a bracket.
const EDGES: [&str; 2] = ["(", ")"];

/// A phrase on the left of its parent's head, one that is the head, and one on the right of it.
const SIDES: [&str; 3] = ["<", "^", ">"];

/// A headed phrase, its overt children and the nulls that hang in it.
pub(super) struct Scene<'a> {
    pub(super) phrase: SymbolId,
    pub(super) overt: Overt,
    /// The nulls, as ranges of the spine's symbols.
    pub(super) nulls: Vec<Range<usize>>,
    symbols: &'a [Symbol],
    labels: Vec<&'a str>,
    side: &'static str,
}

impl<'a> Scene<'a> {
    /// The scenes in the spine of `vertex`, bottom first.
    pub(super) fn all(outline: &Outline<'a>, vertex: Vertex) -> Vec<Scene<'a>> {
        let symbols = outline.symbols(vertex);
        let headed = (0..symbols.len()).filter(|&index| symbols[index].is_headed());
        let with_nulls = headed.filter_map(|index| {
            let nulls = subtrees(symbols, index + 1, 1);
            (!nulls.is_empty()).then_some((SymbolId(index as u32), nulls))
        });
        with_nulls
            .map(|(phrase, nulls)| {
                let overt = outline.overt(vertex, phrase);
                let labels = overt.children.iter().map(|&child| outline.label(child)).collect();
                let side = side(outline, vertex, phrase);
                Scene { phrase, overt, nulls, symbols, labels, side }
            })
            .collect()
    }

    /// The null with this number, and all below it.
    pub(super) fn null(&self, number: usize) -> &'a [Symbol] {
        &self.symbols[self.nulls[number].clone()]
    }

    /// The gap in which that null stands.
    pub(super) fn gap(&self, number: usize) -> usize {
        self.overt.gap(self.null(number)[0].place)
    }

    /// Every gap as a place for the null with this number, each described more and more exactly.
    pub(super) fn contexts(&self, number: usize) -> impl Iterator<Item = [String; LEVELS.len()]> {
        let null = name(self.null(number), |label| label);
        let null_category = name(self.null(number), category);
        let parent = self.symbols[self.phrase.index()].name();
        (0..=self.labels.len()).map(move |gap| {
            let [far_left, left, right, far_right] = [-2, -1, 0, 1].map(|offset| self.neighbour(gap, offset));
            let [parent_category, left_category, right_category] = [parent, left, right].map(category);
            let fields: [&[&str]; LEVELS.len()] = [
                &[&null_category],
                &[&null_category, left_category],
                &[&null_category, left_category, right_category],
                &[&null_category, parent_category, left_category, right_category],
                &[&null, parent, left, right],
                &[&null, parent, far_left, left, right, far_right, self.side],
            ];
            std::array::from_fn(|level| format!("{}\t{}", LEVELS[level], fields[level].join("\t")))
        })
    }

    /// The label of the overt child so many steps from the one behind `gap`.
    fn neighbour(&self, gap: usize, offset: i64) -> &'a str {
        let index = gap as i64 + offset;
        let label = usize::try_from(index).ok().and_then(|index| self.labels.get(index));
        label.copied().unwrap_or(EDGES[usize::from(index >= 0)])
    }
}

fn side(outline: &Outline<'_>, vertex: Vertex, phrase: SymbolId) -> &'static str {
    let is_top = !outline.symbols(vertex)[phrase.index() + 1..].iter().any(Symbol::is_headed);
    match outline.graph.word(vertex) {
        Some(word) if is_top && vertex < word.head => SIDES[0],
        Some(_) if is_top => SIDES[2],
        _ => SIDES[1],
    }
}

/// A null by the categories of its phrases and the types of its null elements; a mark by its tag.
pub(super) fn coarse_name(null: &[Symbol]) -> String {
    name(null, category)
}

fn name<'a>(null: &'a [Symbol], label: impl Fn(&'a str) -> &'a str) -> String {
    if let [Symbol { kind: SymbolKind::Mark { tag, .. }, .. }] = null {
        return format!("({tag} )");
    }
    let mut name = String::new();
    write_subtree(&mut name, null, label).expect("writing to a string");
    name
}

fn category(label: &str) -> &str {
    Label::parse(label).category()
}
