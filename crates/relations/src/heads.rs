//! Content heads: which child of a phrase is its head when function words depend on content words.
//!
//! The rows of [`ROWS`] are tried from the first step to the last. Four things are no rows, because they look at more than
//! categories: the first conjunct heads a coordination ([`conjuncts`]), what is said with *be* heads its clause
//! ([`said_of`]), a statement heads its tag question ([`asked_statement`]), and the given name heads a personal name.
//!
//! Source: the guidelines of Universal Dependencies v2 for English (universaldependencies.org/en), which say what depends on what.

use tracebank_syntax::tree::{Kind, NodeId};

use crate::names;
use crate::scene::Scene;

/// From which side children are looked at.
#[derive(Clone, Copy)]
enum Side {
    Left,
    Right,
}
use Side::{Left, Right};

type Step = (Side, &'static [&'static str]);

const NOUNS: &[&str] = &["NN", "NNS", "NNP", "NNPS", "NX", "NML", "NAC", "AFX"];
const VERBS: &[&str] = &["VB", "VBD", "VBZ", "VBP", "VBN", "VBG"];
const ADJECTIVES: &[&str] = &["JJ", "JJR", "JJS", "VBN", "VBG", "VBD"];
const WH: &[&str] = &["WHNP", "WHPP", "WHADVP", "WHADJP"];

/// Categories and their steps. An example follows each, its head in capitals.
const ROWS: [(&[&str], &[Step]); 17] = [
    // (VP (MD will) (VP GO)), (VP (VBD SAW) (NP it)), (VP (SYM =) (NP 5))
    (
        &["VP"],
        &[
            (Left, &["VP"]),
            (Left, VERBS),
            (Left, &["NN", "NNS", "JJ", "IN", "SYM", "MD", "POS", "TO"]),
            (Left, &["UCP"]),
        ],
    ),
    // (S (NP she) (VP LEFT)), (S (NP him) (ADJP-PRD HAPPY))
    (
        &["S", "SQ", "SINV", "RRC", "SBARQ"],
        &[
            (Left, &["VP", "SQ"]),
            (Left, &["*-PRD"]),
            (Left, VERBS),
            (Left, &["MD"]),
            (Left, &["S", "SINV", "SBARQ", "UCP"]),
            (Left, &["ADJP", "SBAR"]),
            (Right, &["NP", "ADVP", "PP"]),
        ],
    ),
    // (SBAR (IN that) (S she LEFT)), (SBAR (WHNP WHAT))
    (
        &["SBAR"],
        &[
            (Left, &["S", "SQ", "SINV", "SBARQ", "FRAG", "VP", "SBAR", "UCP"]),
            (Left, WH),
            (Left, &["NP", "ADJP", "PP", "ADVP"]),
        ],
    ),
    // (PP (IN in) (NP PARIS)), (PP (IN because) (PP of RAIN))
    (
        &["PP", "WHPP"],
        &[
            (Left, &["NP", "WHNP", "NX", "NML", "QP", "NAC"]),
            (Left, &["S", "SBAR", "UCP", "VP", "SQ"]),
            (Right, &["PP", "WHPP"]),
            (Right, &["NN", "NNS", "NNP", "CD", "PRP", "WP"]),
            (Right, &["ADJP", "ADVP", "FRAG", "JJ"]),
            (Left, &["IN", "TO", "VBG", "RP", "RB"]),
        ],
    ),
    // (NP the big DOG), (NP (NP the MAN) (PP on the hill)), (NP (QP ($ $) 5) )
    (
        &["NP", "NX", "NML", "NAC", "WHNP"],
        &[
            (Right, NOUNS),
            (Left, &["NP", "WHNP"]),
            (Right, &["PRP", "WP", "EX", "$", "#"]),
            (Right, &["QP"]),
            (Right, &["CD", "PRP$", "WDT"]),
            (Right, &["JJ", "JJR", "JJS", "ADJP", "VBG", "VBN", "FW", "SYM", "LS"]),
            (Right, &["DT", "PDT", "RB", "WP$", "WRB", "WHADJP", "ADVP"]),
            (Left, &["S", "SBAR", "VP", "PP"]),
        ],
    ),
    // (ADJP very BIG), (ADJP (ADJP BIGGER) (PP than that))
    (
        &["ADJP", "WHADJP"],
        &[
            (Right, ADJECTIVES),
            (Left, &["ADJP", "WHADJP"]),
            (Right, &["NN", "NNS", "NNP", "CD", "QP", "NP", "$"]),
            (Right, &["RB", "RBR", "RBS", "DT", "IN", "RP", "FW"]),
        ],
    ),
    // (ADVP very QUICKLY), (ADVP (NP a year) AGO), (ADVP (ADVP LATER) (PP than that))
    (
        &["ADVP", "WHADVP"],
        &[
            (Left, &["ADVP", "WHADVP"]),
            (Right, &["RB", "RBR", "RBS", "WRB"]),
            (Right, &["IN", "RP", "JJ", "JJR", "JJS", "NN", "DT", "CD", "FW", "TO"]),
            (Left, &["NP", "PP"]),
        ],
    ),
    // (QP ($ $) (CD 5) (CD million)), (QP about FIVE)
    (
        &["QP"],
        &[(Left, &["$", "#"]), (Right, &["CD", "QP", "NN", "NNS"]), (Right, &["JJ", "DT", "PDT", "RB"])],
    ),
    // (CONJP AS well as)
    (&["CONJP"], &[(Left, &["CC", "RB", "IN"])]),
    // (PRT UP)
    (&["PRT"], &[(Left, &["RP", "IN", "RB"])]),
    // (INTJ OH no), (LST 1 .)
    (&["INTJ", "LST"], &[(Left, &["UH", "LS", "CD"])]),
    // (PRN ( (NP see FIGURE 1) ))
    (&["PRN"], &[(Left, &["S", "SINV", "SBAR", "SQ", "NP", "VP", "PP", "ADJP", "ADVP", "FRAG"])]),
    // (FRAG (ADVP then) (NP a LIE))
    (&["FRAG", "X"], &[(Left, &["S", "SQ", "VP", "NP", "SBAR", "ADJP", "PP", "WHNP", "WHADVP", "ADVP"])]),
    // (UCP …) is a coordination; what is left is the first phrase
    (&["UCP"], &[(Left, &["ADJP", "NP", "PP", "ADVP", "VP", "S", "SBAR"])]),
    // (NP (NP the man) (POS 's)): the possessive is a noun phrase
    (&["WHPP"], &[(Left, &["WHNP"])]),
    // CRAFT's wrappers of a tree
    (&["TITLE", "HEADING", "CAPTION", "CIT"], &[(Left, &["S", "SQ", "SINV", "NP", "FRAG", "VP"])]),
    // the top, which has one child as a rule
    (&["", "ROOT", "TOP"], &[(Left, &["S", "SINV", "SQ", "SBARQ", "VP", "NP", "FRAG"])]),
];

