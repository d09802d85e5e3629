//! From a null element through the whole chain to the words it stands for.

use std::ops::Range;

use tracebank_syntax::tree::{Kind, NodeId};

use crate::heads::{is_be, is_clause};
use crate::scene::Scene;

use super::{Filler, Step};

/// The end of a chain.
#[derive(Clone, Debug)]
pub(crate) enum End {
    /// A node that holds words.
    Node(NodeId),
    Addressee,
    Anyone,
    /// Nothing: the chain leads nowhere, or what is left out cannot be named.
    Nothing,
}

/// A chain that was followed to its end.
#[derive(Clone, Debug)]
pub(crate) struct Chain {
    pub(crate) end: End,
    /// The steps passed, in their order.
    pub(crate) via: Vec<Step>,
    /// Every node on the way.
    pub(crate) nodes: Vec<NodeId>,
}

/// The longest chain: indices can go round in a circle.
const LONGEST: usize = 16;

/// Follows the chain that begins at `node`, which may hold words already.
pub(crate) fn follow(scene: &Scene<'_>, node: NodeId) -> Chain {
    let mut chain = Chain { end: End::Nothing, via: Vec::new(), nodes: vec![node] };
    let mut node = node;
    for _ in 0..LONGEST {
        let next = match step(scene, node, &mut chain.via) {
            Next::Go(next) => next,
            Next::Stop(end) => {
                chain.end = end;
                return chain;
            }
        };
        if chain.nodes.contains(&next) {
            return chain;
        }
        chain.nodes.push(next);
        node = next;
    }
    chain
}

enum Next {
    Go(NodeId),
    Stop(End),
}

fn step(scene: &Scene<'_>, node: NodeId, via: &mut Vec<Step>) -> Next {
    if !scene.is_empty(node) {
        if let Some(clause) = extraposed(scene, node) {
            via.extend(
                scene.tree.leaves(node).filter(|&leaf| scene.tree.is_null_element(leaf)).map(Step::Null),
            );
            via.push(Step::Pronoun(scene.span(node)));
            return Next::Go(clause);
        }
        return match relative_head(scene, node) {
            Some(noun) => {
                via.push(Step::Pronoun(scene.span(node)));
                Next::Go(noun)
            }
            None => Next::Stop(End::Node(node)),
        };
    }
    let Some(leaf) = scene.null(node) else { return Next::Stop(End::Nothing) };
    via.push(Step::Null(leaf));
    let Some(null) = scene.tree.null_element(leaf) else { return Next::Stop(End::Nothing) };
    if let Some(index) = null.index {
        return scene.antecedent(index).map_or(Next::Stop(End::Nothing), Next::Go);
    }
    match null.kind {
        "0" => relative_head(scene, node).map_or(Next::Stop(End::Nothing), Next::Go),
        "*" | "*PRO*" => unindexed(scene, node),
        _ => Next::Stop(End::Nothing),
    }
}

/// A `*` without an index: the noun of a reduced relative clause, the addressee, a possessor, or nobody in particular.
fn unindexed(scene: &Scene<'_>, node: NodeId) -> Next {
    let tree = scene.tree;
    let Some(clause) = tree.ancestors(node).find(|&above| !scene.is(above, &["VP", "PP", "UCP"])) else {
        return Next::Stop(End::Nothing);
    };
    if scene.is(clause, &["NP", "NX", "NML", "WHNP"]) {
        return Next::Go(clause);
    }
    if is_imperative(scene, clause) {
        return Next::Stop(End::Addressee);
    }
    if tree.parent(node) != Some(clause)
        && let Some(subject) = scene.subject(clause)
    {
        // a passive whose trace has no index
        return Next::Go(subject);
    }
    if tree.parent(node) != Some(clause) {
        return Next::Stop(End::Nothing);
    }
    let owner = tree.parent(clause).and_then(|above| possessor(scene, above));
    owner.or_else(|| controller(scene, clause)).map_or(Next::Stop(End::Anyone), Next::Go)
}

