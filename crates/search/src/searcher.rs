//! Patterns asked of tree after tree.

use std::io::BufRead;
use std::ops::Range;
use std::sync::{Arc, Mutex};

use rayon::prelude::*;
use tracebank_syntax::dialect::Dialect;
use tracebank_syntax::heads::HeadTable;
use tracebank_syntax::penn::SyntaxError;
use tracebank_syntax::tree::{NON_WORD_TAGS, Tree};

use crate::corpus::{Block, Blocks, Piece};
use crate::gist::Gist;
use crate::needle::Needles;
use crate::seen::Seen;
use crate::stored::Stored;
use crate::{Lexicon, Matcher, Pattern, View};

/// How much of an answer is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "questions that have nothing to do with each other")]
pub struct Asked {
    /// Every assignment of names, and not only the nodes that the first node matches.
    pub assignments: bool,
    /// Words, labels and spans of the hits, and the words of their trees.
    pub details: bool,
    /// Trees without a hit too.
    pub all_trees: bool,
    /// The text of the trees.
    pub texts: bool,
    /// The lines where the trees begin.
    pub lines: bool,
    /// How many words there are.
    pub words: bool,
    /// Nothing but numbers: no tree is handed over, only counts.
    pub counts: bool,
}

/// A node that was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node {
    /// Its number in pre-order, words counted as nodes.
    pub number: u32,
    /// Its label; of a word, the word.
    pub label: String,
    /// Its words, counted from 0; empty for a null.
    pub span: Range<usize>,
    /// Those words; the null elements, if there is nothing else.
    pub words: String,
    /// Its antecedent, if it is null: the last in the chain that has words, beyond relative pronouns.
    pub antecedent: Option<String>,
}

/// A hit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hit {
    /// The number of the pattern among those asked.
    pub pattern: usize,
    /// The node that the first node of the pattern matched.
    pub node: Node,
    /// The named nodes.
    pub names: Vec<(String, Node)>,
}

/// A tree with its hits.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Found {
    /// The number of the tree in its file, from 1.
    pub number: usize,
    /// The line of the file where it begins, from 1, if that is asked for and known.
    pub line: Option<usize>,
    /// Its hits; each with nothing but its pattern, if no details are asked for.
    pub hits: Vec<Hit>,
    /// Its words.
    pub words: Vec<String>,
    /// Its text, if that is asked for.
    pub text: Option<String>,
}

/// The answer for a stretch of a file.
#[derive(Default, Debug)]
pub struct Answer {
    /// How many trees were looked at.
    pub trees: usize,
    /// How many words they have, if that is asked for.
    pub words: usize,
    /// How many hits each pattern has.
    pub counts: Vec<usize>,
    /// The trees with a hit, in order, and the others if they were asked for; bad trees in any case.
    pub found: Vec<Result<Found, SyntaxError>>,
}

/// Patterns, ready to be asked.
#[derive(Debug)]
pub struct Searcher {
    pub(crate) matchers: Vec<Matcher>,
    pub(crate) lexicon: Lexicon,
    pub(crate) view: View,
    pub(crate) heads: Option<Arc<HeadTable>>,
    pub(crate) roles: bool,
    dialect: &'static Dialect,
    pub(crate) asked: Asked,
    /// Texts without which there is no hit. A tree that lacks one is not read, so what is wrong with it is not told.
    needles: Needles,
    /// The labels that matter, where only hits are counted.
    gist: Option<Gist>,
    /// The labels of the index that is searched.
    pub(crate) stored: Stored,
    seen: Seen,
}

impl Searcher {
    /// A searcher of trees of a dialect; `heads` is a table of head rules, that of the dialect unless given.
    pub fn new(
        patterns: &[Arc<Pattern>],
        dialect: &'static Dialect,
        heads: Option<HeadTable>,
        asked: Asked,
    ) -> Searcher {
        let matchers: Vec<Matcher> =
            patterns.iter().map(|pattern| Matcher::new(Arc::clone(pattern))).collect();
        let needs_heads = patterns.iter().any(|pattern| pattern.needs_heads());
        let table = || heads.or_else(|| HeadTable::named(dialect.head_table));
        let heads = needs_heads.then(table).flatten().map(Arc::new);
        let mut searcher = Searcher {
            matchers,
            lexicon: Lexicon::default(),
            view: View::default(),
            heads,
            roles: patterns.iter().any(|pattern| pattern.needs_roles()),
            dialect,
            asked,
            needles: Needles::default(),
            gist: None,
            stored: Stored::default(),
            seen: Seen::of(patterns),
        };
        // only where the text is what is searched, for one pattern, and if nothing is asked about other trees
        if let [matcher] = &searcher.matchers[..]
            && !asked.all_trees
            && !asked.words
            && dialect.is_native()
        {
            searcher.needles = Needles::of(matcher.required());
        }
        if asked.counts && !asked.words {
            searcher.gist = Gist::of(patterns.iter().map(|pattern| &**pattern));
        }
        searcher
    }

