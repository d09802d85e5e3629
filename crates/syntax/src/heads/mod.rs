//! Heads: the child of a phrase that its other children depend on.
//!
//! A spine is the chain of phrases that share a head word, so head rules decide what the graph looks like: how often it has a
//! cycle, how often its edges cross. The rules are data (`data/heads/*.heads`, read by [`HeadTable::parse`]), with
//! their sources cited in the files:
//!
//! * `collins`: the rules for trees that the paper starts from;
//! * `authors`: the paper's, to the letter of the program published with it;
//! * `penn`: ours, for every Penn-style corpus;
//! * `helsinki` and `keyaki`: ours, for the historical corpora and for Japanese.
//!
//! Null elements, and phrases of nothing else, are never heads.

mod table;

pub use table::{HeadTable, TableError};

use crate::tree::{Kind, NodeId, Tree};

use table::{Coordination, Flat, Side, Step, Symbol};

impl HeadTable {
    /// The tables that come with the crate, by name.
    pub const NAMES: [&'static str; 5] = ["collins", "authors", "penn", "helsinki", "keyaki"];

    /// One of the tables that come with the crate.
    ///
    /// ```
    /// use tracebank_syntax::heads::HeadTable;
    /// use tracebank_syntax::tree::Tree;
    /// let tree: Tree = "(SBAR (WHNP (WDT which)) (S (VP (VBZ works))))".parse()?;
    /// let children: Vec<_> = tree.children(tree.top()).collect();
    /// assert_eq!(HeadTable::named("collins").unwrap().head(&tree, tree.top(), &children), 0);
    /// assert_eq!(HeadTable::named("authors").unwrap().head(&tree, tree.top(), &children), 1);
    /// # Ok::<(), tracebank_syntax::penn::SyntaxError>(())
    /// ```
    pub fn named(name: &str) -> Option<HeadTable> {
        let text = match name {
            "collins" => include_str!("../../data/heads/collins.heads"),
            "authors" => include_str!("../../data/heads/authors.heads"),
            "penn" => include_str!("../../data/heads/penn.heads"),
            "helsinki" => include_str!("../../data/heads/helsinki.heads"),
            "keyaki" => include_str!("../../data/heads/keyaki.heads"),
            _ => return None,
        };
        Some(HeadTable::parse(text).expect("the tables in the crate are well-formed"))
    }

    /// Which of `children` is the head of `node`. They are its children that hold a word, of which there must be at least one.
    pub fn head(&self, tree: &Tree, node: NodeId, children: &[NodeId]) -> usize {
        assert!(!children.is_empty(), "a phrase without a word has no head");
        if children.len() == 1 {
            return 0;
        }
        let categories = children.iter().map(|&child| tree.label(child).category()).collect();
        let scene = Scene { table: self, tree, node, children, categories };
        scene.coordination().unwrap_or_else(|| scene.by_rule())
    }
}

/// One phrase in front of one table.
struct Scene<'a> {
    table: &'a HeadTable,
    tree: &'a Tree,
    node: NodeId,
    children: &'a [NodeId],
    categories: Vec<&'a str>,
}