/// The head of a phrase that holds a word: one of its children that do.
pub(crate) fn head(scene: &Scene<'_>, node: NodeId) -> NodeId {
    let children = scene.children(node);
    if let [only] = *children {
        return only;
    }
    if let Some(&first) = scene.conjuncts(node).first() {
        return first;
    }
    if let Some(statement) = asked_statement(scene, node) {
        return statement;
    }
    if let Some(said) = said_of(scene, node)
        .filter(|&said| !scene.is_empty(said) && (scene.clausal_predicates || !is_clause(scene, said)))
    {
        return said;
    }
    if scene.clausal_predicates
        && let Some(said) = questioned_predicate(scene, node).or_else(|| fronted_predicate(scene, node))
    {
        return said;
    }
    // a verb that is left out leaves its auxiliary: *she would, if asked*
    if let Some(&last) = children
        .iter()
        .rev()
        .find(|&&child| scene.is(child, &["VP"]))
        .filter(|&&child| is_elided(scene, child))
        && let Some(verb) =
            scene.before(last).find(|&child| scene.is(child, VERBS) || scene.is(child, &["MD", "TO"]))
    {
        return verb;
    }
    if scene.clausal_predicates
        && let Some(remnant) = scene.remnant(node)
    {
        return remnant;
    }
    let head = by_row(scene, node, children);
    let head = names::placed(scene, children).unwrap_or(head);
    names::personal(scene, children, head).unwrap_or(head)
}