    /// The record of what the searched trees have, filled by this searcher and all made from it.
    pub fn seen(&self) -> Seen {
        self.seen.clone()
    }

    /// A searcher for the same that knows no labels yet: one for another thread.
    #[must_use]
    pub fn another(&self) -> Searcher {
        Searcher {
            matchers: self.matchers.clone(),
            lexicon: Lexicon::default(),
            view: View::default(),
            heads: self.heads.clone(),
            needles: self.needles.clone(),
            gist: self.gist.clone(),
            stored: self.stored.another(),
            seen: self.seen.clone(),
            ..*self
        }
        .with_fresh_matchers()
    }

    fn with_fresh_matchers(mut self) -> Searcher {
        self.matchers.iter_mut().for_each(Matcher::forget);
        self
    }

    /// The hits in one tree of the project's dialect.
    pub fn tree(&mut self, tree: &Tree, number: usize, answer: &mut Answer) {
        self.lexicon.trim();
        self.view.set(tree, self.heads.as_deref(), &mut self.lexicon);
        if self.roles {
            self.view.find_roles(tree);
        }
        self.ask(number, answer, || tree.to_string());
    }

    /// The hits in a block.
    pub fn block(&mut self, block: &Block) -> Answer {
        let mut answer = Answer { counts: vec![0; self.matchers.len()], ..Answer::default() };
        let verbatim = self.dialect.is_native() && self.heads.is_none() && !self.roles;
        let (mut unasked, mut there) = (0, 0);
        for (number, place) in block.trees() {
            let text = block.text(&place);
            let look = self.needles.look(text);
            there |= look.found;
            if look.hopeless {
                answer.trees += 1;
                unasked |= !look.asked;
                continue;
            }
            self.lexicon.trim();
            let before = answer.found.len();
            if verbatim {
                if self.view.read(block.whole(), &place, self.gist.as_ref(), &mut self.lexicon).is_err() {
                    answer.found.push(Err(block.trouble(&place)));
                    continue;
                }
                self.ask(number, &mut answer, || one_line(text));
            } else {
                let tree = std::str::from_utf8(text).ok().and_then(|text| text.parse::<Tree>().ok());
                let Some(mut tree) = tree else {
                    answer.found.push(Err(block.trouble(&place)));
                    continue;
                };
                self.dialect.normalise(&mut tree);
                self.tree(&tree, number, &mut answer);
            }
            if self.asked.lines {
                let line = block.line(&place);
                answer.found[before..].iter_mut().flatten().for_each(|found| found.line = Some(line));
            }
        }
        self.needles.order();
        self.record(there, unasked);
        answer
    }

    /// Records which descriptions labels fit, or may fit, and which were not asked of all trees.
    fn record(&self, there: u64, unasked: u64) {
        for (pattern, matcher) in self.matchers.iter().enumerate() {
            self.seen.add(pattern, there | matcher.seen(), unasked);
        }
    }

    /// Asks all patterns of the tree that is in view.
    pub(crate) fn ask(&mut self, number: usize, answer: &mut Answer, text: impl Fn() -> String) {
        answer.trees += 1;
        answer.counts.resize(self.matchers.len(), 0);
        let mut hits = Vec::new();
        for pattern in 0..self.matchers.len() {
            let matcher = &mut self.matchers[pattern];
            if self.asked.counts && !self.asked.assignments {
                answer.counts[pattern] += matcher.count(&mut self.view, &self.lexicon);
                continue;
            }
            let found = if self.asked.assignments {
                matcher.assignments(&mut self.view, &self.lexicon)
            } else {
                matcher.firsts(&mut self.view, &self.lexicon, self.asked.details)
            };
            answer.counts[pattern] += found.len();
            if self.asked.counts {
                continue;
            }
            if self.asked.details && !found.is_empty() {
                if self.view.references.is_none() {
                    self.view.refer(&self.lexicon);
                }
                let names = self.matchers[pattern].pattern().names();
                for one in found {
                    let bound = names.iter().zip(&one.names);
                    let named = bound.filter_map(|(name, &node)| Some((name.clone(), self.node(node?))));
                    hits.push(Hit { pattern, node: self.node(one.node), names: named.collect() });
                }
            } else {
                hits.extend(found.iter().map(|one| Hit {
                    pattern,
                    node: Node::nameless(one.node),
                    names: Vec::new(),
                }));
            }
        }
        if self.asked.words {
            answer.words += self.words(0).count();
        }
        if !self.asked.counts && (self.asked.all_trees || !hits.is_empty()) {
            let shown = self.asked.all_trees || self.asked.details;
            let words = if shown { self.words(0).map(str::to_owned).collect() } else { Vec::new() };
            let text = self.asked.texts.then(text);
            answer.found.push(Ok(Found { number, line: None, hits, words, text }));
        }
    }

