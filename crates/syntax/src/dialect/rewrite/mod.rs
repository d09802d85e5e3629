//! Rewrites: the steps from a dialect that a model knows to one that it does not.
//!
//! Graphs are rewritten, not trees: the tree is decoded once, from the graph at the end, so that the two always agree and nobody's choice of
//! heads is lost.

mod asides;
mod complements;
mod functions;
mod labels;
mod nodes;
mod nominals;
mod places;
mod predicates;
mod punctuation;
mod quantities;
mod speech;
mod units;
mod verbs;

use crate::graph::{Graph, Spine, Symbol, SymbolId, SymbolKind, check_parents, decode};
use crate::tree::{Label, Tree};

/// A step from one dialect to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rewrite {
    /// `*PRO*` becomes `*`: Penn does not tell control from passive.
    PlainPro,
    /// `*U*` goes behind sums of money.
    Units,
    /// Categories and function tags of other treebanks become Penn's: `EDITED` is a `PRN`, `S-IMP` an `S`.
    PlainLabels,
    /// Tags of other treebanks become Penn's: `HYPH` is a `:`; and quotation marks, brackets and currency signs get the one tag that they have there.
    PlainTags,
    /// `NML` goes: Penn leaves noun phrases flat.
    NoNominals,
    /// A currency sign and its numbers become one `QP`; with one number it is none.
    Quantities,
    /// The punctuation of asides and appositions goes into them.
    EnclosedPunctuation,
    /// Function tags that follow from the tree: `TPC` on what a trace stands for, `NOM` on a gerund behind a preposition.
    SettledFunctions,
    /// Subjects and predicates that follow from the tree: `SBJ` and `PRD` in a clause without a verb, `PRD` beside *be*.
    Predicates,
    /// An aside with a verb of saying gets the trace of the clause around it.
    SaidAsides,
    /// A finite clause behind its verb gets its complementiser, `0`.
    ZeroComplementisers,
    /// Traces of objects and predicates go to their places.
    TracePlaces,
    /// The trace of a clause that was said and is not quoted gets its complementiser, `0`.
    ReportedSpeech,
    /// `ADVP-TMP` and `PP-LOC` become `ADVP` and `PP` where nothing but a null is in them: GENIA tags no traces but subjects.
    BareAdverbialTraces,
    /// `NP-SBJ` becomes `NP`.
    NoFunctions,
    /// Null elements and indices go.
    NoTraces,
}

impl Rewrite {
    /// Whether it is the tags of words that it changes, which is not to be done to tags that somebody gave.
    pub fn changes_tags(self) -> bool {
        self == Rewrite::PlainTags
    }

    /// Whether it takes away what somebody asked to be left out, and so is no step to another dialect.
    pub fn leaves_out(self) -> bool {
        matches!(self, Rewrite::NoFunctions | Rewrite::NoTraces)
    }

    fn apply(self, graph: &mut Graph) {
        match self {
            Rewrite::PlainPro => rename(graph, "*PRO*", "*"),
            Rewrite::PlainLabels => labels::plain_labels(graph),
            Rewrite::PlainTags => labels::plain_tags(graph),
            Rewrite::Units => units::mark(graph),
            Rewrite::NoNominals => nominals::flatten(graph),
            Rewrite::Quantities => quantities::gather(graph),
            Rewrite::EnclosedPunctuation => punctuation::enclose(graph),
            Rewrite::SettledFunctions => functions::settle(graph),
            Rewrite::Predicates => predicates::settle(graph),
            Rewrite::SaidAsides => asides::complete(graph),
            Rewrite::ZeroComplementisers => complements::complete(graph),
            Rewrite::TracePlaces => places::settle(graph),
            Rewrite::ReportedSpeech => speech::complete(graph),
            Rewrite::BareAdverbialTraces => bare_adverbial_traces(graph),
            Rewrite::NoFunctions => strip_functions(graph),
            Rewrite::NoTraces => strip_traces(graph),
        }
    }
}