fn by_row(scene: &Scene<'_>, node: NodeId, children: &[NodeId]) -> NodeId {
    let category = scene.category(node);
    let row = ROWS.iter().find(|(categories, _)| categories.contains(&category));
    // *at least*, whatever the tag
    let is_preposition =
        |child: NodeId| scene.clausal_predicates && category == "ADVP" && scene.lower(child) == "at";
    let fits = |child: NodeId, symbols: &[&str]| {
        let name = scene.category(child);
        symbols.iter().any(|symbol| match symbol.strip_prefix("*-") {
            Some(function) => scene.has_function(child, function),
            None => *symbol == name && !is_adverbial_noun(scene, node, child) && !is_preposition(child),
        })
    };
    for (side, symbols) in row.map_or(&[][..], |(_, steps)| steps) {
        let mut order = children.iter().copied();
        let found = match side {
            Left => order.find(|&child| fits(child, symbols)),
            Right => order.rfind(|&child| fits(child, symbols)),
        };
        if let Some(child) = found {
            return child;
        }
    }
    let content = |&child: &NodeId| !scene.is_punctuation(child) && !scene.is(child, &["CC", "CONJP", "DT"]);
    let phrase =
        children.iter().copied().find(|child| content(child) && scene.tree.kind(*child) == Kind::Phrase);
    let last_word = children.iter().copied().rfind(content);
    phrase.or(last_word).unwrap_or(children[0])
}

/// A noun phrase that says when, and so heads no clause: `(S (NP-TMP today) (NP rain))`.
fn is_adverbial_noun(scene: &Scene<'_>, parent: NodeId, child: NodeId) -> bool {
    !scene.is(parent, &["NP", "PP", "ADVP", "ADJP"])
        && scene.is(child, &["NP"])
        && ["TMP", "ADV", "VOC", "SBJ"].iter().any(|function| scene.has_function(child, function))
}

pub(crate) fn is_clause(scene: &Scene<'_>, node: NodeId) -> bool {
    scene.is(node, &["S", "SBAR", "SINV", "SQ", "SBARQ"])
}

/// Whether a verb phrase has lost its verb, and holds other words still: `(VP *?* (SBAR if asked))`.
pub(crate) fn is_elided(scene: &Scene<'_>, phrase: NodeId) -> bool {
    let children = || scene.tree.children(phrase);
    children().any(|child| scene.tree.null_element(child).is_some_and(|null| null.kind == "*?*"))
        && !children().any(|child| {
            scene.is_token(child) && (scene.is(child, VERBS) || scene.is(child, &["MD", "TO"]))
                || scene.is(child, &["VP"])
        })
}

/// Whether a token is a form of *be*.
pub(crate) fn is_be(scene: &Scene<'_>, node: NodeId) -> bool {
    scene.is_token(node)
        && (scene.category(node).starts_with("VB") || scene.is(node, &["AUX", "POS"]))
        && scene.lemma(node) == "be"
}

/// The predicate of a verb phrase or inverted clause with *be*: `(VP (VBZ is) (ADJP-PRD ready))`.
pub(crate) fn said_of(scene: &Scene<'_>, node: NodeId) -> Option<NodeId> {
    if !scene.is(node, &["VP", "SQ", "SINV", "S"]) {
        return None;
    }
    let tree = scene.tree;
    let verb = tree.children(node).find(|&child| is_be(scene, child))?;
    let others = || tree.children(node).filter(|&child| tree.kind(child) == Kind::Phrase);
    if others().any(|child| scene.is(child, &["VP"])) || is_existential(scene, node) {
        return None;
    }
    if let Some(tagged) = others().find(|&child| scene.has_function(child, "PRD")) {
        return Some(tagged);
    }
    // function tags can be missing
    let adverbial = ["SBJ", "TMP", "ADV", "VOC", "LOC", "PRP", "MNR", "TPC", "EXT"];
    let behind = || {
        scene.after(verb).filter(|&child| {
            tree.kind(child) == Kind::Phrase
                && !adverbial.iter().any(|function| scene.has_function(child, function))
        })
    };
    let mut nominal =
        behind().filter(|&child| scene.is(child, &["NP", "ADJP", "UCP"]) && !scene.is_empty(child));
    if scene.is(node, &["SQ", "SINV"]) && !others().any(|child| scene.has_function(child, "SBJ")) {
        nominal.next()?;
    }
    let only = || {
        let mut phrases =
            others().filter(|&child| scene.is(child, &["NP", "ADJP"]) && !scene.is_empty(child));
        phrases.next().filter(|_| scene.is(node, &["VP"]) && phrases.next().is_none())
    };
    let somewhere = || {
        let mut phrases = scene.after(verb).filter(|&child| scene.is(child, &["PP", "ADVP"]));
        phrases
            .find(|&child| !scene.is_empty(child))
            .filter(|_| scene.clausal_predicates && scene.is(node, &["VP"]))
    };
    nominal
        .next()
        .or_else(|| behind().find(|&child| scene.is(child, &["PP", "ADVP"]) && !scene.is_empty(child)))
        .or_else(only)
        .or_else(|| {
            scene.clausal_predicates.then(|| behind().find(|&child| is_said_clause(scene, child))).flatten()
        })
        .or_else(somewhere)
}

