//! An index of a file of trees: the nodes of all trees, and which trees have which labels.
//!
//! It stands beside the file as `FILE.tbx`. For every label, word and null element it has the list of the trees with it, so that a search looks only at trees that
//! have all that the pattern needs, beginning with the rarest. For every tree it has the nodes with their labels and intervals, so that no bracket is
//! read any more. `layout.rs` has the form of the file.
//!
//! The file is mapped into memory; every row, list and tree has a checksum, which is looked at when it is used. A corpus that has another length or time than
//! the index says makes it stale, and a stale index is refused; `tracebank search` then makes it anew.

mod build;
mod layout;
mod search;
mod sum;

use std::fs::File;
use std::io::{self, Read as _};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use memmap2::Mmap;
use thiserror::Error;

use self::layout::{Head, Label, NodeRow, TreeRow, u32_at};
use crate::pattern::Description;
use crate::view::{Links, NONE};

/// The reason why an index cannot be made or used.
#[derive(Debug, Error)]
pub enum IndexError {
    /// The index or the corpus cannot be read or written.
    #[error("{0}: {1}")]
    Io(PathBuf, io::Error),
    /// The corpus is packed, or is not all trees.
    #[error("{0}: only a plain file of well-formed trees can be indexed ({1})")]
    Corpus(PathBuf, String),
    /// The corpus changed after the index was made, or the index is of another version.
    #[error(
        "{0}: the index is older than the corpus, or of another version; `tracebank index` makes a new one"
    )]
    Stale(PathBuf),
    /// Something else has the name of the index.
    #[error("{0}: this is no index of ours, and is left as it is")]
    Foreign(PathBuf),
    /// The index is damaged.
    #[error("{0}: the index is damaged; `tracebank index` makes a new one")]
    Damaged(PathBuf),
}

/// The index of a corpus, mapped into memory.
#[derive(Debug)]
pub struct Index {
    path: PathBuf,
    corpus: PathBuf,
    map: Mmap,
    head: Head,
}

/// The state of the corpus file that an index belongs to.
fn state(corpus: &Path) -> io::Result<[u64; 2]> {
    let metadata = std::fs::metadata(corpus)?;
    let time = metadata.modified()?.duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos() as u64);
    Ok([metadata.len(), time])
}

/// The index at `path`, of whatever version, or an empty file; `None` if there is nothing. What others have put there is not touched.
fn ours(path: &Path) -> Result<Option<File>, IndexError> {
    let failed = |error| IndexError::Io(path.to_owned(), error);
    match std::fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Ok(metadata) if !metadata.is_file() => return Err(IndexError::Foreign(path.to_owned())),
        other => other.map_err(failed)?,
    };
    let file = File::open(path).map_err(failed)?;
    let mut start = Vec::new();
    (&file).take(layout::NAME.len() as u64).read_to_end(&mut start).map_err(failed)?;
    if start.is_empty() || start == layout::NAME {
        Ok(Some(file))
    } else {
        Err(IndexError::Foreign(path.to_owned()))
    }
}

impl Index {
    /// Where the index of `corpus` is.
    pub fn path(corpus: &Path) -> PathBuf {
        let mut name = corpus.as_os_str().to_owned();
        name.push(".tbx");
        PathBuf::from(name)
    }

    /// Opens the index of `corpus`; `None` if there is none.
    pub fn open(corpus: &Path) -> Result<Option<Index>, IndexError> {
        let path = Index::path(corpus);
        let Some(file) = ours(&path)? else { return Ok(None) };
        let map = map(&file).map_err(|error| IndexError::Io(path.clone(), error))?;
        if map.starts_with(layout::NAME) && !map.starts_with(layout::MAGIC) {
            return Err(IndexError::Stale(path));
        }
        let Some(head) = Head::of(&map) else { return Err(IndexError::Damaged(path)) };
        let index = Index { path, corpus: corpus.to_owned(), map, head };
        if sum::sum(0, index.order()) != head.order {
            return Err(index.damaged());
        }
        if state(corpus).ok() != Some(head.state) {
            return Err(IndexError::Stale(index.path));
        }
        Ok(Some(index))
    }

    /// How many trees the corpus has.
    pub fn trees(&self) -> usize {
        self.head.trees as usize
    }

    fn damaged(&self) -> IndexError {
        IndexError::Damaged(self.path.clone())
    }

    /// A stretch of the file.
    fn stretch(&self, start: u64, length: u64) -> Option<&[u8]> {
        self.map.get(start as usize..start.checked_add(length)? as usize)
    }

    /// The numbers of the labels in the order of their texts. The head says that they are there.
    fn order(&self) -> &[u8] {
        self.stretch(self.head.order_at(), 4 * self.head.labels).unwrap_or_default()
    }

    /// The label with this number, and its text.
    fn label(&self, label: u32) -> Result<(Label, &str), IndexError> {
        let find = || {
            let at = self.head.labels_at() + Label::LENGTH as u64 * u64::from(label);
            let row = Label::of(self.stretch(at, Label::LENGTH as u64)?)?;
            let text = self.stretch(row.text.0, row.text.1.into())?;
            let whole = u64::from(label) < self.head.labels && row.has_text(text);
            Some((row, std::str::from_utf8(text).ok().filter(|_| whole)?))
        };
        find().ok_or_else(|| self.damaged())
    }