/// The graph after all `rewrites`, in their order, and its tree. Where that is no tree, the rewrites are made one by one and those that spoil
/// it are left out; there is nothing if the graph itself is that of no tree.
pub fn rewrite(graph: Graph, rewrites: &[Rewrite]) -> Option<(Graph, Tree)> {
    // Rewrites look for what is above a node, and a graph that goes round in a circle has no end of that. None of them makes a circle: what moves a word
    // is `Graph::reattach`.
    check_parents(&graph).ok()?;
    let mut rewritten = graph.clone();
    rewrites.iter().for_each(|rewrite| rewrite.apply(&mut rewritten));
    if let Ok(tree) = decode(&rewritten) {
        return Some((rewritten, tree));
    }
    let first = (decode(&graph).ok()?, graph);
    let one_by_one = rewrites.iter().fold(first, |(tree, graph), rewrite| {
        let mut rewritten = graph.clone();
        rewrite.apply(&mut rewritten);
        decode(&rewritten).map_or((tree, graph), |tree| (tree, rewritten))
    });
    Some((one_by_one.1, one_by_one.0))
}

fn rename(graph: &mut Graph, theirs: &str, ours: &str) {
    for kind in symbols(graph) {
        if let SymbolKind::Null(name) = kind
            && name == theirs
        {
            ours.clone_into(name);
        }
    }
    for trace in graph.traces.iter_mut().filter(|trace| trace.kind == theirs) {
        ours.clone_into(&mut trace.kind);
    }
}

fn strip_functions(graph: &mut Graph) {
    for kind in symbols(graph) {
        if let SymbolKind::Phrase(label) = kind
            && !label.contains('(')
        {
            *label = Label::parse(label).without_functions();
        }
    }
}

fn bare_adverbial_traces(graph: &mut Graph) {
    for symbol in graph.words.iter_mut().flat_map(|word| &mut word.spine.symbols) {
        if let SymbolKind::Phrase(label) = &mut symbol.kind
            && symbol.depth > 0
            && !label.contains('(')
            && matches!(Label::parse(label).category(), "ADVP" | "PP")
        {
            *label = Label::parse(label).without_functions();
        }
    }
}

fn strip_traces(graph: &mut Graph) {
    graph.traces.clear();
    graph.loose.clear();
    let spines: Vec<&Spine> =
        std::iter::once(&graph.root).chain(graph.words.iter().map(|word| &word.spine)).collect();
    let attachments = graph.words.iter().map(|word| {
        // words attach to phrases with a head, and those stay
        let headed =
            |id: SymbolId| spines[word.head.index()].headed().take_while(|&other| other < id).count();
        word.attachment.map(|id| SymbolId(headed(id) as u32))
    });
    let attachments: Vec<_> = attachments.collect();
    for (word, attachment) in graph.words.iter_mut().zip(attachments) {
        word.attachment = attachment;
        word.spine.symbols.retain(Symbol::is_headed);
    }
    graph.root.symbols.retain(Symbol::is_headed);
}

fn symbols(graph: &mut Graph) -> impl Iterator<Item = &mut SymbolKind> {
    let spines = graph.words.iter_mut().map(|word| &mut word.spine).chain([&mut graph.root]);
    spines.flat_map(|spine| spine.symbols.iter_mut().map(|symbol| &mut symbol.kind))
}

/// Rewrites of trees in brackets, for the tests of all of them.
#[cfg(test)]
mod testing {
    use super::Rewrite;
    use crate::graph::{self, Targets};
    use crate::heads::HeadTable;
    use crate::tree::Tree;