/// A clause that is said with *be*, and not one that *be* only postpones: *the aim is to win*, but *he is to leave*.
fn is_said_clause(scene: &Scene<'_>, clause: NodeId) -> bool {
    let subject = scene.tree.children(clause).find(|&child| scene.has_function(child, "SBJ"));
    let indexed = subject
        .and_then(|subject| scene.null(subject))
        .and_then(|null| scene.tree.null_element(null))
        .is_some_and(|null| null.index.is_some());
    scene.is(clause, &["SBAR"]) || scene.is(clause, &["S"]) && !indexed
}

/// Whether the subject of a verb phrase or clause is *there*.
pub(crate) fn is_existential(scene: &Scene<'_>, node: NodeId) -> bool {
    let tree = scene.tree;
    let clause = if scene.is(node, &["VP"]) {
        tree.ancestors(node).find(|&above| !scene.is(above, &["VP"]))
    } else {
        Some(node)
    };
    clause.is_some_and(|clause| {
        tree.children(clause).any(|child| scene.is(child, &["NP"]) && is_there(scene, child))
    })
}

/// Whether a noun phrase is *there*, or a trace of it: *there seems to be a way*.
fn is_there(scene: &Scene<'_>, noun: NodeId) -> bool {
    let raised_from = |&node: &NodeId| {
        let null = scene.null(node).and_then(|null| scene.tree.null_element(null))?;
        scene.antecedent(null.index?).filter(|_| null.kind == "*")
    };
    // indices can go round in a circle
    let mut chain = std::iter::successors(Some(noun), raised_from).take(scene.words.len());
    let overt = chain.find(|&node| !scene.is_empty(node));
    overt.and_then(|node| scene.head(node)).is_some_and(|head| scene.is(head, &["EX"]))
}

/// The statement before its tag question: *you like it* in `(SQ (S you like it) , (SQ don't you) ?)`.
fn asked_statement(scene: &Scene<'_>, node: NodeId) -> Option<NodeId> {
    let tag = scene.children(node).iter().copied().find(|&child| scene.is(child, &["SQ"]))?;
    let is_statement = |&child: &NodeId| {
        scene.is(child, &["S", "SINV"]) && scene.tree.label(child).functions().all(|tag| tag == "IMP")
    };
    scene.before(tag).find(is_statement).filter(|_| scene.is(node, &["S", "SQ", "SBARQ"]))
}

/// The question word that is itself what is said: *what* in `(SBARQ (WHNP-1 What) (SQ is it (NP-PRD *T*-1)))`.
pub(crate) fn questioned_predicate(scene: &Scene<'_>, node: NodeId) -> Option<NodeId> {
    if !scene.is(node, &["SBARQ", "SBAR"]) {
        return None;
    }
    let wh = scene.children(node).iter().copied().find(|&child| scene.is(child, WH))?;
    let index = scene.tree.label(wh).index()?;
    let mut clause =
        scene.children(node).iter().copied().find(|&child| scene.is(child, &["SQ", "S", "SINV"]))?;
    loop {
        let said = said_of(scene, clause);
        if let Some(said) = said {
            let null = scene.null(said).and_then(|null| scene.tree.null_element(null))?;
            return (null.index == Some(index)).then_some(wh);
        }
        clause = scene.children(clause).iter().copied().find(|&child| scene.is(child, &["VP"]))?;
    }
}

/// What is said with *be* and stands before it: *here* in `(SINV (ADVP-1 Here) (VP (VBP are) (ADVP *T*-1)) (NP-SBJ some tips))`.
pub(crate) fn fronted_predicate(scene: &Scene<'_>, node: NodeId) -> Option<NodeId> {
    let is_bare = |&child: &NodeId| {
        scene.is(child, &["VP"]) && matches!(*scene.children(child), [verb] if is_be(scene, verb))
    };
    let be = scene.children(node).iter().copied().find(is_bare)?;
    let before = scene.before(be).filter(|&child| scene.is(child, &["ADVP", "ADJP", "VP", "PP", "NP"]));
    let moved = |&child: &NodeId| {
        scene.pointers(child, &["*T*"]).any(|null| scene.dominates(be, null)) && !scene.is_empty(child)
    };
    before.filter(moved).find(|_| scene.is(node, &["SINV", "S"]))
}

