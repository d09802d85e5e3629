//! Conformity: what the guidelines ask of a label, its part of speech and its direction, where an odd tree has led to something else.
//!
//! The checks are those of the official validator up to level 3; each makes the smallest change that satisfies it.

use super::Arcs;
use super::tags::Tags;

/// Labels of words on which next to nothing may depend, and what may.
const LEAVES: [(&[&str], &[&str]); 4] = [
    (
        &["case", "mark"],
        &["fixed", "advmod", "obl", "obl:unmarked", "goeswith", "reparandum", "conj", "cc", "punct"],
    ),
    (&["aux", "aux:pass", "cop"], &["fixed", "goeswith", "reparandum", "conj", "cc", "punct"]),
    (&["cc", "cc:preconj"], &["fixed", "goeswith", "reparandum", "conj", "punct"]),
    (&["fixed"], &["goeswith", "reparandum", "conj", "punct"]),
];

/// Parts of speech that a label can have, and the label of a word of another part of speech, by that part.
type Fit = (&'static str, &'static [&'static str], fn(&str) -> &'static str);

const FITS: [Fit; 6] = [
    ("det", &["DET", "PRON"], |upos| match upos {
        "ADJ" | "VERB" => "amod",
        "NUM" => "nummod",
        "ADV" => "advmod",
        _ => "compound",
    }),
    ("nummod", &["NUM"], |upos| match upos {
        "DET" | "PRON" => "det",
        "ADJ" | "VERB" => "amod",
        "ADV" | "PART" => "advmod",
        "ADP" => "case",
        _ => "nmod:unmarked",
    }),
    ("advmod", &["ADV", "ADJ", "CCONJ", "DET", "PART", "SYM"], |upos| match upos {
        "INTJ" => "discourse",
        "VERB" | "AUX" => "advcl",
        "NOUN" | "PROPN" | "NUM" | "PRON" => "obl:unmarked",
        "ADP" => "case",
        _ => "dep",
    }),
    ("case", &["ADP", "NOUN", "ADV", "VERB", "SCONJ", "PART", "SYM", "X", "INTJ", "CCONJ"], |_| "dep"),
    ("mark", &["ADP", "SCONJ", "PART", "ADV", "SYM", "X", "CCONJ"], |upos| {
        if upos == "VERB" { "advcl" } else { "dep" }
    }),
    ("cc", &["CCONJ", "ADP", "ADV", "PART", "SYM", "X", "SCONJ"], |_| "dep"),
];

/// Makes arcs and tags conform.
pub(crate) fn all(arcs: &mut Arcs, tags: &mut [Tags]) {
    for at in 0..arcs.len() {
        fixed_head(arcs, tags, at);
    }
    for at in 0..arcs.len() {
        part_of_speech(arcs, tags, at);
    }
    for at in 0..arcs.len() {
        direction(arcs, at);
        nominal(arcs, tags, at);
    }
    for _ in 0..3 {
        (0..arcs.len()).for_each(|at| leaf(arcs, at));
    }
    for at in 0..arcs.len() {
        once(arcs, at, "obj", "obl:unmarked");
        once(arcs, at, "iobj", "obl:unmarked");
        subjects(arcs, at);
    }
    // what the steps before moved may hang in a noun now
    (0..arcs.len()).for_each(|at| nominal(arcs, tags, at));
}

/// An expression of several words says what it is as a whole.
fn fixed_head(arcs: &Arcs, tags: &mut [Tags], at: usize) {
    if !arcs.has(at, |label| label == "fixed") {
        return;
    }
    let whole = match arcs[at].label.as_str() {
        "case" => "ADP",
        "mark" => "SCONJ",
        "cc" => "CCONJ",
        _ => "ADV",
    };
    tags[at].feats.push(format!("ExtPos={whole}"));
    tags[at].feats.sort();
}

fn part_of_speech(arcs: &mut Arcs, tags: &mut [Tags], at: usize) {
    if tags[at].feats.iter().any(|feature| feature.starts_with("ExtPos=")) {
        return;
    }
    let label = arcs[at].label.clone();
    // a preposition used as an adverb is one
    if label == "advmod" && matches!(tags[at].upos, "ADP" | "SCONJ") {
        tags[at].upos = "ADV";
        tags[at].feats.clear();
    }
    if label == "expl" && tags[at].upos != "PRON" {
        arcs.set_label(at, "nsubj");
    }
    if matches!(label.as_str(), "aux" | "aux:pass" | "cop") && tags[at].upos != "AUX" {
        tags[at].upos = "AUX";
    }
    if label == "punct" && tags[at].upos != "PUNCT" {
        arcs.set_label(at, "dep");
    }
    if tags[at].upos == "PUNCT" && label != "punct" && label != "root" {
        tags[at].upos = "SYM";
    }
    if let Some((_, allowed, other)) = FITS.iter().find(|(name, ..)| *name == label)
        && !allowed.contains(&tags[at].upos)
    {
        arcs.set_label(at, other(tags[at].upos));
    }
}

/// Conjuncts, appositions, names and fixed expressions go from left to right.
fn direction(arcs: &mut Arcs, at: usize) {
    if arcs[at].head.is_none_or(|head| head < at) {
        return;
    }
    let other = match arcs[at].label.as_str() {
        "appos" => "nmod:unmarked",
        "flat" => "compound",
        "conj" | "fixed" | "goeswith" => "dep",
        _ => return,
    };
    arcs.set_label(at, other);
}

/// An oblique of a noun or number that is no predicate is a modifier of it.
fn nominal(arcs: &mut Arcs, tags: &[Tags], at: usize) {
    let Some(head) = arcs[at].head else { return };
    let noun = matches!(tags[head].upos, "NOUN" | "PROPN" | "PRON" | "NUM");
    let said = matches!(
        arcs[head].label.as_str(),
        "root" | "conj" | "advcl" | "acl" | "acl:relcl" | "xcomp" | "ccomp" | "parataxis" | "csubj"
    );
    let predicate =
        || ["cop", "nsubj", "csubj"].iter().any(|own| arcs.has(head, |label| label.starts_with(own)));
    if noun && !said && arcs[at].label.starts_with("obl") && !predicate() {
        let rest = arcs[at].label.strip_prefix("obl").filter(|rest| *rest == ":unmarked").unwrap_or_default();
        arcs.set_label(at, &format!("nmod{rest}"));
    }
}

/// Dependants of a function word go to that word's governor.
fn leaf(arcs: &mut Arcs, at: usize) {
    let Some((_, allowed)) = LEAVES.iter().find(|(labels, _)| labels.contains(&arcs[at].label.as_str()))
    else {
        return;
    };
    let Some(governor) = arcs[at].head else { return };
    arcs.hand_over(at, governor, |_, arc| !allowed.contains(&arc.label.as_str()));
}

/// A verb has one object of a kind.
fn once(arcs: &mut Arcs, verb: usize, label: &str, other: &str) {
    let found: Vec<usize> = arcs.dependants(verb).filter(|&at| arcs[at].label == label).collect();
    for &at in found.iter().skip(1) {
        arcs.set_label(at, other);
    }
}

/// A predicate has one subject; one that is left over is set apart from the clause.
fn subjects(arcs: &mut Arcs, verb: usize) {
    let is_subject = |label: &str| label.contains("subj") && !label.contains(":outer");
    let found: Vec<usize> = arcs.dependants(verb).filter(|&at| is_subject(&arcs[at].label)).collect();
    for &at in found.iter().skip(1) {
        let label = if arcs[at].label.starts_with('c') { "parataxis" } else { "dislocated" };
        arcs.set_label(at, label);
    }
}