    pub(super) fn rewritten(text: &str, rewrite: Rewrite) -> String {
        let tree: Tree = text.parse().unwrap();
        let graph = graph::encode(&tree, &HeadTable::named("penn").unwrap(), Targets::Referent);
        super::rewrite(graph, &[rewrite]).unwrap().1.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::testing::rewritten;
    use super::*;
    use crate::graph::{Targets, Vertex, encode};
    use crate::heads::HeadTable;

    #[test]
    fn each_rewrite_changes_what_it_should_and_no_index() {
        let text = "( (S (NP-SBJ-1 (PRP We)) (VP (VBP want) (S (NP-SBJ (-NONE- *PRO*-1)) (VP (TO to) (VP (VB pay) (NP (QP ($ $) (CD 3) (CD million)) (PP (IN in) (NP (NN cash))))))))))";
        assert_eq!(rewritten(text, Rewrite::PlainPro), text.replace("*PRO*", "*"));
        assert_eq!(rewritten(text, Rewrite::NoFunctions), text.replace("-SBJ", ""));
        let mut bare: Tree = text.parse().unwrap();
        bare.strip_traces();
        assert_eq!(rewritten(text, Rewrite::NoTraces), bare.to_string());
        let marked = text.replace("(NN cash)))", "(NN cash))) (-NONE- *U*)");
        assert_eq!(rewritten(text, Rewrite::Units), marked);
        let question = "( (SBARQ (WHADVP-1 (WRB Where)) (SQ (VBP are) (NP-SBJ (PRP you)) (VP (VBG going) (ADVP-LOC (-NONE- *T*-1)) (ADVP-TMP (RB now))))))";
        assert_eq!(rewritten(question, Rewrite::BareAdverbialTraces), question.replace("-LOC", ""));
    }

    #[test]
    fn a_graph_that_goes_round_in_a_circle_is_that_of_no_tree() {
        let tree: Tree = "( (VP (PRN (S (NP (PRP he)) (VP (VBD said)))) (VB go)))".parse().unwrap();
        let mut graph = encode(&tree, &HeadTable::named("penn").unwrap(), Targets::Referent);
        let (said, go) = (Vertex(2), Vertex(3));
        assert_eq!(graph.words[1].head, go);
        (graph.words[2].head, graph.words[2].attachment) = (said, Some(SymbolId(0)));
        assert!(rewrite(graph, &[Rewrite::SaidAsides]).is_none());
    }

    #[test]
    fn nominals_are_flattened_unless_something_depends_on_them() {
        let text = "( (S (NP-SBJ (DT the) (NML (NML (NN brain) (CC and) (NN body)) (NN weight)) (NN loss)) (VP (VBD was) (NP-PRD (NML (NN risk) (NN factor)) (CD two)))))";
        let flat = "( (S (NP-SBJ (DT the) (NN brain) (CC and) (NN body) (NN weight) (NN loss)) (VP (VBD was) (NP-PRD (NN risk) (NN factor) (CD two)))))";
        assert_eq!(rewritten(text, Rewrite::NoNominals), flat);
        assert_eq!(rewritten(&text.replacen("NML", "NML-SBJ", 1), Rewrite::NoNominals), flat);
        let sum = "( (NP (DT a) (NML (QP ($ $) (CD 3) (CD million)) (-NONE- *U*)) (NN loss)))";
        assert_eq!(rewritten(sum, Rewrite::NoNominals), sum.replace("NML", "ADJP"));
        let named = "( (S (NP (NML-1 (NN blood) (NN test)) (NN result)) (VP (VBD came) (NP (-NONE- *-1)))))";
        assert_eq!(rewritten(named, Rewrite::NoNominals), named);
    }

    #[test]
    fn labels_and_tags_of_other_treebanks_become_those_of_penn() {
        let text = "( (HEADING (S-IMP (NP-SBJ-1 (-NONE- *)) (VP (VB Go) (PRT (RP on)) (EDITED (NP-UNF (DT the))) (: -)))))";
        let plain = "( (S (NP-SBJ-1 (-NONE- *)) (VP (VB Go) (PRT (RP on)) (PRN (NP (DT the))) (: -))))";
        assert_eq!(rewritten(text, Rewrite::PlainLabels), plain);
        let two = "( (CAPTION (NP (NN Table) (CD 1)) (. .)))";
        assert_eq!(rewritten(two, Rewrite::PlainLabels), two.replace("CAPTION", "FRAG"));
        let tagged = "( (NP ('' ``) (NN x) (HYPH -) (NN y) ('' '') (NN $) (CD 5)))";
        let plain = "( (NP (`` ``) (NN x) (: -) (NN y) ('' '') ($ $) (CD 5)))";
        assert_eq!(rewritten(tagged, Rewrite::PlainTags), plain);
    }

    #[test]
    fn sums_of_money_become_one_quantity() {
        let inside = "( (S (NP-SBJ (NP (QP ($ $) (CD 3) (CD million))) (PP (IN in) (NP (NN cash)))) (VP (VBD cost) (NP ($ $) (CD 5)))))";
        let quantity = "(QP ($ $) (CD 3) (CD million))";
        for other in [
            quantity,
            "($ $) (QP (CD 3) (CD million))",
            "($ $) (CD 3) (CD million)",
            "(QP ($ $) (QP (CD 3) (CD million)))",
        ] {
            assert_eq!(rewritten(&inside.replace(quantity, other), Rewrite::Quantities), inside, "{other}");
        }
        let marked = "( (NP ($ $) (CD 3) (CD million) (-NONE- *U*) (PP (IN in) (NP (NN cash)))))";
        let gathered = marked.replace("($ $) (CD 3) (CD million)", quantity);
        assert_eq!(rewritten(marked, Rewrite::Quantities), gathered);
        let before_a_noun = "( (NP (DT a) (QP ($ $) (CD 3) (CD million)) (NN loss)))";
        let adjective = before_a_noun.replace(quantity, &format!("(ADJP {quantity})"));
        assert_eq!(rewritten(before_a_noun, Rewrite::Quantities), adjective);
        for marked in ["", " (-NONE- *U*)"] {
            let single = format!("( (NP (NP ($ $) (CD 5){marked}) (NP (DT a) (NN share))))");
            let quantity = single.replace("($ $) (CD 5)", "(QP ($ $) (CD 5))");
            assert_eq!(rewritten(&quantity, Rewrite::Quantities), single);
        }
        let bill = "( (NP (DT a) (ADJP ($ $) (CD 20)) (NN bill)))";
        let flat =
            bill.replace("(ADJP ($ $) (CD 20))", "($ $) (CD 20)").replace("bill))", "bill) (-NONE- *U*))");
        assert_eq!(rewritten(&bill.replace("ADJP", "QP"), Rewrite::Quantities), bill);
        assert_eq!(rewritten(&flat, Rewrite::Quantities), bill);
        let miles = "( (NP (QP (RB about) (CD 60)) (NNS miles)))";
        assert_eq!(rewritten(miles, Rewrite::Quantities), miles);
        let stake = "( (NP (DT a) (ADJP (CD 51) (NN %)) (NN stake)))";
        assert_eq!(
            rewritten(&stake.replace("(ADJP (CD 51) (NN %))", "(CD 51) (NN %)"), Rewrite::Quantities),
            stake
        );
        assert_eq!(rewritten(stake, Rewrite::Quantities), stake);
        let apart = "( (NP ($ $) (QP (CD 3) (CC or) (CD 4) (CD million))))";
        assert_eq!(rewritten(apart, Rewrite::Quantities), apart);
    }

    #[test]
    fn marks_move_the_names_of_what_is_above_them() {
        // the sum heads the sentence, and what attaches to the sentence or refers to its parts must still do so
        let text = "( (S (NP-1 (NNS costs)) (VP (NP (NP ($ $) (CD 5)) (PP (IN for) (NP (-NONE- *-1))) (NP-2 (CD two)) (NP (-NONE- *-2))))))";
        let marked = text.replace("(CD 5))", "(CD 5) (-NONE- *U*))");
        assert_eq!(rewritten(text, Rewrite::Units), marked);
    }
}