/// The first of what is left of a conjoined clause whose verb is that of the first: *John*, before *coffee*, in `(S (S Mary likes tea) and (S (NP John) (NP coffee)))`.
pub(crate) fn find_remnant(scene: &Scene<'_>, node: NodeId) -> Option<NodeId> {
    let is_second = || {
        scene.tree.parent(node).is_some_and(|above| scene.is(above, &["S"]))
            && scene.before(node).any(|child| scene.is(child, &["CC"]))
            && scene.before(node).any(|child| scene.is(child, &["S"]))
    };
    let phrases = || scene.children(node).iter().copied().filter(|&child| !scene.is_punctuation(child));
    let is_left = |child: NodeId| {
        scene.is(child, &["NP", "PP", "ADVP"]) && !scene.has_function(child, "PRD") && !scene.is_token(child)
    };
    let first = phrases().next().filter(|&first| scene.is(node, &["S"]) && scene.is(first, &["NP"]))?;
    (phrases().count() > 1 && phrases().all(is_left) && is_second()).then_some(first)
}

/// The heads of a coordination's conjuncts, each a child of it; nothing if it is none.
pub(crate) fn conjuncts(scene: &Scene<'_>, node: NodeId) -> Vec<NodeId> {
    let children = scene.children(node);
    let is_conjunction = |child: NodeId| scene.is(child, &["CC", "CONJP"]);
    let content = |child: NodeId| !scene.is_punctuation(child) && !is_conjunction(child);
    let first = children.iter().position(|&child| content(child)).unwrap_or(children.len());
    let last = children.iter().rposition(|&child| content(child)).unwrap_or(first);
    let conjoined = first < last && children[first..last].iter().any(|&child| is_conjunction(child));
    let category = scene.category(node);
    if !conjoined {
        return asyndetic(scene, category, children);
    }
    // the children between conjunctions and commas
    let mut segments: Vec<Vec<NodeId>> = vec![Vec::new()];
    let mut brackets = 0;
    for &child in children {
        // what stands in brackets is no conjunct
        if scene.is(child, &["-LRB-", "-LSB-"]) {
            brackets += 1;
        } else if scene.is(child, &["-RRB-", "-RSB-"]) {
            brackets -= 1;
        }
        if brackets > 0 && segments.last().is_some_and(|segment| !segment.is_empty()) {
            continue;
        }
        if is_conjunction(child) || scene.is(child, &[",", ":"]) && scene.is_token(child) {
            segments.push(Vec::new());
        } else if !scene.is_punctuation(child) {
            segments.last_mut().expect("there is one").push(child);
        }
    }
    segments.retain(|segment| !segment.is_empty());
    let found: Vec<NodeId> = match category {
        "NP" | "NX" | "NML" | "NAC" | "WHNP" => return nominal_conjuncts(scene, &segments),
        "VP" => like(scene, &segments, &["VP"], VERBS),
        "S" | "SBAR" | "SINV" | "SQ" | "SBARQ" => {
            like(scene, &segments, &["S", "SBAR", "SINV", "SQ", "SBARQ", "FRAG", "VP"], VERBS)
        }
        "PP" | "WHPP" => like(scene, &segments, &["PP", "ADVP", "WHPP", "SBAR"], &["IN", "TO"]),
        "ADJP" | "WHADJP" => like(scene, &segments, &["ADJP", "QP", "NP"], ADJECTIVES),
        "ADVP" | "WHADVP" => {
            like(scene, &segments, &["ADVP", "PP", "NP", "WHADVP"], &["RB", "RBR", "WRB", "IN", "RP", "JJ"])
        }
        "QP" => like(scene, &segments, &["QP"], &["CD", "NN", "$", "JJ"]),
        "UCP" | "FRAG" | "PRN" | "X" | "" | "RRC" | "TITLE" | "HEADING" | "CAPTION" => {
            segments.iter().filter_map(|segment| first_phrase(scene, segment)).collect()
        }
        _ => segments.iter().map(|segment| *segment.last().expect("no segment is empty")).collect(),
    };
    if found.len() < 2 { Vec::new() } else { found }
}

fn first_phrase(scene: &Scene<'_>, segment: &[NodeId]) -> Option<NodeId> {
    let content = |&child: &NodeId| !scene.is(child, &["ADVP", "RB", "DT", "INTJ", "PRN", "LST"]);
    segment.iter().copied().find(content).or_else(|| segment.first().copied())
}

