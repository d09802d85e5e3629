//! Relations by an ordered table of rules: the first that fits counts. Each has an example, its dependent in brackets.

use tracebank_syntax::tree::NodeId;

use crate::heads::{conjuncts, is_be, is_clause, is_existential, said_of};
use crate::scene::Scene;

use super::Arc;

/// Where a phrase depends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Site {
    /// The phrase, or the word.
    pub(crate) node: NodeId,
    /// The node whose label counts: the phrase of its trace, if it has one.
    pub(crate) label: NodeId,
    /// The phrase that it hangs in.
    pub(crate) phrase: NodeId,
    /// The child of that on which it depends.
    pub(crate) head: NodeId,
    /// Whether it is a conjunct, and its head the first one.
    pub(crate) conjunct: bool,
}

/// A site with the names that the rules look at.
struct View<'a, 'b> {
    scene: &'a Scene<'b>,
    site: &'a Site,
    /// Category of the node, of the phrase it hangs in, and of the head there.
    own: &'a str,
    around: &'a str,
    beside: &'a str,
    word: String,
}

impl View<'_, '_> {
    fn function(&self, tags: &[&str]) -> bool {
        tags.iter().any(|tag| self.scene.has_function(self.site.label, tag))
    }
    fn is_token(&self) -> bool {
        self.scene.is_token(self.site.node)
    }
    fn own(&self, names: &[&str]) -> bool {
        names.contains(&self.own)
    }
    fn around(&self, names: &[&str]) -> bool {
        names.contains(&self.around)
    }
    fn beside(&self, names: &[&str]) -> bool {
        names.contains(&self.beside)
    }
    fn in_noun(&self) -> bool {
        self.around(&NOMINAL)
    }
    fn in_clause(&self) -> bool {
        self.around(&["VP", "S", "SQ", "SINV", "SBARQ", "SBAR", "FRAG", "X", "RRC", "UCP", "PRN", ""])
    }
    fn is_subject(&self) -> bool {
        is_subject(self.scene, self.site.phrase, self.site.label)
    }
    fn is_passive(&self) -> bool {
        is_passive(self.scene, self.site.phrase)
    }
    /// The word of the verb it depends on, or that word itself.
    fn before_head(&self) -> bool {
        self.scene.span(self.site.node).start < self.scene.span(self.site.head).start
    }
    fn holds_clause(&self) -> bool {
        let inner = |node: NodeId| self.scene.head_child(node).filter(|&child| child != node);
        let mut node = self.site.node;
        while self.scene.is(node, &["PP", "WHPP"]) {
            match inner(node) {
                Some(child) => node = child,
                None => return false,
            }
        }
        self.scene.is(node, &["S", "VP", "SBAR", "SQ", "SINV"])
    }
}

const NOMINAL: [&str; 8] = ["NP", "NX", "NML", "NAC", "WHNP", "QP", "CIT", "TITLE"];
const VERBS: [&str; 7] = ["VB", "VBD", "VBZ", "VBP", "VBN", "VBG", "MD"];
const ADVERBIAL: [&str; 10] = ["TMP", "ADV", "LOC", "EXT", "MNR", "DIR", "PRP", "CLR", "BNF", "VOC"];

type Rule = (&'static str, fn(&View) -> bool, &'static str);

