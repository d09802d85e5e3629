//! The arcs of a sentence, with the dependants of each word kept beside them: the steps ask for those again and again, and a look at all arcs each time would
//! take the square of the words.

use std::collections::BTreeSet;
use std::ops::{Index, Range};

/// An edge of the basic tree, from a word to its governor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Arc {
    pub(crate) head: Option<usize>,
    pub(crate) label: String,
}

/// The arcs of all words, by word.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Arcs {
    arcs: Vec<Arc>,
    dependants: Vec<BTreeSet<usize>>,
}

impl From<Vec<Arc>> for Arcs {
    fn from(arcs: Vec<Arc>) -> Arcs {
        let mut dependants = vec![BTreeSet::new(); arcs.len()];
        for (at, arc) in arcs.iter().enumerate() {
            if let Some(head) = arc.head {
                dependants[head].insert(at);
            }
        }
        Arcs { arcs, dependants }
    }
}

impl Index<usize> for Arcs {
    type Output = Arc;

    fn index(&self, at: usize) -> &Arc {
        &self.arcs[at]
    }
}

impl Arcs {
    pub(crate) fn len(&self) -> usize {
        self.arcs.len()
    }

    /// The words that depend on `head`, in order.
    pub(crate) fn dependants(&self, head: usize) -> impl Iterator<Item = usize> {
        self.dependants[head].iter().copied()
    }

    /// Whether a word with such a label depends on `head`.
    pub(crate) fn has(&self, head: usize, fits: impl Fn(&str) -> bool) -> bool {
        self.dependants(head).any(|at| fits(&self.arcs[at].label))
    }

    /// A word and those over it, to the root.
    pub(crate) fn above(&self, from: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(from), |&at| self.arcs[at].head).take(self.arcs.len())
    }

    /// For each word how many are over it.
    pub(crate) fn depths(&self) -> Vec<usize> {
        let mut depths = vec![0; self.arcs.len()];
        let mut open: Vec<usize> = (0..self.arcs.len()).filter(|&at| self.arcs[at].head.is_none()).collect();
        while let Some(head) = open.pop() {
            for at in self.dependants(head) {
                depths[at] = depths[head] + 1;
                open.push(at);
            }
        }
        depths
    }

    /// For each word the numbers of itself and of all under it, in the order of the tree.
    pub(crate) fn extents(&self) -> Vec<Range<usize>> {
        let mut extents = vec![0..0; self.arcs.len()];
        let mut entered = 0;
        let mut open: Vec<(usize, bool)> =
            (0..self.arcs.len()).filter(|&at| self.arcs[at].head.is_none()).map(|at| (at, true)).collect();
        while let Some((at, enters)) = open.pop() {
            if enters {
                extents[at].start = entered;
                entered += 1;
                open.push((at, false));
                open.extend(self.dependants(at).map(|below| (below, true)));
            } else {
                extents[at].end = entered;
            }
        }
        extents
    }

    pub(crate) fn set(&mut self, at: usize, arc: Arc) {
        self.set_head(at, arc.head);
        self.arcs[at].label = arc.label;
    }

    pub(crate) fn set_head(&mut self, at: usize, head: Option<usize>) {
        if let Some(old) = self.arcs[at].head {
            self.dependants[old].remove(&at);
        }
        if let Some(new) = head {
            self.dependants[new].insert(at);
        }
        self.arcs[at].head = head;
    }

    pub(crate) fn set_label(&mut self, at: usize, label: &str) {
        label.clone_into(&mut self.arcs[at].label);
    }

    /// Gives the dependants of `from` that fit to another governor, and says which they are.
    pub(crate) fn hand_over(
        &mut self,
        from: usize,
        to: usize,
        fits: impl Fn(usize, &Arc) -> bool,
    ) -> Vec<usize> {
        let moved: Vec<usize> = self.dependants(from).filter(|&at| fits(at, &self.arcs[at])).collect();
        moved.iter().for_each(|&at| self.set_head(at, Some(to)));
        moved
    }
}
