//! Indexes made: nodes go to the file as they are read, the tables behind them.

use std::fs::File;
use std::io::{self, BufRead as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;

use tracebank_syntax::penn::{BYTE_ORDER_MARK, SyntaxError};

use super::layout::{Head, Label, MAGIC, NodeRow, TreeRow};
use super::sum::sum;
use super::{Index, IndexError, ours, state};
use crate::Lexicon;
use crate::corpus::{Block, Blocks, Piece};
use crate::view::View;

impl Index {
    /// Makes the index of `corpus`, a plain file in the project's dialect; how many trees it has.
    pub fn build(corpus: &Path) -> Result<usize, IndexError> {
        let failed = |error| IndexError::Io(corpus.to_owned(), error);
        let state = state(corpus).map_err(failed)?;
        let mut file = io::BufReader::with_capacity(1 << 16, File::open(corpus).map_err(failed)?);
        let packed = file.fill_buf().map_err(failed)?.starts_with(&[0x1f, 0x8b]);
        if packed {
            return Err(IndexError::Corpus(corpus.to_owned(), "it is gzip".to_owned()));
        }
        let path = Index::path(corpus);
        ours(&path)?;
        let not_written = |error| IndexError::Io(path.clone(), error);
        let mut tables = Tables::new(&path).map_err(not_written)?;
        if file.buffer().starts_with(BYTE_ORDER_MARK) {
            file.consume(BYTE_ORDER_MARK.len());
            tables.length = BYTE_ORDER_MARK.len() as u64;
        }
        let mut blocks = Blocks::new(file);
        while let Some(piece) = blocks.next().map_err(failed)? {
            match piece {
                Piece::Block(block) => tables.add(&block).map_err(|trouble| match trouble {
                    Trouble::Syntax(error) => IndexError::corpus(corpus, Some(error)),
                    Trouble::TooLarge(tree) => IndexError::Corpus(
                        corpus.to_owned(),
                        format!("tree {tree} has more than {} nodes", u16::MAX),
                    ),
                    Trouble::Io(error) => not_written(error),
                })?,
                Piece::Trouble => {
                    let first = blocks.into_careful().1.find_map(Result::err);
                    return Err(IndexError::corpus(corpus, first));
                }
            }
        }
        let trees = tables.trees.len();
        tables.finish(&path, state).map_err(not_written)?;
        Ok(trees)
    }
}

impl IndexError {
    fn corpus(path: &Path, error: Option<SyntaxError>) -> IndexError {
        let why = error.map_or_else(|| "it is in disorder".to_owned(), |error| error.to_string());
        IndexError::Corpus(path.to_owned(), why)
    }
}

/// The reason why a block cannot be added.
enum Trouble {
    Syntax(SyntaxError),
    /// The tree with this number, from 1, has too many nodes.
    TooLarge(usize),
    Io(io::Error),
}

/// The tables of an index while it is made, and the file that the nodes are in already.
struct Tables {
    file: io::BufWriter<tempfile::NamedTempFile>,
    lexicon: Lexicon,
    view: View,
    /// For each label: the last tree, and the list so far.
    of_labels: Vec<(u32, Vec<u8>)>,
    trees: Vec<TreeRow>,
    nodes: u64,
    /// How many bytes of the corpus are read.
    length: u64,
}

impl Tables {
    fn new(path: &Path) -> io::Result<Tables> {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut builder = tempfile::Builder::new();
        #[cfg(unix)]
        {
            // as any new file: what the umask leaves
            use std::os::unix::fs::PermissionsExt as _;
            builder.permissions(std::fs::Permissions::from_mode(0o666));
        }
        let mut file = io::BufWriter::with_capacity(1 << 18, builder.tempfile_in(folder)?);
        // room for the head
        file.write_all(&[0; Head::LENGTH])?;
        Ok(Tables {
            file,
            lexicon: Lexicon::default(),
            view: View::default(),
            of_labels: Vec::new(),
            trees: Vec::new(),
            nodes: 0,
            length: 0,
        })
    }

    fn add(&mut self, block: &Block) -> Result<(), Trouble> {
        let mut rows = Vec::new();
        for (number, place) in block.trees() {
            let read = self.view.read(block.whole(), &place, None, &mut self.lexicon);
            read.map_err(|_| Trouble::Syntax(block.trouble(&place)))?;
            let tree = self.trees.len() as u32;
            self.of_labels.resize_with(self.lexicon.len(), || (0, Vec::new()));
            rows.clear();
            for (node, links) in (0..).zip(&self.view.nodes) {
                let row = NodeRow::of(node, links).ok_or(Trouble::TooLarge(number))?;
                rows.extend(row.to_bytes());
                // the first tree is 1 here, so that the first difference is the number
                let (last, list) = &mut self.of_labels[links.label as usize];
                if *last != tree + 1 {
                    push_number(list, tree + 1 - *last);
                    *last = tree + 1;
                }
            }
            self.file.write_all(&rows).map_err(Trouble::Io)?;
            let text = self.length + place.start as u64;
            self.trees.push(TreeRow::new(text, place.len() as u32, self.nodes, &rows));
            self.nodes += u64::from(self.view.len());
        }
        self.length += block.len() as u64;
        Ok(())
    }

    fn finish(mut self, path: &Path, state: [u64; 2]) -> io::Result<()> {
        let labels = self.lexicon.len();
        let mut order: Vec<u32> = (0..labels as u32).collect();
        order.sort_unstable_by_key(|&label| self.lexicon.text(label));
        let order: Vec<u8> = order.iter().flat_map(|label| label.to_le_bytes()).collect();
        let texts: usize = (0..labels as u32).map(|label| self.lexicon.text(label).len()).sum();
        let head = Head {
            state,
            trees: self.trees.len() as u64,
            nodes: self.nodes,
            labels: labels as u64,
            texts: texts as u64,
            order: sum(0, &order),
        };
        for tree in self.trees.iter().chain([&TreeRow::new(self.length, 0, self.nodes, &[])]) {
            self.file.write_all(&tree.to_bytes())?;
        }
        let (mut text, mut list) = (head.texts_at(), head.lists_at());
        for (label, (_, bytes)) in (0..).zip(&self.of_labels) {
            let name = self.lexicon.text(label);
            let row = Label::new(text, name, list, bytes);
            self.file.write_all(&row.to_bytes())?;
            (text, list) = (text + name.len() as u64, list + bytes.len() as u64);
        }
        self.file.write_all(&order)?;
        for label in 0..labels as u32 {
            self.file.write_all(self.lexicon.text(label).as_bytes())?;
        }
        for (_, list) in &self.of_labels {
            self.file.write_all(list)?;
        }
        self.file.seek(SeekFrom::Start(0))?;
        self.file.write_all(MAGIC)?;
        self.file.write_all(&head.to_bytes())?;
        let file = self.file.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.persist(path).map_err(|error| error.error)?;
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