/// The rules: label, condition, example.
const RULES: &[Rule] = &[
    ("punct", |v| v.scene.is_punctuation(v.site.node), "She left [.]"),
    ("conj", |v| v.site.conjunct, "tea and [coffee]"),
    (
        "cc:preconj",
        |v| v.own(&["CC"]) && v.before_head() && matches!(v.word.as_str(), "both" | "either" | "neither"),
        "[both] tea and coffee",
    ),
    ("advmod", |v| v.own(&["CC"]) && v.word == "so" && v.before_head(), "[So] I left"),
    ("cc", |v| v.own(&["CC", "CONJP"]), "tea [and] coffee"),
    ("compound:prt", |v| v.own(&["PRT", "RP"]), "give [up]"),
    ("discourse", |v| v.own(&["INTJ", "UH"]), "[oh], no"),
    ("discourse", |v| v.own(&["LST", "LS"]), "[1.] Buy it"),
    ("vocative", |v| v.function(&["VOC"]), "[Mary], come"),
    ("reparandum", |v| v.own(&["EDITED"]), "[the] the man"),
    // words beside a verb
    (
        "aux:pass",
        |v| {
            v.own(&VERBS)
                && v.around(&["VP", "SQ", "SINV", "S"])
                && v.is_token()
                && is_passive_auxiliary(v.scene, v.site)
        },
        "it [was] sold",
    ),
    (
        "cop",
        |v| v.is_token() && is_be(v.scene, v.site.node) && said_of(v.scene, v.site.phrase).is_some(),
        "she [is] happy",
    ),
    ("aux", |v| v.own(&VERBS) && v.is_token() && v.around(&["VP", "SQ", "SINV", "S"]), "she [will] go"),
    ("aux", |v| v.own(&["POS", "BES", "HVS"]) && v.around(&["VP", "SQ"]), "she ['s] gone"),
    ("mark", |v| v.own(&["TO"]) && v.around(&["VP"]), "want [to] go"),
    (
        "mark",
        |v| v.own(&["IN", "DT", "TO"]) && v.is_token() && v.around(&["SBAR", "S"]),
        "said [that] she left",
    ),
    ("advmod", |v| v.own(&["RB", "RBR", "RBS"]) && v.around(&["SBAR"]), "[even] if she left"),
    (
        "mark",
        |v| {
            v.own(&["IN", "TO", "VBG", "VBN"])
                && v.is_token()
                && v.around(&["PP"])
                && v.beside(&["S", "SBAR", "VP", "SQ", "UCP"])
        },
        "[by] doing it",
    ),
    (
        "case",
        |v| {
            v.own(&["IN", "TO", "VBG", "VBN", "RP", "JJ", "FW", "CC", "POS"])
                && v.is_token()
                && v.around(&["PP", "WHPP"])
        },
        "[in] Paris",
    ),
    // words in a noun phrase
    ("case", |v| v.own(&["POS"]), "the man ['s] dog"),
    ("det:predet", |v| v.own(&["PDT"]), "[all] the men"),
    ("det", |v| v.own(&["DT", "WDT"]) && v.is_token(), "[the] dog"),
    ("nmod:poss", |v| v.own(&["PRP$", "WP$"]), "[her] dog"),
    (
        "amod",
        |v| {
            v.own(&["JJ", "JJR", "JJS", "VBG", "VBN", "VBD"])
                && v.is_token()
                && v.in_noun()
                && v.before_head()
        },
        "a [big] dog",
    ),
    (
        "amod",
        |v| {
            v.own(&["NNP", "NNPS"])
                && v.in_noun()
                && v.before_head()
                && super::tags::is_proper_adjective(v.scene, v.site.node)
        },
        "the [United] States",
    ),
    ("flat", |v| v.own(&["NNP"]) && v.in_noun() && v.beside(&["NNP"]) && !v.before_head(), "Mary [Smith]"),
    (
        "nummod",
        |v| v.own(&["CD", "QP"]) && v.around(&["NP", "NX", "NML", "WHNP", "NAC"]) && v.before_head(),
        "[five] dogs",
    ),
    ("nummod", |v| v.own(&["CD", "QP"]) && v.around(&["QP", "NP", "ADJP"]) && v.beside(&["$", "#"]), "$ [5]"),
    ("flat", |v| v.own(&["CD"]) && v.in_noun() && v.beside(&["NN", "NNP"]), "Article [3]"),
    ("compound", |v| v.own(&["CD", "NN"]) && v.around(&["QP"]), "[five] million"),
    ("nmod:unmarked", |v| v.own(&["NNP"]) && v.in_noun() && v.beside(&["CD"]), "[May] 2"),
    (
        "nmod:desc",
        |v| v.own(&["NNP", "NN"]) && v.in_noun() && v.beside(&["NNP"]) && is_title(&v.word),
        "[President] Bush",
    ),
    (
        "compound",
        |v| {
            v.own(&["NN", "NNS", "NNP", "NNPS", "NML", "NX", "NAC", "AFX", "FW"])
                && v.in_noun()
                && v.before_head()
        },
        "a [phone] book",
    ),
    ("advmod", |v| v.own(&["RB", "RBR", "RBS", "WRB"]) && v.is_token(), "[very] big"),
    (
        "advmod",
        |v| v.own(&["IN", "JJR", "JJS", "JJ", "DT", "TO"]) && v.is_token() && v.around(&["QP"]),
        "[about] five",
    ),
    ("case", |v| v.own(&["IN", "TO"]) && v.is_token() && v.in_noun(), "[of] which"),
    ("amod", |v| v.own(&["JJ", "VBN", "VBG"]) && v.is_token() && v.in_noun(), "something [new]"),
    (
        "advmod",
        |v| v.own(&["IN", "JJ", "JJR"]) && v.is_token() && v.around(&["ADVP", "ADJP", "WHADJP", "WHADVP"]),
        "[as] big",
    ),
    (
        "obl:unmarked",
        |v| v.own(&["NN", "NNS", "CD", "NNP"]) && v.is_token() && v.around(&["ADVP", "ADJP"]),
        "[five] miles long",
    ),
    (
        "nmod:unmarked",
        |v| v.own(&["PRP", "CD", "NN", "NNS", "NNP"]) && v.is_token() && v.in_noun(),
        "them [all]",
    ),
    ("dep", |v| v.is_token() && v.own(&["SYM", "$", "#"]), "[+] five"),
    // phrases in a noun phrase
    (
        "nmod:poss",
        |v| v.own(&["NP", "WHNP"]) && v.in_noun() && is_possessive(v.scene, v.site.node),
        "[the man's] dog",
    ),
    ("amod", |v| v.own(&["ADJP", "WHADJP"]) && v.in_noun() && v.before_head(), "a [very big] dog"),
    ("nummod", |v| v.own(&["QP"]) && v.in_noun(), "[about five] dogs"),
    (
        "acl:relcl",
        |v| v.own(&["SBAR"]) && (v.in_noun() || v.around(&["ADVP"])) && is_relative(v.scene, v.site.node),
        "the man [who left]",
    ),
    (
        "advcl",
        |v| {
            v.own(&["SBAR"])
                && v.in_noun()
                && begins_with(
                    v.scene,
                    v.site.node,
                    &[
                        "than", "as", "if", "because", "when", "while", "before", "after", "although",
                        "though",
                    ],
                )
        },
        "more [than he has]",
    ),
    ("acl", |v| v.own(&["SBAR", "VP", "S", "RRC", "SQ", "SINV"]) && v.in_noun(), "a chance [to go]"),
    (
        "acl",
        |v| v.own(&["ADJP"]) && v.in_noun() && !v.before_head() && v.scene.span(v.site.node).len() > 1,
        "people [able to go]",
    ),
    ("amod", |v| v.own(&["ADJP"]) && v.in_noun(), "something [new]"),
    ("nmod:unmarked", |v| v.own(&["NP"]) && v.in_noun() && v.function(&ADVERBIAL), "the vote [last year]"),
    ("nmod:unmarked", |v| v.own(&["NP"]) && v.in_noun() && v.before_head(), "[a couple] dogs"),
    ("appos", |v| v.own(&["NP", "NX", "NML"]) && v.in_noun(), "Bush, [the president]"),
    ("advcl", |v| v.own(&["PP"]) && v.in_clause() && v.holds_clause(), "left [after eating]"),
    ("acl", |v| v.own(&["PP"]) && v.in_noun() && v.holds_clause(), "the cost [of living there]"),
    ("advcl", |v| v.own(&["PP"]) && v.holds_clause(), "good [at doing it]"),
    ("nmod", |v| v.own(&["PP", "WHPP"]) && v.in_noun(), "a man [of honour]"),
    (
        "appos",
        |v| {
            v.own(&["PRN"]) && v.in_noun() && parenthesis_is(v.scene, v.site.node, &["NP", "NN", "NNP", "NX"])
        },
        "the NSF [( the foundation )]",
    ),
    ("parataxis", |v| v.own(&["PRN"]), "the dogs [( see below )]"),
    ("advmod", |v| v.own(&["ADVP", "WHADVP"]) && v.in_noun(), "the man [there]"),
    // subjects
    (
        "expl",
        |v| v.own(&["NP"]) && is_existential(v.scene, v.site.phrase) && has_tag(v.scene, v.site.node, "EX"),
        "[There] is a way",
    ),
    (
        "expl",
        |v| v.own(&["NP"]) && v.is_subject() && has_extraposed(v.scene, v.site.node),
        "[It] is hard to go",
    ),
    (
        "csubj:pass",
        |v| is_clause(v.scene, v.site.node) && v.is_subject() && v.is_passive(),
        "[that he left] was said",
    ),
    ("csubj", |v| is_clause(v.scene, v.site.node) && v.is_subject(), "[that he left] is sad"),
    (
        "nsubj:outer",
        |v| v.is_subject() && said_clause(v.scene, v.site.phrase),
        "[The problem] is that he left",
    ),
    ("nsubj:pass", |v| v.is_subject() && v.is_passive(), "[it] was sold"),
    ("nsubj", |v| v.is_subject(), "[she] left"),
    (
        "nsubj",
        |v| {
            v.own(&["NP"])
                && v.around(&["VP"])
                && v.function(&["PRD"])
                && is_existential(v.scene, v.site.phrase)
        },
        "there is [a way]",
    ),
    // the rest of a clause
    ("obl:agent", |v| v.own(&["PP"]) && v.around(&["VP"]) && is_agent(v.scene, v.site), "sold [by Google]"),
    ("obl", |v| v.own(&["PP", "WHPP"]), "left [for Paris]"),
    (
        "dislocated",
        |v| v.own(&["NP"]) && v.function(&["TPC"]) && v.around(&["S"]) && v.site.label == v.site.node,
        "[This book], I like it",
    ),
    (
        "obl:unmarked",
        |v| v.own(&["NP", "QP"]) && v.function(&["TMP", "ADV", "LOC", "EXT", "MNR", "DIR"]),
        "left [last year]",
    ),
    (
        "xcomp",
        |v| v.own(&["NP", "ADJP", "ADVP", "UCP", "WHADJP"]) && v.around(&["VP"]) && v.function(&["PRD"]),
        "became [a doctor]",
    ),
    (
        "iobj",
        |v| v.own(&["NP", "WHNP"]) && v.around(&["VP"]) && is_first_object(v.scene, v.site.label),
        "gave [her] a book",
    ),
    ("obj", |v| v.own(&["NP", "NX", "NML", "QP", "WHNP", "NAC"]) && v.around(&["VP"]), "bought [a book]"),
    (
        "obj",
        |v| v.is_token() && v.own(&["NN", "NNS", "NNP", "PRP", "CD", "DT"]) && v.around(&["VP"]),
        "bought [it]",
    ),
    ("xcomp", |v| v.own(&["ADJP", "WHADJP", "JJ"]) && v.around(&["VP"]), "felt [sick]"),
    ("ccomp", |v| v.own(&["WHNP"]) && v.around(&["SBAR", "SBARQ"]), "[what] then"),
    ("advmod", |v| v.own(&["ADVP", "WHADVP", "RB"]), "left [soon]"),
    (
        "advcl",
        |v| v.own(&["SBAR"]) && v.function(&["TMP", "ADV", "LOC", "PRP", "MNR", "DIR", "CLR"]),
        "left [when it rained]",
    ),
    (
        "advcl:relcl",
        |v| v.own(&["SBAR"]) && v.around(&["VP", "S"]) && is_which_clause(v.scene, v.site.node),
        "left, [which was sad]",
    ),
    (
        "acl:relcl",
        |v| {
            v.own(&["SBAR"])
                && v.around(&["VP"])
                && said_of(v.scene, v.site.phrase).is_some()
                && is_relative(v.scene, v.site.node)
        },
        "it was he [who left]",
    ),
    (
        "ccomp",
        |v| v.own(&["SBAR", "SBARQ", "SQ", "SINV"]) && v.around(&["VP", "ADJP"]),
        "said [that she left]",
    ),
    ("advcl", |v| v.own(&["SBAR"]), "[if she left], go"),
    ("advcl", |v| v.own(&["S"]) && v.function(&["ADV", "TMP", "PRP", "LOC", "MNR"]), "left [to see her]"),
    ("ccomp", |v| v.own(&["S"]) && v.around(&["VP"]) && is_finite(v.scene, v.site.node), "said: [she left]"),
    (
        "advcl",
        |v| v.own(&["S"]) && v.around(&["VP"]) && is_purpose(v.scene, v.site.node),
        "opened the door [to see]",
    ),
    ("xcomp", |v| v.own(&["S", "VP"]) && v.around(&["VP", "ADJP"]), "want [to go]"),
    (
        "ccomp",
        |v| v.own(&["S", "SINV", "SQ"]) && v.site.node != v.site.label && v.around(&["SBAR", "S"]),
        "[it rains], she said",
    ),
    (
        "advcl",
        |v| v.own(&["S"]) && v.around(&["S", "SINV", "ADVP"]) && !is_finite(v.scene, v.site.node),
        "[leaving], she smiled",
    ),
    ("advcl", |v| v.own(&["S", "VP"]) && v.around(&["ADVP", "PP", "ADJP"]), "enough [to go]"),
    (
        "obl:unmarked",
        |v| v.own(&["NP", "QP"]) && v.around(&["ADVP", "ADJP", "PP", "WHADVP", "WHADJP", "WHPP"]),
        "[two years] ago",
    ),
    ("advmod", |v| v.own(&["ADVP", "ADJP"]), "[right] in the house"),
    ("parataxis", |v| is_clause(v.scene, v.site.node) || v.own(&["VP", "FRAG", "X"]), "go, [he left]"),
    ("obl:unmarked", |v| v.own(&["NP"]) && v.around(&["S", "SQ", "SINV"]), "[today] it rains"),
    ("parataxis", |v| v.own(&["NP", "ADJP", "PP"]) && v.around(&["FRAG", "X", ""]), "[Sincerely], John"),
    ("parataxis", |v| v.own(&["NP"]) && v.around(&["SBARQ", "SBAR", "PRN"]), "[Fig. 1], see there"),
    ("nmod:unmarked", |v| v.in_noun(), "the men [all]"),
];

