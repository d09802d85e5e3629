//! An index of a file of trees: which trees have which labels and words.
//!
//! It stands beside the file as `FILE.tbx` and says of every label, word and null element in which trees it is. A search then looks only at the
//! trees that have all that the pattern needs. The layout, numbers in little-endian order:
//!
//! ```text
//! magic (8 bytes), checksum of head and texts (8)
//! head: length and time of the corpus file (8 + 8), trees (8), labels (8), length of all texts (8)
//!       for each tree its place in the corpus (8 each, and one for the end)
//!       for each label, in order of its text: place and length of the text (8 + 4), place and length of its list (8 + 4), checksum of the list (8)
//! texts of the labels, then lists: tree numbers as differences, 7 bits a byte
//! ```
//!
//! The file is mapped into memory; the checksum of a list is looked at when the list is used. A corpus that has another length or time than
//! the index says makes it stale, and a stale index is refused; `tracebank search` then makes it anew.

use std::fs::File;
use std::io::{self, BufRead, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use memmap2::Mmap;
use thiserror::Error;
use tracebank_syntax::penn::SyntaxError;

use crate::corpus::{Block, Blocks, Piece};
use crate::matcher::Matcher;
use crate::pattern::Description;
use crate::searcher::search_blocks;
use crate::view::View;
use crate::{Answer, Lexicon, Pattern, Searcher};

const MAGIC: &[u8; 8] = b"tbindex1";
const HEAD: usize = 16;
const FIXED: usize = 40;
const ROW: usize = 32;

/// As many bytes of lists cost as much as one tree to read and to search.
const READING: usize = 1000;

/// Trees with no more than so many bytes between them are read together, up to so many bytes in all.
const GAP: u64 = 1 << 14;
const RUN: u64 = 1 << 18;

/// The reason why an index cannot be made or used.
#[derive(Debug, Error)]
pub enum IndexError {
    /// The index or the corpus cannot be read or written.
    #[error("{0}: {1}")]
    Io(PathBuf, io::Error),
    /// The corpus is packed, or is not all trees.
    #[error("{0}: only a plain file of well-formed trees can be indexed ({1})")]
    Corpus(PathBuf, String),
    /// The corpus changed after the index was made.
    #[error("{0}: the index is older than the corpus; `tracebank index` makes a new one")]
    Stale(PathBuf),
    /// The index is damaged, or of another version.
    #[error("{0}: the index is damaged; `tracebank index` makes a new one")]
    Damaged(PathBuf),
}

/// The index of a corpus, mapped into memory.
#[derive(Debug)]
pub struct Index {
    path: PathBuf,
    corpus: PathBuf,
    map: Mmap,
    trees: usize,
    labels: usize,
}

/// The state of the corpus file that an index belongs to.
fn state(corpus: &Path) -> io::Result<[u64; 2]> {
    let metadata = std::fs::metadata(corpus)?;
    let time = metadata.modified()?.duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos() as u64);
    Ok([metadata.len(), time])
}

impl Index {
    /// Where the index of `corpus` is.
    pub fn path(corpus: &Path) -> PathBuf {
        let mut name = corpus.as_os_str().to_owned();
        name.push(".tbx");
        PathBuf::from(name)
    }

    /// Makes the index of `corpus`, a plain file in the project's dialect; how many trees it has.
    pub fn build(corpus: &Path) -> Result<usize, IndexError> {
        let failed = |error| IndexError::Io(corpus.to_owned(), error);
        let state = state(corpus).map_err(failed)?;
        let mut file = io::BufReader::with_capacity(1 << 16, File::open(corpus).map_err(failed)?);
        let packed = file.fill_buf().map_err(failed)?.starts_with(&[0x1f, 0x8b]);
        if packed {
            return Err(IndexError::Corpus(corpus.to_owned(), "it is gzip".to_owned()));
        }
        let mut lists = Lists::default();
        let mut blocks = Blocks::new(file);
        while let Some(piece) = blocks.next().map_err(failed)? {
            let trouble = match piece {
                Piece::Block(block) => lists.add(&block).err(),
                Piece::Trouble => {
                    let first = blocks.into_careful().1.find_map(Result::err);
                    return Err(IndexError::corpus(corpus, first));
                }
            };
            if trouble.is_some() {
                return Err(IndexError::corpus(corpus, trouble));
            }
        }
        let path = Index::path(corpus);
        let trees = lists.starts.len();
        lists.write(&path, state).map_err(|error| IndexError::Io(path, error))?;
        Ok(trees)
    }