    /// The words of the sentence at and below a node.
    fn words(&self, node: u32) -> impl Iterator<Item = &str> {
        self.view.leaves(node).filter(|&leaf| self.is_word(leaf)).map(|leaf| self.text(leaf))
    }

    fn text(&self, node: u32) -> &str {
        self.lexicon.text(self.view.node(node).label)
    }

    fn is_word(&self, leaf: u32) -> bool {
        let tag = self.view.parent(leaf).filter(|&tag| self.view.is_token(tag));
        tag.is_none_or(|tag| !NON_WORD_TAGS.contains(&self.text(tag)))
    }

    fn node(&self, number: u32) -> Node {
        let before = self.view.leaves(0).take_while(|&leaf| leaf < number);
        let before = before.filter(|&leaf| self.is_word(leaf)).count();
        let words: Vec<&str> = self.words(number).collect();
        let span = before..before + words.len();
        let antecedents = if words.is_empty() { self.view.antecedents(number, true) } else { Vec::new() };
        let overt = antecedents.iter().rev().map(|&node| self.words(node).collect::<Vec<_>>().join(" "));
        let antecedent = overt.into_iter().find(|words| !words.is_empty());
        let shown = if words.is_empty() {
            self.view.leaves(number).map(|leaf| self.text(leaf)).collect::<Vec<_>>().join(" ")
        } else {
            words.join(" ")
        };
        Node { number, label: self.text(number).to_owned(), span, words: shown, antecedent }
    }
}

impl Node {
    fn nameless(number: u32) -> Node {
        Node { number, label: String::new(), span: 0..0, words: String::new(), antecedent: None }
    }
}

/// A tree's text on one line.
fn one_line(text: &[u8]) -> String {
    String::from_utf8_lossy(text).split_ascii_whitespace().collect::<Vec<_>>().join(" ")
}

/// Searches a stream with all threads of rayon's pool and hands the answers over in the order of the stream. What `take` returns as an error ends it.
pub fn search<E: From<std::io::Error> + Send>(
    stream: impl BufRead,
    searcher: &Searcher,
    mut take: impl FnMut(Answer) -> Result<(), E>,
) -> Result<(), E> {
    let mut blocks = Blocks::new(stream);
    let mut trouble = false;
    let next = || -> Result<Option<Block>, E> {
        match blocks.next()? {
            Some(Piece::Block(block)) => Ok(Some(block)),
            Some(Piece::Trouble) => {
                trouble = true;
                Ok(None)
            }
            None => Ok(None),
        }
    };
    search_pieces(next, |searcher, block| Ok(searcher.block(block)), searcher, &mut take)?;
    if !trouble {
        return Ok(());
    }
    let (first, trees) = blocks.into_careful();
    let mut mine = searcher.another();
    for (number, tree) in (first..).zip(trees) {
        let mut answer = Answer::default();
        match tree {
            Ok(mut tree) => {
                searcher.dialect.normalise(&mut tree);
                mine.tree(&tree, number, &mut answer);
            }
            Err(error) => answer.found.push(Err(error)),
        }
        take(answer)?;
    }
    mine.record(0, 0);
    Ok(())
}

/// Searches the pieces that `next` gives until there are none, each with `look`. While the pool searches some, the next are read.
pub(crate) fn search_pieces<T: Send + Sync, E: Send>(
    mut next: impl FnMut() -> Result<Option<T>, E>,
    look: impl Fn(&mut Searcher, &T) -> Result<Answer, E> + Sync,
    searcher: &Searcher,
    take: &mut impl FnMut(Answer) -> Result<(), E>,
) -> Result<(), E> {
    let together = 2 * rayon::current_num_threads();
    let mut some =
        || -> Result<Vec<T>, E> { std::iter::from_fn(|| next().transpose()).take(together).collect() };
    let idle: Mutex<Vec<Searcher>> = Mutex::default();
    let answer = |piece: &T| {
        let waiting = idle.lock().ok().and_then(|mut idle| idle.pop());
        let mut mine = waiting.unwrap_or_else(|| searcher.another());
        let answer = look(&mut mine, piece);
        if let Ok(mut idle) = idle.lock() {
            idle.push(mine);
        }
        answer
    };
    let mut batch = some()?;
    while !batch.is_empty() {
        let mut answers: Vec<Result<Answer, E>> = Vec::new();
        let following = rayon::in_place_scope(|scope| {
            scope.spawn(|_| answers = batch.par_iter().map(&answer).collect());
            some()
        });
        answers.into_iter().try_for_each(|answer| take(answer?))?;
        batch = following?;
    }
    Ok(())
}