/// The relation of a phrase to its governor.
pub(crate) fn label(scene: &Scene<'_>, site: &Site) -> &'static str {
    let tree = scene.tree;
    let head = tree.kind(site.node) == tracebank_syntax::tree::Kind::Phrase;
    let word = scene.head(site.node).map(|leaf| scene.lower(leaf)).unwrap_or_default();
    let view = View {
        scene,
        site,
        own: scene.category(if head { empty_or(scene, site) } else { site.node }),
        around: scene.category(site.phrase),
        beside: scene.category(site.head),
        word,
    };
    RULES.iter().find(|(_, fits, _)| fits(&view)).map_or("dep", |(label, ..)| label)
}

/// The node whose category counts: that of the trace's phrase, unless it is a clause.
fn empty_or(scene: &Scene<'_>, site: &Site) -> NodeId {
    let moved = site.node != site.label;
    if moved && !is_clause(scene, site.node) && !scene.is(site.label, &["SBAR", "S"]) {
        site.label
    } else {
        site.node
    }
}

/// Whether `node` is the subject of `clause`, or stands where it would.
pub(crate) fn is_subject(scene: &Scene<'_>, clause: NodeId, node: NodeId) -> bool {
    if scene.has_function(node, "SBJ") {
        return true;
    }
    crate::relations::subject(scene, clause) == Some(node)
}

/// The verb phrase at the bottom of a clause or verb phrase, with its nearest auxiliary above.
fn bottom(scene: &Scene<'_>, clause: NodeId) -> (NodeId, Option<NodeId>) {
    let (mut node, mut auxiliary) = (clause, None);
    let verb = |node: NodeId| {
        scene.tree.children(node).rfind(|&child| {
            scene.is_token(child) && (VERBS.contains(&scene.category(child)) || scene.is(child, &["POS"]))
        })
    };
    loop {
        let first = conjuncts(scene, node).first().copied().filter(|&part| !scene.is_token(part));
        let inner = first.or_else(|| {
            scene.tree.children(node).find(|&child| scene.is(child, &["VP"]) && !scene.is_empty(child))
        });
        let Some(inner) = inner else { return (node, auxiliary) };
        if first.is_none() {
            auxiliary = verb(node).or(auxiliary);
        }
        node = inner;
    }
}

/// Whether the verb of a clause is in the passive.
pub(crate) fn is_passive(scene: &Scene<'_>, clause: NodeId) -> bool {
    let (phrase, auxiliary) = bottom(scene, clause);
    let Some(verb) = scene
        .tree
        .children(phrase)
        .find(|&child| scene.is_token(child) && VERBS.contains(&scene.category(child)))
    else {
        return false;
    };
    // the auxiliary may be above a verb phrase that was asked about
    let above = || {
        let outer = scene.tree.parent(clause).filter(|_| scene.is(clause, &["VP"]))?;
        scene
            .tree
            .children(outer)
            .rfind(|&child| scene.is_token(child) && VERBS.contains(&scene.category(child)))
    };
    match auxiliary.or_else(above) {
        Some(auxiliary) => {
            let lemma = scene.lemma(auxiliary);
            let has =
                matches!(scene.lower(auxiliary).as_str(), "'s" | "’s") && !has_passive_trace(scene, phrase);
            scene.is(verb, &["VBN", "VBD"]) && (lemma == "be" && !has || lemma == "get")
        }
        None => scene.is(verb, &["VBN"]),
    }
}

fn has_passive_trace(scene: &Scene<'_>, phrase: NodeId) -> bool {
    scene.tree.children(phrase).any(|child| scene.null_kind(child) == Some("*"))
}

fn is_passive_auxiliary(scene: &Scene<'_>, site: &Site) -> bool {
    let lemma = scene.lemma(site.node);
    if !matches!(lemma.as_str(), "be" | "get") || said_of(scene, site.phrase).is_some() {
        return false;
    }
    let inner = scene.children(site.phrase).into_iter().find(|&child| scene.is(child, &["VP"]));
    inner.is_some_and(|inner| {
        let (phrase, auxiliary) = bottom(scene, inner);
        let verb = scene
            .tree
            .children(phrase)
            .find(|&child| scene.is_token(child) && VERBS.contains(&scene.category(child)));
        auxiliary.is_none() && verb.is_some_and(|verb| scene.is(verb, &["VBN", "VBD"]))
    })
}

/// Whether a clause has a finite verb.
pub(crate) fn is_finite(scene: &Scene<'_>, clause: NodeId) -> bool {
    let mut node = clause;
    loop {
        let verb = scene.tree.children(node).find(|&child| {
            scene.is_token(child) && (VERBS.contains(&scene.category(child)) || scene.is(child, &["TO"]))
        });
        if let Some(verb) = verb {
            return scene.is(verb, &["VBZ", "VBD", "VBP", "MD"])
                || crate::relations::is_imperative(scene, clause);
        }
        let Some(inner) =
            scene.children(node).into_iter().find(|&child| scene.is(child, &["VP", "S", "SINV"]))
        else {
            return false;
        };
        node = inner;
    }
}

fn said_clause(scene: &Scene<'_>, clause: NodeId) -> bool {
    let (phrase, _) = bottom(scene, clause);
    said_of(scene, phrase).is_some_and(|said| is_clause(scene, said) && !scene.is_empty(said))
}

fn is_first_object(scene: &Scene<'_>, node: NodeId) -> bool {
    let object =
        |node: NodeId| scene.is(node, &["NP"]) && scene.tree.label(node).functions().next().is_none();
    let next = scene.after(node).next().filter(|&next| object(next));
    let told = || {
        const TELL: [&str; 10] =
            ["tell", "inform", "notify", "ask", "show", "teach", "promise", "assure", "advise", "wish"];
        let verb =
            scene.before(node).find(|&verb| scene.is_token(verb) && VERBS.contains(&scene.category(verb)));
        let Some(lemma) = verb.map(|verb| scene.lemma(verb)) else { return false };
        let clause = scene.after(node).any(|other| scene.is(other, &["SBAR", "SBARQ"]));
        TELL.contains(&lemma.as_str()) && (clause || matches!(lemma.as_str(), "tell" | "inform" | "notify"))
    };
    object(node) && (next.is_some() || told())
}

fn is_agent(scene: &Scene<'_>, site: &Site) -> bool {
    let by =
        scene.tree.children(site.node).any(|child| scene.is(child, &["IN"]) && scene.lower(child) == "by");
    let adverbial = ["TMP", "LOC", "EXT", "DIR"].iter().any(|tag| scene.has_function(site.node, tag));
    let logical = scene.tree.children(site.node).any(|child| scene.has_function(child, "LGS"));
    by && (logical || !adverbial && is_passive(scene, site.phrase))
}

/// An infinitive behind the object of a verb that asks for no infinitive.
fn is_purpose(scene: &Scene<'_>, clause: NodeId) -> bool {
    const WITH_OBJECT: [&str; 40] = [
        "ask",
        "tell",
        "allow",
        "force",
        "persuade",
        "order",
        "enable",
        "encourage",
        "require",
        "help",
        "want",
        "expect",
        "advise",
        "urge",
        "permit",
        "cause",
        "get",
        "lead",
        "teach",
        "invite",
        "convince",
        "direct",
        "instruct",
        "need",
        "like",
        "believe",
        "consider",
        "find",
        "make",
        "let",
        "have",
        "prefer",
        "recommend",
        "show",
        "warn",
        "remind",
        "take",
        "prepare",
        "train",
        "see",
    ];
    let object = scene
        .before(clause)
        .any(|node| scene.is(node, &["NP"]) && scene.tree.label(node).functions().next().is_none());
    let verb =
        scene.before(clause).find(|&node| scene.is_token(node) && VERBS.contains(&scene.category(node)));
    let subject = scene.tree.children(clause).find(|&child| scene.has_function(child, "SBJ"));
    let infinitive = scene.words.get(scene.span(clause).start).is_some_and(|&word| scene.is(word, &["TO"]));
    object
        && infinitive
        && subject.is_none_or(|subject| scene.is_empty(subject))
        && verb.is_some_and(|verb| !WITH_OBJECT.contains(&scene.lemma(verb).as_str()))
}

fn is_possessive(scene: &Scene<'_>, node: NodeId) -> bool {
    scene.children(node).last().is_some_and(|&child| scene.is(child, &["POS"]))
}

fn is_relative(scene: &Scene<'_>, clause: NodeId) -> bool {
    let inner = conjuncts(scene, clause).first().copied().unwrap_or(clause);
    let wh = scene.tree.children(inner).find(|&child| scene.category(child).starts_with("WH"));
    // without a pronoun an infinitive is a plain modifier: *a book to read*
    wh.is_some_and(|wh| {
        !scene.is_empty(wh) || scene.children(inner).iter().any(|&child| is_finite(scene, child))
    })
}

fn is_which_clause(scene: &Scene<'_>, clause: NodeId) -> bool {
    let comma = scene.tree.previous_sibling(clause).is_some_and(|node| scene.is(node, &[","]));
    comma && scene.children(clause).first().is_some_and(|&wh| scene.is(wh, &["WHNP", "WHPP"]))
}

fn begins_with(scene: &Scene<'_>, node: NodeId, words: &[&str]) -> bool {
    let at = scene.span(node).start;
    words.contains(&scene.lower(scene.words[at]).as_str())
}

fn has_tag(scene: &Scene<'_>, node: NodeId, tag: &str) -> bool {
    scene.head(node).is_some_and(|head| scene.is(head, &[tag]))
}

fn has_extraposed(scene: &Scene<'_>, node: NodeId) -> bool {
    scene.tree.children(node).any(|child| scene.null_kind(child) == Some("*EXP*"))
}

fn parenthesis_is(scene: &Scene<'_>, node: NodeId, names: &[&str]) -> bool {
    scene.head_child(node).is_some_and(|child| scene.is(child, names))
}

fn is_title(word: &str) -> bool {
    const TITLES: [&str; 32] = [
        "miss",
        "emperor",
        "justice",
        "lord",
        "lady",
        "sir",
        "pope",
        "chancellor",
        "president",
        "mr.",
        "mrs.",
        "ms.",
        "dr.",
        "prof.",
        "professor",
        "minister",
        "senator",
        "sen.",
        "rep.",
        "gov.",
        "governor",
        "sheikh",
        "king",
        "queen",
        "prince",
        "princess",
        "general",
        "gen.",
        "captain",
        "judge",
        "pm",
        "secretary",
    ];
    TITLES.contains(&word)
}

/// Labels that hold for a part of speech only: made to fit after all arcs are known.
pub(crate) fn tidy(scene: &Scene<'_>, arcs: &mut [Arc]) {
    for (at, arc) in arcs.iter_mut().enumerate() {
        let Some(head) = arc.head else {
            "root".clone_into(&mut arc.label);
            continue;
        };
        let tag = scene.category(scene.words[at]);
        let governor = scene.category(scene.words[head]);
        let noun =
            |tag: &str| tag.starts_with("NN") || matches!(tag, "CD" | "$" | "PRP" | "DT" | "FW" | "NML");
        let label = arc.label.as_str();
        let new = match label {
            "root" => "parataxis",
            "nmod"
                if governor.starts_with("VB") || governor.starts_with("JJ") || governor.starts_with("RB") =>
            {
                "obl"
            }
            "acl" | "acl:relcl" if governor.starts_with("VB") && label == "acl" => "advcl",
            "advmod" if noun(tag) && !matches!(tag, "DT") => {
                if noun(governor) {
                    "nmod:unmarked"
                } else {
                    "obl:unmarked"
                }
            }
            "case" if matches!(tag, "RB") => "advmod",
            _ => continue,
        };
        new.clone_into(&mut arc.label);
    }
}
