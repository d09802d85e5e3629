//! Factoring: a rule table as a short sum of products.
//!
//! A combination of two items is a table that says, for each class on the left and each class on the right, what class
//! they make. Most of its rows and columns are alike. It is cut, output by output, into rectangles: all classes of a set
//! on the left go with all classes of a set on the right. The inner loop then adds up the sets once for each cell and
//! multiplies once for each rectangle. The rectangles of one output do not overlap, so sums stay exact.

use std::collections::{BTreeMap, BTreeSet, HashMap};

/// One product: a set on the left times a set on the right goes to an output.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Rectangle<L, R> {
    /// The output.
    pub output: u16,
    /// The set on the left.
    pub left: Vec<L>,
    /// The set on the right.
    pub right: Vec<R>,
}

/// Cuts a table, given as its entries (left, right, output), into rectangles.
pub fn factor<L, R>(entries: &BTreeSet<(L, R, u16)>) -> Vec<Rectangle<L, R>>
where
    L: Clone + Ord + std::hash::Hash,
    R: Clone + Ord + std::hash::Hash,
{
    let (rows, row_members) = group(entries.iter().map(|(l, r, o)| (l, (r, *o))));
    let (columns, column_members) = group(entries.iter().map(|(l, r, o)| (r, (l, *o))));
    let mut by_output: BTreeMap<u16, BTreeSet<(usize, usize)>> = BTreeMap::new();
    for (left, right, output) in entries {
        by_output.entry(*output).or_default().insert((rows[left], columns[right]));
    }
    let mut rectangles = Vec::new();
    for (output, cells) in by_output {
        for (left, right) in cover(&cells, row_members.len(), column_members.len()) {
            rectangles.push(Rectangle {
                output,
                left: members(&left, &row_members),
                right: members(&right, &column_members),
            });
        }
    }
    rectangles
}

/// Groups the keys whose entries are the same.
fn group<'k, K, E>(entries: impl Iterator<Item = (&'k K, E)>) -> (HashMap<&'k K, usize>, Vec<Vec<K>>)
where
    K: Clone + Ord + std::hash::Hash + 'k,
    E: Ord,
{
    let mut rows: BTreeMap<&K, Vec<E>> = BTreeMap::new();
    for (key, entry) in entries {
        rows.entry(key).or_default().push(entry);
    }
    let (mut number, mut members): (HashMap<&K, usize>, Vec<Vec<K>>) = Default::default();
    let mut alike: BTreeMap<Vec<E>, usize> = BTreeMap::new();
    for (key, mut row) in rows {
        row.sort_unstable();
        let index = *alike.entry(row).or_insert_with(|| {
            members.push(Vec::new());
            members.len() - 1
        });
        members[index].push(key.clone());
        number.insert(key, index);
    }
    (number, members)
}

fn members<K: Clone + Ord>(groups: &[usize], members: &[Vec<K>]) -> Vec<K> {
    let mut all: Vec<K> = groups.iter().flat_map(|&group| members[group].iter().cloned()).collect();
    all.sort_unstable();
    all
}

/// Greedily, the largest rectangle first: of those spanned by one row, or by one column, of what is left.
fn cover(cells: &BTreeSet<(usize, usize)>, rows: usize, columns: usize) -> Vec<(Vec<usize>, Vec<usize>)> {
    let mut left = vec![vec![false; columns]; rows];
    let mut remaining = cells.len();
    for &(row, column) in cells {
        left[row][column] = true;
    }
    let mut found = Vec::new();
    while remaining > 0 {
        let mut best: (usize, Vec<usize>, Vec<usize>) = (0, vec![], vec![]);
        for row in 0..rows {
            let across: Vec<usize> = (0..columns).filter(|&c| left[row][c]).collect();
            if !across.is_empty() {
                let down: Vec<usize> = (0..rows).filter(|&r| across.iter().all(|&c| left[r][c])).collect();
                if down.len() * across.len() > best.0 {
                    best = (down.len() * across.len(), down, across);
                }
            }
        }
        for column in 0..columns {
            let down: Vec<usize> = (0..rows).filter(|&r| left[r][column]).collect();
            if !down.is_empty() {
                let across: Vec<usize> = (0..columns).filter(|&c| down.iter().all(|&r| left[r][c])).collect();
                if down.len() * across.len() > best.0 {
                    best = (down.len() * across.len(), down, across);
                }
            }
        }
        let (size, down, across) = best;
        for &row in &down {
            for &column in &across {
                left[row][column] = false;
            }
        }
        remaining -= size;
        found.push((down, across));
    }
    found
}