    /// The label at a place in the order of texts.
    fn ordered(&self, place: usize) -> Result<(u32, &str), IndexError> {
        let label = u32_at(self.order(), 4 * place).ok_or_else(|| self.damaged())?;
        Ok((label, self.text(label)?))
    }

    /// The places in the order of texts of those that begin with `start`.
    fn beginning(&self, start: &str) -> Result<Range<usize>, IndexError> {
        let first = |is_before: &dyn Fn(&str) -> bool| -> Result<usize, IndexError> {
            let (mut low, mut high) = (0, self.head.labels as usize);
            while low < high {
                let middle = usize::midpoint(low, high);
                if is_before(self.ordered(middle)?.1) { low = middle + 1 } else { high = middle }
            }
            Ok(low)
        };
        let from = first(&|text| text < start)?;
        Ok(from..first(&|text| text < start || text.starts_with(start))?)
    }

    /// The numbers of the labels that fit a description, each at least once.
    pub(crate) fn fitting(&self, description: &Description) -> Result<Vec<u32>, IndexError> {
        let starts = description.starts().unwrap_or_else(|| vec![String::new()]);
        let mut fitting = Vec::new();
        for start in starts {
            let places = self.beginning(&start)?;
            // a literal is the first of those that begin with it
            let places = if description.literal().is_some() {
                places.start..places.end.min(places.start + 1)
            } else {
                places
            };
            for place in places {
                let (label, text) = self.ordered(place)?;
                // one that no tree has is there because every reader knows it
                if description.fits(text) && self.label(label)?.0.list.1 > 0 {
                    fitting.push(label);
                }
            }
        }
        Ok(fitting)
    }

    /// The numbers of the trees that have a label, from 0.
    fn list(&self, label: u32) -> Result<Vec<u32>, IndexError> {
        let (label, _) = self.label(label)?;
        let bytes = self.stretch(label.list.0, label.list.1.into()).filter(|bytes| label.has_list(bytes));
        let bytes = bytes.ok_or_else(|| self.damaged())?;
        // the first tree is 1
        let (mut list, mut last) = (Vec::with_capacity(bytes.len()), u32::MAX);
        let (mut number, mut shift) = (0_u32, 0_u32);
        for &byte in bytes {
            number |= u32::from(byte & 127).wrapping_shl(shift);
            shift += 7;
            if byte < 128 {
                last = last.wrapping_add(number);
                list.push(last);
                (number, shift) = (0, 0);
            }
        }
        let rises = list.is_sorted() && list.last().is_none_or(|&last| u64::from(last) < self.head.trees);
        if rises { Ok(list) } else { Err(self.damaged()) }
    }

    /// The row of a tree, and its nodes as they are stored.
    fn tree(&self, tree: u32) -> Result<(TreeRow, &[[u8; NodeRow::LENGTH]]), IndexError> {
        let find = || {
            let at = self.head.trees_at() + TreeRow::LENGTH as u64 * u64::from(tree);
            let rows = self.stretch(at, 2 * TreeRow::LENGTH as u64)?;
            let (row, next) = (TreeRow::of(rows)?, TreeRow::of(&rows[TreeRow::LENGTH..])?);
            let many = next.node.checked_sub(row.node).filter(|_| next.node <= self.head.nodes)?;
            let length = NodeRow::LENGTH as u64;
            let nodes = self.stretch(Head::nodes_at() + length * row.node, length * many)?;
            row.has_nodes(nodes).then_some((row, nodes.as_chunks().0))
        };
        find().ok_or_else(|| self.damaged())
    }

    /// Puts the nodes of a tree, with the labels of the index, into `nodes`, which is empty.
    pub(crate) fn load(&self, tree: u32, nodes: &mut Vec<Links>) -> Result<(), IndexError> {
        let (_, rows) = self.tree(tree)?;
        let many = u32::try_from(rows.len()).map_err(|_| self.damaged())?;
        let labels = self.head.labels as u32;
        nodes.resize(rows.len(), Links { label: 0, parent: NONE, end: 0 });
        let mut well = many > 0;
        for ((node, row), links) in (0..many).zip(rows).zip(nodes) {
            let may_be;
            (*links, may_be) = NodeRow::links(*row, node, many - node);
            well &= may_be && links.label < labels;
        }
        if well { Ok(()) } else { Err(self.damaged()) }
    }

    /// The text of the label with this number.
    pub(crate) fn text(&self, label: u32) -> Result<&str, IndexError> {
        Ok(self.label(label)?.1)
    }

    /// How many labels there are.
    pub(crate) fn labels(&self) -> usize {
        self.head.labels as usize
    }
}

/// Maps a file into memory.
#[allow(unsafe_code)]
fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: a mapping is undefined behaviour only if the file is changed while it is used. An index is written under another name and then
    // renamed, never changed, so a new index leaves the mapped one as it is. Every number read from it is checked before it is used.
    unsafe { Mmap::map(file) }
}
