//! Searches with an index: which trees can have a hit, and the hits in these.

use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::sync::Arc;

use super::{Index, IndexError};
use crate::corpus::Block;
use crate::matcher::Matcher;
use crate::searcher::search_pieces;
use crate::stored::Stored;
use crate::{Answer, Pattern, Searcher};

/// As many bytes of lists cost as much as one tree to search.
const READING: f64 = 500.0;

/// How many trees are searched together.
const TOGETHER: usize = 1 << 10;

/// Trees with no more than so many bytes between them are read together, up to so many bytes in all.
const GAP: u64 = 1 << 14;
const RUN: u64 = 1 << 18;

impl Index {
    /// The trees, from 0, that have all that a pattern needs.
    ///
    /// The rarest description comes first. A list that costs more to read than the trees that are left is not read.
    pub fn candidates(&self, pattern: &Arc<Pattern>) -> Result<Vec<u32>, IndexError> {
        let matcher = Matcher::new(Arc::clone(pattern));
        let mut required = Vec::new();
        for (_, description) in matcher.required() {
            // what most labels fit rules nothing out
            if description.negated || description.alternatives.is_none() {
                continue;
            }
            let labels = self.fitting(description)?;
            let mut bytes = 0;
            for &label in &labels {
                bytes += self.label(label)?.0.list.1 as usize;
            }
            required.push((bytes, labels));
        }
        required.sort_by_key(|(bytes, _)| *bytes);
        let mut candidates: Option<Vec<u32>> = None;
        for (bytes, labels) in required {
            // most trees have a label whose list is long, and so have those that are left
            let ruled_out = 1.0 - bytes as f64 / self.trees() as f64;
            if candidates.as_ref().is_some_and(|left| bytes as f64 > READING * ruled_out * left.len() as f64)
            {
                break;
            }
            if let (None, [label]) = (&candidates, &labels[..]) {
                candidates = Some(self.list(*label)?);
                continue;
            }
            let mut with = vec![false; self.trees()];
            for label in labels {
                self.list(label)?.into_iter().for_each(|tree| with[tree as usize] = true);
            }
            let has = |tree: &u32| with[*tree as usize];
            candidates = Some(match candidates {
                Some(before) => before.into_iter().filter(has).collect(),
                None => (0..self.trees() as u32).filter(has).collect(),
            });
        }
        Ok(candidates.unwrap_or_else(|| (0..self.trees() as u32).collect()))
    }

    /// The trees, from 0, that a searcher must look at.
    fn wanted(&self, searcher: &Searcher) -> Result<Vec<u32>, IndexError> {
        if searcher.wants_all_trees() {
            return Ok((0..self.trees() as u32).collect());
        }
        let mut all = Vec::new();
        for pattern in searcher.patterns() {
            all.extend(self.candidates(pattern)?);
        }
        all.sort_unstable();
        all.dedup();
        Ok(all)
    }

    /// Searches the corpus with all threads, and hands the answers over in the order of its trees.
    pub fn search<E: From<IndexError> + Send>(
        &self,
        searcher: &Searcher,
        mut take: impl FnMut(Answer) -> Result<(), E>,
    ) -> Result<(), E> {
        let wanted = self.wanted(searcher)?;
        if searcher.wants_texts() {
            return self.search_texts(&wanted, searcher, &mut take);
        }
        let mut searcher = searcher.another();
        searcher.stored = Stored::of(self, searcher.patterns())?;
        let mut rest = wanted.chunks(TOGETHER);
        let look = |searcher: &mut Searcher, trees: &&[u32]| searcher.stored(self, trees).map_err(E::from);
        search_pieces(|| Ok(rest.next()), look, &searcher, &mut take)
    }

    /// Searches trees by their texts, which heads, roles and whoever shows brackets must have.
    fn search_texts<E: From<IndexError> + Send>(
        &self,
        trees: &[u32],
        searcher: &Searcher,
        take: &mut impl FnMut(Answer) -> Result<(), E>,
    ) -> Result<(), E> {
        let failed = |error| IndexError::Io(self.corpus.clone(), error);
        let mut corpus = File::open(&self.corpus).map_err(failed)?;
        let mut rest = trees;
        let next = || -> Result<Option<Block>, E> {
            let Some(&first) = rest.first() else { return Ok(None) };
            let (start, mut end) = self.place(first)?;
            let mut places = vec![(first as usize + 1, 0..(end - start) as usize)];
            // trees that are near each other are read together
            for &tree in &rest[1..] {
                let (from, to) = self.place(tree)?;
                if from < end || from - end > GAP || to - start > RUN {
                    break;
                }
                places.push((tree as usize + 1, (from - start) as usize..(to - start) as usize));
                end = to;
            }
            rest = &rest[places.len()..];
            let mut text = vec![0; (end - start) as usize];
            corpus.seek(SeekFrom::Start(start)).map_err(failed)?;
            corpus.read_exact(&mut text).map_err(failed)?;
            Ok(Some(Block::new(text, places)))
        };
        search_pieces(next, |searcher, block| Ok(searcher.block(block)), searcher, take)
    }

    /// Where in the corpus a tree begins and ends.
    fn place(&self, tree: u32) -> Result<(u64, u64), IndexError> {
        let (row, _) = self.tree(tree)?;
        Ok((row.text, row.text + u64::from(row.length)))
    }
}
