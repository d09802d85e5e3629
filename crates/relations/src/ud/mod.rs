//! Universal Dependencies v2 for English, from a tree with its traces.
//!
//! The steps have a file each: `attach` finds the governor of each word, by the content heads of the crate's head table and by the
//! traces, which say where a fronted or extraposed phrase belongs; `labels` names the relation, by the ordered table of `rules`;
//! `fixed` joins expressions of several words, `numerals` arranges dates; `tags` gives part of speech and features, by tables; `conform` sees to it
//! that the result is valid;
//! `enhance` adds the edges of the enhanced graph, most of which the nulls of the tree spell out; `conllu` writes it all.
//!
//! Source: the guidelines at universaldependencies.org (v2, and its pages for English).

mod arcs;
mod attach;
mod clauses;
mod conform;
mod conllu;
mod enhance;
mod fixed;
mod hyphens;
mod labels;
mod numerals;
mod punctuation;
mod rules;
mod tags;
mod words;

use std::ops::Range;

use tracebank_syntax::tree::Tree;

use crate::scene::Scene;

use arcs::{Arc, Arcs};

pub use conllu::{plain, write};
pub use hyphens::split_hyphens;

/// A word with its annotation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UdToken {
    /// The word, without the escapes of the Penn Treebank.
    pub form: String,
    /// Its lemma.
    pub lemma: String,
    /// Its part of speech.
    pub upos: &'static str,
    /// Its Penn tag.
    pub xpos: String,
    /// Its features, in order: `Number=Sing`; empty for none.
    pub feats: Vec<String>,
    /// Its governor, counted from 1; 0 for the root.
    pub head: usize,
    /// Its relation to it.
    pub deprel: String,
    /// Its edges in the enhanced graph: governor and relation.
    pub deps: Vec<(usize, String)>,
    /// Its characters in the document, if they are known; `TokenRange` of MISC.
    pub chars: Option<Range<usize>>,
    /// Further remarks for MISC.
    pub misc: Vec<String>,
}

/// The dependencies of a tree in the project's dialect; nothing for a tree without words.
///
/// ```
/// use tracebank_relations::ud;
/// let tree = "( (S (NP-SBJ (PRP She)) (VP (VBZ is) (ADJP-PRD (RB very) (JJ happy))) (. .)))".parse()?;
/// let tokens = ud::convert(&tree);
/// let arcs: Vec<String> = tokens.iter().map(|token| format!("{} {} {}", token.form, token.head, token.deprel)).collect();
/// assert_eq!(arcs, ["She 4 nsubj", "is 4 cop", "very 4 advmod", "happy 0 root", ". 4 punct"]);
/// # Ok::<(), tracebank_syntax::penn::SyntaxError>(())
/// ```
pub fn convert(tree: &Tree) -> Vec<UdToken> {
    let scene = Scene::for_dependencies(tree);
    if scene.words.is_empty() {
        return Vec::new();
    }
    let mut arcs = attach::arcs(&scene);
    fixed::join(&scene, &mut arcs);
    numerals::arrange(&scene, &mut arcs);
    labels::tidy(&scene, &mut arcs);
    punctuation::attach(&scene, &mut arcs);
    let mut tags = tags::all(&scene, &arcs);
    conform::all(&mut arcs, &mut tags);
    let deps = enhance::graph(&scene, &arcs, &tags);
    let tokens = scene.words.iter().enumerate().map(|(at, &leaf)| {
        let word = tree.word(leaf).unwrap_or_default();
        let form = conllu::plain(word);
        UdToken {
            lemma: tags[at].lemma.clone(),
            upos: tags[at].upos,
            xpos: xpos(tree.label_text(leaf)),
            feats: tags[at].feats.clone(),
            head: arcs[at].head.map_or(0, |head| head + 1),
            deprel: arcs[at].label.clone(),
            deps: deps[at].clone(),
            chars: None,
            misc: Vec::new(),
            form,
        }
    });
    tokens.collect()
}

fn xpos(tag: &str) -> String {
    let tag = tracebank_syntax::tree::Label::parse(tag).category();
    if tag.is_empty() { "_".to_owned() } else { tag.to_owned() }
}
