//! Trees of an index, asked without their texts.
//!
//! Where patterns speak of labels and of places in the tree alone, the labels of the index say at once which descriptions they fit, and no label is looked at twice
//! for a whole corpus. Only trees with a hit that is to be shown, and patterns that ask for more, need the texts of labels.

use std::sync::Arc;

use crate::pattern::{Pattern, What};
use crate::{Answer, Index, IndexError, Lexicon, Matcher, Searcher};

/// The labels of an index, as a searcher knows them.
#[derive(Default, Debug)]
pub(crate) struct Stored {
    /// For each label, its number in the lexicon and 1; 0 if it was not met yet.
    numbers: Vec<u32>,
    /// Matchers that know labels by their numbers in the index; none where some pattern needs texts.
    matchers: Option<Vec<Matcher>>,
    /// No texts.
    empty: Lexicon,
}

impl Stored {
    /// The labels of `index`, for these patterns.
    pub(crate) fn of<'p>(
        index: &Index,
        patterns: impl Iterator<Item = &'p Arc<Pattern>>,
    ) -> Result<Stored, IndexError> {
        let mut matchers = Some(Vec::new());
        for pattern in patterns {
            let mut matcher = Matcher::new(Arc::clone(pattern));
            if pattern.needs_texts()
                || !matcher.know(index.labels(), |description| index.fitting(description))?
            {
                matchers = None;
                break;
            }
            matchers.iter_mut().for_each(|all| all.push(matcher.clone()));
        }
        Ok(Stored { numbers: vec![0; index.labels()], matchers, empty: Lexicon::default() })
    }

    /// The same, for another thread.
    pub(crate) fn another(&self) -> Stored {
        Stored {
            numbers: vec![0; self.numbers.len()],
            matchers: self.matchers.clone(),
            empty: Lexicon::default(),
        }
    }
}

impl Pattern {
    /// Whether more is asked than which labels fit which descriptions, and where they are in the tree.
    fn needs_texts(&self) -> bool {
        let keeps_groups = |what: &What| matches!(what, What::Described(_, groups) if !groups.is_empty());
        self.needs_heads()
            || self.needs_roles()
            || self.needs_references()
            || self.nodes.iter().any(|node| keeps_groups(&node.what))
    }
}

impl Searcher {
    /// The hits in trees of an index, by their numbers, from 0.
    pub(crate) fn stored(&mut self, index: &Index, trees: &[u32]) -> Result<Answer, IndexError> {
        let mut answer = Answer { counts: vec![0; self.matchers.len()], ..Answer::default() };
        let counts_only = self.asked.counts && !self.asked.assignments && !self.asked.words;
        for &tree in trees {
            self.view.clear();
            index.load(tree, &mut self.view.nodes)?;
            if let Some(matchers) = &mut self.stored.matchers {
                let mut any = false;
                for (matcher, total) in matchers.iter_mut().zip(&mut answer.counts) {
                    let hits = matcher.count(&mut self.view, &self.stored.empty);
                    any |= hits > 0;
                    *total += if counts_only { hits } else { 0 };
                }
                if counts_only || (!any && !self.wants_all_trees()) {
                    answer.trees += 1;
                    continue;
                }
            }
            self.translate(index)?;
            self.ask(tree as usize + 1, &mut answer, String::new);
        }
        Ok(answer)
    }

    /// Gives the nodes in view the labels of the lexicon in place of those of the index.
    fn translate(&mut self, index: &Index) -> Result<(), IndexError> {
        let generation = self.lexicon.generation();
        self.lexicon.trim();
        if self.lexicon.generation() != generation {
            self.stored.numbers.fill(0);
        }
        for node in &mut self.view.nodes {
            let known = self.stored.numbers.get_mut(node.label as usize);
            node.label = match known {
                Some(&mut number) if number > 0 => number - 1,
                _ => {
                    let text = index.text(node.label)?;
                    let number = self.lexicon.number(text, 0..text.len());
                    known.into_iter().for_each(|known| *known = number + 1);
                    number
                }
            };
        }
        Ok(())
    }

    /// The patterns that are asked.
    pub(crate) fn patterns(&self) -> impl Iterator<Item = &Arc<Pattern>> {
        self.matchers.iter().map(Matcher::pattern)
    }

    /// Whether trees without a hit are looked at too.
    pub(crate) fn wants_all_trees(&self) -> bool {
        self.asked.all_trees || self.asked.words
    }

    /// Whether the text of a tree is needed: to be shown, or for what an index does not know.
    pub(crate) fn wants_texts(&self) -> bool {
        self.asked.texts || self.asked.lines || self.heads.is_some() || self.roles
    }
}