/// Who does what a clause without a subject of its own says, where the treebank gives no index: the object of the verb that the clause
/// completes, else the subject of the clause around it. Nobody is named around a passive, in a noun phrase, or by a clause that is
/// itself a subject or said of one.
fn controller(scene: &Scene<'_>, clause: NodeId) -> Option<NodeId> {
    let tree = scene.tree;
    let free = |node: NodeId| {
        ["SBJ", "PRD", "TPC"].iter().any(|tag| scene.has_function(node, tag))
            || scene.pointers(node, &["*EXP*", "*T*"]).next().is_some()
    };
    let mut place = clause;
    loop {
        if free(place) {
            return None;
        }
        let above = tree.parent(place)?;
        match scene.category(above) {
            "SBAR" => {
                let hidden = |child: NodeId| scene.is_empty(child) && scene.category(child).starts_with("WH");
                if tree.children(above).any(hidden) {
                    return None;
                }
            }
            "PP" | "ADVP" => {}
            "S" | "SINV" if !scene.conjuncts(above).is_empty() => {}
            "S" | "SINV" | "SQ" => return named(scene, scene.subject(above)?),
            "ADJP" => return named(scene, clause_subject(scene, above)?),
            "VP" => return verb_controller(scene, above, place),
            _ => return None,
        }
        place = above;
    }
}

fn verb_controller(scene: &Scene<'_>, phrase: NodeId, place: NodeId) -> Option<NodeId> {
    let tree = scene.tree;
    let verb = tree
        .children(phrase)
        .find(|&child| scene.is_token(child) && scene.category(child).starts_with("VB"))?;
    let helper =
        tree.parent(phrase).and_then(|above| tree.children(above).find(|&child| is_be(scene, child)));
    let passive = scene.is(verb, &["VBN"])
        && (helper.is_some() || !tree.parent(phrase).is_some_and(|above| scene.is(above, &["VP"])));
    let completes = scene.is(place, &["S"]) && tree.label(place).functions().all(|tag| tag == "CLR");
    let object = scene
        .before(place)
        .find(|&node| scene.is(node, &["NP"]) && tree.label(node).functions().next().is_none());
    if completes && object.is_some() {
        return object;
    }
    // *it was sold, pleasing us all*, but *it was sold using a computer*
    let set_off = tree.previous_sibling(place).is_some_and(|node| scene.is(node, &[","]));
    if passive && !set_off || is_be(scene, verb) && completes {
        return None;
    }
    let around = tree.ancestors(phrase).find(|&above| !scene.is(above, &["VP", "UCP"]))?;
    if scene.is(around, &["NP", "NX"]) {
        return Some(around);
    }
    named(scene, scene.subject(around)?)
}

/// A subject that names somebody: not *it* or *there*.
fn named(scene: &Scene<'_>, subject: NodeId) -> Option<NodeId> {
    let words: Vec<String> = scene.span(subject).map(|at| scene.lower(scene.words[at])).collect();
    (!matches!(words.as_slice(), [word] if word == "it" || word == "there")).then_some(subject)
}

/// Whether a clause is an order: tagged so, or with a bare verb where a sentence stands by itself or is quoted.
pub(crate) fn is_imperative(scene: &Scene<'_>, clause: NodeId) -> bool {
    if scene.has_function(clause, "IMP") {
        return true;
    }
    let subject = scene.subject(clause);
    if !scene.is(clause, &["S", "VP", "SQ"]) || subject.is_some_and(|subject| !scene.is_empty(subject)) {
        return false;
    }
    let is_alone =
        |node: NodeId| scene.is(node, &["", "S", "PRN", "TITLE", "HEADING", "CAPTION", "FRAG", "SINV"]);
    let verb = own_verb(scene, clause);
    verb.is_some_and(|verb| scene.is(verb, &["VB", "VBP"])) && scene.tree.ancestors(clause).all(is_alone)
        || verb.is_some_and(|verb| scene.is(verb, &["VB"])) && is_quoted(scene, clause)
}

/// The first verb of a clause itself, and not of one inside it.
fn own_verb(scene: &Scene<'_>, clause: NodeId) -> Option<NodeId> {
    let mut node = clause;
    loop {
        let mut children = scene.tree.children(node).filter(|&child| !scene.is_empty(child));
        let is_verb =
            |child: NodeId| scene.category(child).starts_with("VB") || scene.is(child, &["MD", "TO"]);
        let next = children.find(|&child| {
            scene.is(child, &["VP"]) || scene.is_token(child) && is_verb(child) || scene.is_conjunct(child)
        })?;
        if scene.is_token(next) {
            return is_verb(next).then_some(next);
        }
        node = next;
    }
}

/// Whether a clause without a subject is what somebody says: it stands in a verb phrase behind a quotation mark, colon or comma.
fn is_quoted(scene: &Scene<'_>, clause: NodeId) -> bool {
    let tree = scene.tree;
    let subject = scene.subject(clause);
    let indexed = |subject: NodeId| {
        let null = scene.null(subject).and_then(|null| tree.null_element(null));
        null.is_none_or(|null| null.index.is_some())
    };
    tree.parent(clause).is_some_and(|above| scene.is(above, &["VP"]))
        && tree.previous_sibling(clause).is_some_and(|mark| scene.is(mark, &["``", ":", ","]))
        && !subject.is_some_and(indexed)
}

