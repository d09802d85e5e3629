//! The lexicon: which tags and spines a word may have at all, by what it was seen with.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use tracebank_parser::vocabulary::{FunctionId, SpineId, TagId};

/// The ids seen with a word or a tag, the most frequent first.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Entry {
    /// How often it was seen.
    pub count: u32,
    /// Its tags.
    pub tags: Vec<u16>,
    /// Its spines.
    pub spines: Vec<u16>,
    /// Its function tags.
    pub functions: Vec<u16>,
}

/// The entries of all words and tags.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Lexicon {
    words: BTreeMap<String, Entry>,
    tags: Vec<Entry>,
}

/// A word seen this often has no tag but those it was seen with.
const FREQUENT: u32 = 10;

impl Lexicon {
    /// The lexicon with these entries of words, and of tags in the order of their ids.
    pub fn new(words: BTreeMap<String, Entry>, tags: Vec<Entry>) -> Lexicon {
        Lexicon { words, tags }
    }

    /// The tags a word may have; none means any.
    pub fn tags(&self, word: &str) -> &[u16] {
        self.words.get(word).filter(|entry| entry.count >= FREQUENT).map_or(&[], |entry| &entry.tags)
    }

    /// The spines a word with this tag may have: those of the word, and the most frequent of the tag.
    pub fn spines(&self, word: &str, tag: TagId, most: usize) -> Vec<SpineId> {
        let mut spines: Vec<u16> = self.words.get(word).map_or_else(Vec::new, |entry| entry.spines.clone());
        let of_tag = self.tags.get(tag.index()).map_or(&[][..], |entry| &entry.spines);
        spines.truncate(most);
        for &spine in of_tag {
            if spines.len() >= most {
                break;
            }
            if !spines.contains(&spine) {
                spines.push(spine);
            }
        }
        if spines.is_empty() {
            spines.push(0);
        }
        spines.into_iter().map(SpineId).collect()
    }

    /// The function tags that go with a tag.
    pub fn functions(&self, tag: TagId) -> impl Iterator<Item = FunctionId> + '_ {
        self.tags.get(tag.index()).into_iter().flat_map(|entry| &entry.functions).copied().map(FunctionId)
    }

    /// Whether all ids are below these numbers of tags, spines and function tags.
    pub(crate) fn fits(&self, tags: usize, spines: usize, functions: usize) -> bool {
        let below = |ids: &[u16], end: usize| ids.iter().all(|&id| (id as usize) < end);
        self.words.values().chain(&self.tags).all(|entry| {
            below(&entry.tags, tags) && below(&entry.spines, spines) && below(&entry.functions, functions)
        })
    }
}