/// In each segment the phrase of such a category, or else the word.
fn like(scene: &Scene<'_>, segments: &[Vec<NodeId>], phrases: &[&str], words: &[&str]) -> Vec<NodeId> {
    let of = |names: &[&str]| -> Vec<NodeId> {
        segments
            .iter()
            .filter_map(|segment| segment.iter().copied().find(|&child| scene.is(child, names)))
            .collect()
    };
    let found = of(phrases);
    if found.len() > 1 {
        return found;
    }
    let mixed: Vec<&str> = phrases.iter().chain(words).copied().collect();
    let found = of(&mixed);
    // `(VP (VB do) (CC or) (VB say) (NP it))`, and not `(VP (VBZ is) (RB not) (CC but) (VP …))`
    if found.len() == segments.len() || found.iter().filter(|&&child| scene.is_token(child)).count() > 1 {
        found
    } else {
        Vec::new()
    }
}

/// `(NP (NP a) (CC and) (NP b))`, `(NP (DT the) (NN cat) (CC and) (NN dog))`, but not `(NP (JJ red) (CC or) (JJ blue) (NN car))`.
fn nominal_conjuncts(scene: &Scene<'_>, segments: &[Vec<NodeId>]) -> Vec<NodeId> {
    const PHRASES: [&str; 12] =
        ["NP", "WHNP", "NX", "NML", "NAC", "QP", "S", "SBAR", "PP", "UCP", "VP", "ADJP"];
    let flat = segments.iter().flatten().any(|&child| scene.is_token(child) && scene.is(child, NOUNS));
    let phrases: Vec<NodeId> = segments
        .iter()
        .filter_map(|segment| segment.iter().copied().find(|&child| scene.is(child, &PHRASES)))
        .collect();
    if !flat && phrases.len() > 1 {
        return phrases;
    }
    let nouns: Vec<Option<NodeId>> = segments
        .iter()
        .map(|segment| {
            segment
                .iter()
                .copied()
                .rfind(|&child| scene.is(child, NOUNS) || scene.is(child, &["NP", "PRP", "CD", "FW", "QP"]))
        })
        .collect();
    let (Some(first), Some(last)) = (segments.first(), segments.last()) else { return Vec::new() };
    let ends_in_noun =
        |segment: &[NodeId], noun: Option<NodeId>| noun.is_some() && segment.last().copied() == noun;
    let complete =
        segments[..segments.len() - 1].iter().zip(&nouns).all(|(segment, &noun)| ends_in_noun(segment, noun));
    let others = last.iter().filter(|&&child| scene.is(child, NOUNS) && scene.is_token(child)).count();
    let determined = last.first().is_some_and(|&child| scene.is(child, &["DT", "PRP$", "JJ", "CD", "NP"]));
    let first_is_long = first.len() > 1;
    let plural = |noun: Option<NodeId>| noun.is_some_and(|noun| scene.category(noun).ends_with('S'));
    let modifiers = others > 1
        && !determined
        && (!first_is_long || (plural(nouns[nouns.len() - 1]) && !plural(nouns[0])));
    if !complete || modifiers || nouns.last().is_none_or(Option::is_none) {
        return Vec::new();
    }
    let heads: Vec<NodeId> = nouns.into_iter().flatten().collect();
    let numbers = heads.iter().all(|&head| scene.is(head, &["CD", "QP"]));
    if numbers && heads.len() < 2 { Vec::new() } else { heads }
}

/// Clauses and verb phrases side by side with no conjunction, `(VP (VP came) , (VP saw))`, and lists of three noun phrases and more.
fn asyndetic(scene: &Scene<'_>, category: &str, children: &[NodeId]) -> Vec<NodeId> {
    let (alike, least) = match category {
        "VP" | "ADJP" | "PP" => (category, 2),
        "NP" => (category, 3),
        "UCP" => ("", 2),
        _ => return Vec::new(),
    };
    let phrases: Vec<NodeId> = children
        .iter()
        .copied()
        .filter(|&child| !scene.is_token(child) && !scene.is(child, &["ADVP", "PRN"]))
        .collect();
    let fits = phrases.len() >= least
        && phrases.iter().all(|&child| alike.is_empty() || scene.category(child) == alike)
        && children.iter().all(|&child| !scene.is_token(child) || scene.is_punctuation(child));
    if fits { phrases } else { Vec::new() }
}