/// The owner in `(NP (PRP$ its) (NN plan) (S …))`, who is to carry out the plan.
fn possessor(scene: &Scene<'_>, noun: NodeId) -> Option<NodeId> {
    if !scene.is(noun, &["NP"]) {
        return None;
    }
    let owner = |node: NodeId| {
        scene.is(node, &["PRP$"])
            || scene.is(node, &["NP"]) && scene.tree.children(node).any(|child| scene.is(child, &["POS"]))
    };
    let inner = scene.tree.children(noun).find(|&child| owner(child));
    inner.or_else(|| {
        let head = scene.head_child(noun).filter(|&head| scene.is(head, &["NP"]))?;
        scene.tree.children(head).find(|&child| owner(child))
    })
}

/// The clause that *it* stands for: `(NP (NP It) (S *EXP*-1))`.
fn extraposed(scene: &Scene<'_>, node: NodeId) -> Option<NodeId> {
    let empty = scene.tree.children(node).filter(|&child| scene.is_empty(child));
    empty.filter_map(|child| scene.null(child)).find_map(|leaf| {
        let null = scene.tree.null_element(leaf).filter(|null| null.kind == "*EXP*")?;
        scene.antecedent(null.index?)
    })
}

/// The phrase that a relative pronoun, overt or not, is for; nothing if `wh` is a question word or none at all.
pub(crate) fn relative_head(scene: &Scene<'_>, wh: NodeId) -> Option<NodeId> {
    if !scene.is(wh, &["WHNP", "WHPP", "WHADVP"]) || !is_pronoun(scene, wh) {
        return None;
    }
    let tree = scene.tree;
    let sbar = tree.parent(wh).filter(|&above| scene.is(above, &["SBAR"]))?;
    // a clause that stands elsewhere is read where its null is
    let mut place = outermost_conjunct(scene, sbar);
    if let Some(null) = scene.pointers(place, &["*ICH*", "*RNR*", "*PPA*"]).next() {
        let empty = tree.ancestors(null).take_while(|&above| scene.is_empty(above));
        place = empty.last().unwrap_or(place);
    }
    let host = tree.parent(place)?;
    let overt = !scene.is_empty(wh);
    let before = || scene.before(place).filter(|&node| !scene.is_empty(node) && !scene.is_punctuation(node));
    match scene.category(host) {
        // a clause beside the noun itself is its complement: *the question who left*
        "NP" | "NX" | "NML" | "WHNP" | "ADVP" | "NAC" | "QP" => {
            before().find(|&node| !overt || !scene.is_token(node)).map(|_| host)
        }
        "PP" if !overt => None,
        "VP" => {
            let said = || {
                before().find(|&node| {
                    scene.has_function(node, "PRD") && scene.is(node, &["NP", "PP", "ADVP", "QP"])
                })
            };
            let noun = || before().find(|&node| scene.is(node, &["NP"]) && !scene.has_function(node, "TMP"));
            let adjective = || before().find(|&node| scene.is(node, &["ADJP"]));
            if !overt && adjective().is_some() && said().is_none() {
                return clause_subject(scene, host);
            }
            if scene.has_function(place, "NOM") || scene.has_function(place, "PRP") && overt {
                return None;
            }
            if let Some(said) = said() {
                return Some(said);
            }
            if !overt {
                return noun().or_else(|| clause_subject(scene, host));
            }
            // *He left, which surprised us*: the clause itself
            let comma = tree.previous_sibling(place).is_some_and(|node| scene.is(node, &[","]));
            (comma && is_which(scene, wh)).then_some(host)
        }
        "ADJP" => (!overt).then(|| clause_subject(scene, host)).flatten(),
        "S" | "SINV" if is_which(scene, wh) && before().next().is_some() => Some(host),
        _ => None,
    }
}

fn outermost_conjunct(scene: &Scene<'_>, sbar: NodeId) -> NodeId {
    let mut place = sbar;
    while let Some(above) = scene.tree.parent(place)
        && scene.is(above, &["SBAR", "UCP"])
        && !scene.conjuncts(above).is_empty()
    {
        place = above;
    }
    place
}

fn clause_subject(scene: &Scene<'_>, node: NodeId) -> Option<NodeId> {
    let clause = scene.tree.ancestors(node).find(|&above| scene.is(above, &["S", "SQ", "SINV"]))?;
    scene.subject(clause)
}