    /// Opens the index of `corpus`; `None` if there is none.
    pub fn open(corpus: &Path) -> Result<Option<Index>, IndexError> {
        let path = Index::path(corpus);
        let file = match File::open(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            other => other.map_err(|error| IndexError::Io(path.clone(), error))?,
        };
        let map = map(&file).map_err(|error| IndexError::Io(path.clone(), error))?;
        let mut index = Index { path, corpus: corpus.to_owned(), map, trees: 0, labels: 0 };
        let damaged = || IndexError::Damaged(index.path.clone());
        if index.map.len() < HEAD + FIXED || index.map[..8] != *MAGIC {
            return Err(damaged());
        }
        let [length, time, trees, labels, texts] =
            [0, 1, 2, 3, 4].map(|place| index.number(HEAD + 8 * place));
        let end = || {
            let rows = (labels as usize).checked_mul(ROW)?;
            let starts = (trees as usize).checked_add(1)?.checked_mul(8)?;
            starts.checked_add(rows)?.checked_add(texts as usize)?.checked_add(HEAD + FIXED)
        };
        let Some(head) = end().and_then(|end| index.map.get(HEAD..end)) else { return Err(damaged()) };
        if checksum(head) != index.map[8..16] {
            return Err(damaged());
        }
        if state(corpus).ok() != Some([length, time]) {
            return Err(IndexError::Stale(index.path));
        }
        (index.trees, index.labels) = (trees as usize, labels as usize);
        Ok(Some(index))
    }

    /// How many trees the corpus has.
    pub fn trees(&self) -> usize {
        self.trees
    }

    fn number(&self, at: usize) -> u64 {
        let bytes: [u8; 8] = self.map[at..at + 8].try_into().expect("eight bytes");
        u64::from_le_bytes(bytes)
    }

    fn row(&self, label: usize) -> usize {
        HEAD + FIXED + 8 * (self.trees + 1) + ROW * label
    }

    fn damaged(&self) -> IndexError {
        IndexError::Damaged(self.path.clone())
    }

    /// A stretch of the file that a row names by place (8 bytes) and length (4 bytes).
    fn stretch(&self, at: usize) -> Result<&[u8], IndexError> {
        let start = self.number(at) as usize;
        let length: [u8; 4] = self.map[at + 8..at + 12].try_into().expect("four bytes");
        let end = start.checked_add(u32::from_le_bytes(length) as usize);
        end.and_then(|end| self.map.get(start..end)).ok_or_else(|| self.damaged())
    }

    fn label(&self, label: usize) -> Result<&str, IndexError> {
        std::str::from_utf8(self.stretch(self.row(label))?).map_err(|_| self.damaged())
    }

    /// The labels that fit a description.
    pub(crate) fn fitting(&self, description: &Description) -> Result<Vec<usize>, IndexError> {
        let Some(literal) = description.literal() else {
            let mut fitting = Vec::new();
            for label in 0..self.labels {
                if description.fits(self.label(label)?) {
                    fitting.push(label);
                }
            }
            return Ok(fitting);
        };
        let (mut low, mut high) = (0, self.labels);
        while low < high {
            let middle = usize::midpoint(low, high);
            match self.label(middle)?.cmp(literal) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Equal => return Ok(vec![middle]),
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        Ok(Vec::new())
    }

    fn list(&self, label: usize) -> Result<Vec<u32>, IndexError> {
        let bytes = self.stretch(self.row(label) + 12)?;
        let at = self.row(label) + 24;
        if checksum(bytes) != self.map[at..at + 8] {
            return Err(self.damaged());
        }
        let (mut list, mut last, mut number, mut shift) =
            (Vec::with_capacity(bytes.len()), 0_u32, 0_u32, 0_u32);
        for &byte in bytes {
            number |= u32::from(byte & 127).wrapping_shl(shift);
            shift += 7;
            if byte < 128 {
                last = last.wrapping_add(number);
                list.push(last);
                (number, shift) = (0, 0);
            }
        }
        if list.iter().any(|&tree| tree as usize >= self.trees) { Err(self.damaged()) } else { Ok(list) }
    }

    /// The trees, from 0, that have all that a pattern needs.
    ///
    /// The rarest description comes first. A list that costs more to read than the trees that are left is not read.
    pub fn candidates(&self, pattern: &Pattern) -> Result<Vec<u32>, IndexError> {
        let matcher = Matcher::new(std::sync::Arc::new(pattern.clone()));
        let mut required = Vec::new();
        for (_, description) in matcher.required() {
            // what most labels fit rules nothing out
            if description.negated || description.alternatives.is_none() {
                continue;
            }
            let labels = self.fitting(description)?;
            let mut bytes = 0;
            for &label in &labels {
                bytes += self.stretch(self.row(label) + 12)?.len();
            }
            required.push((bytes, labels));
        }
        required.sort_by_key(|(bytes, _)| *bytes);
        let mut candidates: Option<Vec<u32>> = None;
        for (bytes, labels) in required {
            if candidates.as_ref().is_some_and(|left| bytes > left.len().saturating_mul(READING)) {
                break;
            }
            if let (None, [label]) = (&candidates, &labels[..]) {
                candidates = Some(self.list(*label)?);
                continue;
            }
            let mut with = vec![false; self.trees];
            for label in labels {
                self.list(label)?.into_iter().for_each(|tree| with[tree as usize] = true);
            }
            let has = |tree: &u32| with[*tree as usize];
            candidates = Some(match candidates {
                Some(before) => before.into_iter().filter(has).collect(),
                None => (0..self.trees as u32).filter(has).collect(),
            });
        }
        Ok(candidates.unwrap_or_else(|| (0..self.trees as u32).collect()))
    }

    /// Searches the trees with these numbers, from 0 and rising, with all threads, and hands the answers over in their order.
    pub fn search<E: From<IndexError>>(
        &self,
        trees: &[u32],
        searcher: &Searcher,
        mut take: impl FnMut(Answer) -> Result<(), E>,
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
        search_blocks(next, searcher, &mut take)
    }

    /// Where in the corpus a tree begins and where the next one does.
    fn place(&self, tree: u32) -> Result<(u64, u64), IndexError> {
        let [start, end] = [0, 1].map(|next| self.number(HEAD + FIXED + 8 * (tree as usize + next)));
        if end < start || end - start > 1 << 31 { Err(self.damaged()) } else { Ok((start, end)) }
    }
}

impl IndexError {
    fn corpus(path: &Path, error: Option<SyntaxError>) -> IndexError {
        let why = error.map_or_else(|| "it is in disorder".to_owned(), |error| error.to_string());
        IndexError::Corpus(path.to_owned(), why)
    }
}

/// Maps a file into memory.
#[allow(unsafe_code)]
fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: a mapping is undefined behaviour only if the file is changed while it is used. An index is written under another name and then
    // renamed, never changed, so a new index leaves the mapped one as it is. Every number read from it is checked before it is used.
    unsafe { Mmap::map(file) }
}

