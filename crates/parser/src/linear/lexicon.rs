//! What words and tags were seen with: which tags and spines a word may have at all.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::gold::Gold;
use crate::vocabulary::{FunctionId, SpineId, TagId};

/// What was seen with a word or a tag, the most frequent first.
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
    /// What is seen in sentences, with `tags` different tags.
    pub fn learn<'e>(sentences: impl Iterator<Item = (&'e [String], &'e Gold)>, tags: usize) -> Lexicon {
        let mut words: BTreeMap<&str, Counts> = BTreeMap::new();
        let mut by_tag = vec![Counts::default(); tags];
        for (forms, gold) in sentences {
            for (word, form) in forms.iter().enumerate() {
                let tag = gold.tags[word].map(|tag| tag.0);
                let spine = gold.spines[word].map(|spine| spine.0);
                let function = gold.functions[word].map(|function| function.0);
                words.entry(form).or_default().add(tag, spine, function);
                if let Some(tag) = tag {
                    by_tag[tag as usize].add(Some(tag), spine, function);
                }
            }
        }
        Lexicon {
            words: words.into_iter().map(|(word, counts)| (word.to_owned(), counts.entry())).collect(),
            tags: by_tag.into_iter().map(Counts::entry).collect(),
        }
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
    pub(super) fn fits(&self, tags: usize, spines: usize, functions: usize) -> bool {
        let below = |ids: &[u16], end: usize| ids.iter().all(|&id| (id as usize) < end);
        self.words.values().chain(&self.tags).all(|entry| {
            below(&entry.tags, tags) && below(&entry.spines, spines) && below(&entry.functions, functions)
        })
    }
}

#[derive(Clone, Default)]
struct Counts {
    count: u32,
    seen: [BTreeMap<u16, u32>; 3],
}

impl Counts {
    fn add(&mut self, tag: Option<u16>, spine: Option<u16>, function: Option<u16>) {
        self.count += 1;
        for (seen, id) in self.seen.iter_mut().zip([tag, spine, function]) {
            if let Some(id) = id {
                *seen.entry(id).or_default() += 1;
            }
        }
    }

    fn entry(self) -> Entry {
        let ranked = |seen: BTreeMap<u16, u32>| {
            let mut ranked: Vec<(u16, u32)> = seen.into_iter().collect();
            ranked.sort_by_key(|&(id, count)| (std::cmp::Reverse(count), id));
            ranked.into_iter().map(|(id, _)| id).collect()
        };
        let [tags, spines, functions] = self.seen.map(ranked);
        Entry { count: self.count, tags, spines, functions }
    }
}