/// Whether a wh-phrase is a relative pronoun alone, with or without a preposition: not *whose dog*, and never *what*.
fn is_pronoun(scene: &Scene<'_>, wh: NodeId) -> bool {
    const NEVER: [&str; 9] =
        ["what", "how", "whatever", "whoever", "whichever", "whether", "whomever", "however", "whenever"];
    let words: Vec<NodeId> = scene.tree.leaves(wh).filter(|&leaf| scene.tree.is_word(leaf)).collect();
    let pronouns =
        words.iter().filter(|&&leaf| scene.is(leaf, &["WDT", "WP", "WRB", "IN", "DT", "TO"])).count();
    pronouns == words.len() && !words.iter().any(|&leaf| NEVER.contains(&scene.lower(leaf).as_str()))
}

fn is_which(scene: &Scene<'_>, wh: NodeId) -> bool {
    scene.tree.leaves(wh).any(|leaf| scene.lower(leaf) == "which")
}

/// Whether a clause is about the clause it stands in: *He left, which surprised us*.
pub(crate) fn comments_on_clause(scene: &Scene<'_>, clause: NodeId) -> bool {
    let host = scene.tree.parent(clause).filter(|&host| scene.is(host, &["VP", "S", "SINV"]));
    let wh = || {
        scene
            .tree
            .children(clause)
            .find(|&child| scene.is(child, &["WHNP", "WHPP"]) && !scene.is_empty(child))
    };
    scene.is(clause, &["SBAR"]) && host.is_some() && wh().is_some_and(|wh| relative_head(scene, wh) == host)
}

/// The words of a node as an argument of `predicate`: of *the faster he ran*, *the faster* goes with *ran*.
pub(crate) fn filler_of(scene: &Scene<'_>, node: NodeId, predicate: NodeId) -> Option<Filler> {
    let mut found = filler(scene, node)?;
    let inside = scene.tree.ancestors(predicate).take_while(|&above| above != node);
    let clause = inside.filter(|&above| scene.is(above, &["SBAR"])).last();
    if let (Filler::Phrase { tokens, .. }, Some(clause)) = (&mut found, clause)
        && scene.is(node, &["ADVP", "ADJP"])
        && scene.dominates(node, clause)
        && scene.span(clause).start > tokens.start
    {
        tokens.end = scene.span(clause).start;
    }
    Some(found)
}

/// The words of a node as an argument.
pub(crate) fn filler(scene: &Scene<'_>, node: NodeId) -> Option<Filler> {
    let head = scene.token(scene.head(node)?);
    let clause = is_clause(scene, node) || scene.is(node, &["VP"]);
    let whole = scene.span(node);
    let comment = scene.tree.children(node).find(|&child| comments_on_clause(scene, child));
    let tokens = match comment {
        Some(comment) => whole.start..scene.span(comment).start - 1,
        None if clause => whole.clone(),
        None => without_clauses(scene, node),
    };
    Some(Filler::Phrase { tokens, whole, head, clause })
}

/// The tokens of a phrase up to the first clause that modifies it.
fn without_clauses(scene: &Scene<'_>, node: NodeId) -> Range<usize> {
    let whole = scene.span(node);
    let Some(head) = scene.head_child(node).filter(|_| scene.conjuncts(node).is_empty()) else {
        return whole;
    };
    let modifies = |child: NodeId| {
        scene.tree.kind(child) == Kind::Phrase
            && (scene.is(child, &["VP", "RRC"])
                || scene.is(child, &["SBAR"])
                    && scene
                        .tree
                        .children(child)
                        .any(|wh| scene.is(wh, &["WHNP", "WHPP", "WHADVP"]) || scene.is(wh, &["SBAR"])))
    };
    let mut end = whole.end;
    let mut inner = true;
    if scene.is(node, &["NP", "NX", "NML", "WHNP"]) && scene.is(head, &["NP", "NX", "NML", "WHNP"]) {
        for sibling in scene.after(head).filter(|&sibling| !scene.is_empty(sibling)) {
            if modifies(sibling) {
                end = scene.span(sibling).start;
                break;
            }
            inner &= scene.is_punctuation(sibling);
        }
    }
    if inner && scene.is(head, &["NP", "NX"]) {
        let cut = without_clauses(scene, head).end;
        if cut < scene.span(head).end {
            end = end.min(cut);
        }
    }
    let punctuation = |at: usize| {
        scene.is_punctuation(scene.words[at]) && !scene.is(scene.words[at], &["-RRB-", "''", "HYPH"])
    };
    while end > whole.start + 1 && end < whole.end && punctuation(end - 1) {
        end -= 1;
    }
    whole.start..end
}