fn checksum(bytes: &[u8]) -> [u8; 8] {
    blake3::hash(bytes).as_bytes()[..8].try_into().expect("a hash is longer")
}

/// The lists of an index while it is made.
#[derive(Default)]
struct Lists {
    lexicon: Lexicon,
    view: View,
    /// For each label: the last tree, and the list so far.
    of_labels: Vec<(u32, Vec<u8>)>,
    starts: Vec<u64>,
    length: u64,
}

impl Lists {
    fn add(&mut self, block: &Block) -> Result<(), SyntaxError> {
        for (_, place) in block.trees() {
            self.view.read(block.text(&place), None, &mut self.lexicon).map_err(|_| block.trouble(&place))?;
            let tree = self.starts.len() as u32;
            self.starts.push(self.length + place.start as u64);
            self.of_labels.resize_with(self.lexicon.len(), || (u32::MAX, Vec::new()));
            for node in &self.view.nodes {
                let (last, list) = &mut self.of_labels[node.label as usize];
                if *last != tree {
                    push_number(list, tree.wrapping_sub(if *last == u32::MAX { 0 } else { *last }));
                    *last = tree;
                }
            }
        }
        self.length += block.len() as u64;
        Ok(())
    }

    fn write(&self, path: &Path, state: [u64; 2]) -> io::Result<()> {
        let mut order: Vec<u32> = (0..self.lexicon.len() as u32).collect();
        order.sort_unstable_by_key(|&label| self.lexicon.text(label));
        let head_length = FIXED + 8 * (self.starts.len() + 1) + ROW * order.len();
        let mut head = Vec::with_capacity(head_length);
        let texts: usize = order.iter().map(|&label| self.lexicon.text(label).len()).sum();
        for number in [state[0], state[1], self.starts.len() as u64, order.len() as u64, texts as u64] {
            head.extend(number.to_le_bytes());
        }
        for start in self.starts.iter().chain([&self.length]) {
            head.extend(start.to_le_bytes());
        }
        let mut text_at = HEAD + head_length;
        let mut list_at = text_at + texts;
        for &label in &order {
            let (text, list) = (self.lexicon.text(label), &self.of_labels[label as usize].1);
            head.extend((text_at as u64).to_le_bytes());
            head.extend((text.len() as u32).to_le_bytes());
            head.extend((list_at as u64).to_le_bytes());
            head.extend((list.len() as u32).to_le_bytes());
            head.extend(checksum(list));
            text_at += text.len();
            list_at += list.len();
        }
        for &label in &order {
            head.extend(self.lexicon.text(label).as_bytes());
        }
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut builder = tempfile::Builder::new();
        #[cfg(unix)]
        {
            // as any new file: what the umask leaves
            use std::os::unix::fs::PermissionsExt as _;
            builder.permissions(std::fs::Permissions::from_mode(0o666));
        }
        let mut file = io::BufWriter::new(builder.tempfile_in(folder)?);
        file.write_all(MAGIC)?;
        file.write_all(&checksum(&head))?;
        file.write_all(&head)?;
        for &label in &order {
            file.write_all(&self.of_labels[label as usize].1)?;
        }
        file.into_inner()
            .map_err(io::IntoInnerError::into_error)?
            .persist(path)
            .map_err(|error| error.error)?;
        Ok(())
    }
}

/// A number, 7 bits a byte, the lowest first.
fn push_number(list: &mut Vec<u8>, mut number: u32) {
    while number >= 128 {
        list.push(number as u8 | 128);
        number >>= 7;
    }
    list.push(number as u8);
}