impl Scene<'_> {
    fn coordination(&self) -> Option<usize> {
        if self.children.len() < 3 {
            return None;
        }
        let head = match self.table.coordination {
            Coordination::None => None,
            Coordination::FirstConjunct => {
                let coordinated =
                    self.categories[0] == self.tree.label(self.node).category() && self.categories[1] == "CC";
                coordinated.then(|| self.find(Side::Left, |child| !self.is_punctuation(child))).flatten()
            }
            Coordination::Conjunction => {
                let conjunction = |child: usize| matches!(self.categories[child], "CC" | "CONJP");
                self.categories.contains(&"CC").then(|| self.find(Side::Left, conjunction)).flatten()
            }
        };
        head.filter(|_| !self.is_flat())
    }

    /// A phrase of nothing but words, as `apples and pears`, is no coordination of phrases.
    fn is_flat(&self) -> bool {
        let label = self.tree.label(self.node);
        let named = match &self.table.flat {
            Flat::Label(names) => names.contains(&label.stem()),
            Flat::Category(names) => names.iter().any(|name| name == label.category()),
        };
        named && self.children.iter().all(|&child| self.tree.kind(child) != Kind::Phrase)
    }

    fn by_rule(&self) -> usize {
        let Some(rule) = self.table.rules.get(self.tree.label(self.node).category()) else {
            return self.outermost(self.table.otherwise);
        };
        for step in &rule.steps {
            if step.only_if_all.as_ref().is_some_and(|set| !self.all_in(set)) {
                continue;
            }
            if let Some(child) = self.find(step.side, |child| self.matches(child, step, rule.has_word_class))
            {
                return child;
            }
        }
        self.find(rule.side, |child| !self.is_punctuation(child)).unwrap_or_else(|| self.outermost(rule.side))
    }

    fn matches(&self, child: usize, step: &Step, row_has_word_class: bool) -> bool {
        // a row that names a word class keeps its words for that step
        let word = if row_has_word_class { self.tree.word(self.children[child]) } else { None };
        let kept = || word.is_some_and(|word| self.table.in_word_class(word));
        step.symbols.iter().any(|symbol| match symbol {
            Symbol::Words(class) => word.is_some_and(|word| class.contains(word)),
            Symbol::Category(category) => category == self.categories[child] && !kept(),
            Symbol::CategoryPrefix(prefix) => self.categories[child].starts_with(prefix) && !kept(),
        })
    }

    fn all_in(&self, set: &[String]) -> bool {
        self.categories.iter().all(|&child| set.iter().any(|category| category == child))
    }

    /// The first child, from that side, for which `fits` holds.
    fn find(&self, side: Side, fits: impl Fn(usize) -> bool) -> Option<usize> {
        let mut children = 0..self.children.len();
        match side {
            Side::Left => children.find(|&child| fits(child)),
            Side::Right => children.rfind(|&child| fits(child)),
        }
    }

    fn outermost(&self, side: Side) -> usize {
        match side {
            Side::Left => 0,
            Side::Right => self.children.len() - 1,
        }
    }

    fn is_punctuation(&self, child: usize) -> bool {
        let node = self.children[child];
        self.tree.word(node).is_some_and(|word| self.table.punctuation.contains(word))
            && !self.table.never_punctuation.contains(self.tree.label_text(node))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The word that heads `text`, each phrase by `table`; the phrases here hold no nulls.
    fn head_word(table: &str, text: &str) -> String {
        let table = HeadTable::named(table).unwrap();
        let tree: Tree = text.parse().unwrap();
        let mut node = tree.top();
        while tree.word(node).is_none() {
            let children: Vec<_> = tree.children(node).collect();
            node = children[table.head(&tree, node, &children)];
        }
        tree.word(node).unwrap().to_owned()
    }

    #[test]
    fn one_row_a_rule() {
        let cases = [
            ("collins", "(VP (MD will) (VP (VB go)))", "will"),
            ("authors", "(VP (MD will) (VP (VB go)))", "go"),
            ("authors", "(VP (VBZ is) (S (VP (VBG going))))", "going"),
            ("authors", "(VP (VBZ wants) (S (VP (TO to) (VP (VB go)))))", "wants"),
            ("authors", "(VP (VBZ Is) (S (VP (VBG going))))", "Is"),
            ("collins", "(NP (NP (NN a)) (, ,) (NP (NN b)))", "a"),
            ("collins", "(NP (NP (NN a)) (PP (IN of) (NP (NN b))))", "a"),
            ("collins", "(NP (DT the) (NN a) (NN b))", "b"),
            ("collins", "(NP (DT the) (CD 3) ('' ''))", "3"),
            ("collins", "(NP (DT the) (FW x) (, ,))", "x"),
            ("collins", "(NP (NP (NN a)) (CC and) (NP (NN b)))", "a"),
            ("authors", "(NP (NP (NN a)) (CC and) (NP (NN b)))", "and"),
            ("authors", "(NP (NN a) (CC and) (NN b))", "b"),
            ("authors", "(NP-SBJ (NN a) (CC and) (NN b))", "and"),
            ("penn", "(NP-SBJ (NN a) (CC and) (NN b))", "b"),
            ("authors", "(S (CC But) (NP (PRP we)) (VP (VBP go)))", "But"),
            ("authors", "(PRT (RP up) (UH er))", "er"),
            ("penn", "(PRT (RP up) (UH er))", "up"),
            ("collins", "(PRN (, ,) (S (VP (VB go))))", "go"),
            ("authors", "(PRN (-LRB- -LRB-) (NP (NN x)) (-RRB- -RRB-))", "-LRB-"),
            ("authors", "(UNKNOWN (A a) (, ,))", ","),
            ("authors", "(INTJ (, ,) (. .))", ","),
        ];
        for (table, text, head) in cases {
            assert_eq!(head_word(table, text), head, "{table}: {text}");
        }
    }

    #[test]
    fn every_table_is_well_formed() {
        for name in HeadTable::NAMES {
            assert!(HeadTable::named(name).is_some());
        }
        assert!(HeadTable::named("nonesuch").is_none());
    }
}
