//! Pictures.

use serde::Deserialize;
use tracebank_report::draw::{
    Latex, Marks, TreeOptions, comparison_with, latex, picture_with, spine_picture,
};
use tracebank_report::{evaluation, graph};
use tracebank_syntax::heads::HeadTable;
use tracebank_syntax::tree::Tree;

use crate::Answer;
use crate::problem::Problem;
use crate::trees;

/// A request for a picture of a tree.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[allow(clippy::struct_excessive_bools, reason = "each is a switch of its own, by its name in JSON")]
pub struct Draw {
    /// The tree, in Penn brackets
    #[cfg_attr(feature = "openapi", schema(example = "(S (NP (PRP We)) (VP (VBP run)))"))]
    pub tree: String,
    /// The view
    #[serde(default)]
    pub view: View,
    /// The form of the picture
    #[serde(default)]
    pub to: Picture,
    /// Whether words have their tags
    #[serde(default = "yes")]
    pub tags: bool,
    /// Whether labels have their function tags
    #[serde(default = "yes")]
    pub functions: bool,
    /// Labels of phrases that are drawn as triangles
    #[serde(default)]
    pub collapse: Vec<String>,
    /// Numbers of phrases that are drawn as triangles
    #[serde(default)]
    pub collapsed: Vec<usize>,
    /// Another tree over the same words: what it does not have is marked
    #[serde(default)]
    pub against: Option<String>,
    /// Whether that tree is drawn too, above
    #[serde(default)]
    pub both: bool,
    /// Probabilities of phrases, as the JSON of a parse has them: lines are as strong
    #[serde(default)]
    pub phrases: Vec<Likely>,
    /// Whether every node and arc says in an attribute which it is
    #[serde(default)]
    pub named: bool,
}

fn yes() -> bool {
    true
}

/// A view of a tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum View {
    /// The tree, with an arc from each null to its antecedent
    #[default]
    Tree,
    /// Words with spines, structural edges and trace edges
    Spines,
}

/// A form of picture.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Picture {
    /// SVG
    #[default]
    Svg,
    /// PNG, by the server
    Png,
    /// PDF, by the server
    Pdf,
    /// LaTeX with `forest`
    Forest,
    /// LaTeX with `tikz-qtree`
    Qtree,
}

/// A phrase and its probability.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Likely {
    /// Its label
    pub label: String,
    /// Its first token, and the one behind its last
    pub tokens: (usize, usize),
    /// Its probability
    pub probability: Option<f32>,
}

impl Draw {
    /// The picture; PNG and PDF come as the SVG that they are made of.
    pub fn answer(&self) -> Result<Answer, Problem> {
        let tree = trees::tree(&self.tree)?;
        let options = self.options(&tree)?;
        let package = match self.to {
            Picture::Forest => Latex::Forest,
            Picture::Qtree => Latex::Qtree,
            _ => return self.svg(&tree, options),
        };
        Ok(Answer { media: "application/x-latex", text: latex(&tree, package, &options) })
    }

    fn options(&self, tree: &Tree) -> Result<TreeOptions, Problem> {
        let collapsed: Result<_, Problem> =
            self.collapsed.iter().map(|&number| trees::node(tree, number)).collect();
        let options = TreeOptions {
            tags: self.tags,
            functions: self.functions,
            collapsed: collapsed?,
            probabilities: self.probabilities(tree),
            named: self.named,
            ..TreeOptions::default()
        };
        Ok(options.collapsing(tree, &self.collapse))
    }

    /// The probability of each node, by category and words.
    fn probabilities(&self, tree: &Tree) -> Vec<f32> {
        if self.phrases.is_empty() {
            return Vec::new();
        }
        let spans = tree.word_spans();
        let mut found = vec![1.0; tree.arena_len()];
        for node in tree.preorder(tree.top()) {
            let span = (spans[node.index()].start, spans[node.index()].end);
            let same = |phrase: &&Likely| phrase.tokens == span && phrase.label == tree.label_text(node);
            if let Some(probability) = self.phrases.iter().find(same).and_then(|phrase| phrase.probability) {
                found[node.index()] = probability.clamp(0.0, 1.0);
            }
        }
        found
    }

    fn svg(&self, tree: &Tree, mut options: TreeOptions) -> Result<Answer, Problem> {
        let measures = evaluation::Options::default();
        let other = self.against.as_deref().map(trees::tree).transpose()?;
        let text = match (self.view, other) {
            (View::Spines, _) => {
                let heads = HeadTable::named("penn").expect("the table comes with the crate");
                spine_picture(&graph::Options { heads, keep_functions: self.functions }.graph(tree))
            }
            (View::Tree, Some(gold)) if self.both => comparison_with(&gold, tree, &measures, &options),
            (View::Tree, other) => {
                if let Some(gold) = other {
                    options.marks = Marks::between(&gold, tree, &measures).test;
                }
                picture_with(tree, &options)
            }
        };
        Ok(Answer { media: "image/svg+xml", text })
    }
}
