//! Sparse bilinear maps: `target[t] ⊕= left[l] ⊗ right[r]` for a list of (t, l, r).

#[cfg(all(feature = "jit", target_arch = "x86_64"))]
use crate::native::Native;

/// A list of products, grouped by what they are added to.
#[derive(Debug, Default)]
pub struct Terms {
    /// Each target with the number of its products, which follow each other in `pairs`.
    groups: Vec<(u16, u16)>,
    /// Where the products of each target start, whether it has any or not, up to the last; then where they end.
    starts: Vec<u32>,
    pairs: Vec<(u16, u16)>,
    /// The largest target, left and right that occur.
    last: (usize, usize, usize),
    /// The products as machine code, once they have been applied.
    #[cfg(all(feature = "jit", target_arch = "x86_64"))]
    pub(crate) native: Native,
}

impl Terms {
    fn new(mut triples: Vec<(u16, u16, u16)>) -> Self {
        triples.sort_unstable();
        let largest = |of: fn(&(u16, u16, u16)) -> u16| triples.iter().map(of).max().unwrap_or(0) as usize;
        let last = (largest(|t| t.0), largest(|t| t.1), largest(|t| t.2));
        let groups = triples.chunk_by(|a, b| a.0 == b.0);
        Self {
            groups: groups.map(|group| (group[0].0, group.len() as u16)).collect(),
            starts: (0..last.0 + 2)
                .map(|target| triples.partition_point(|triple| (triple.0 as usize) < target) as u32)
                .collect(),
            pairs: triples.iter().map(|&(_, left, right)| (left, right)).collect(),
            last,
            #[cfg(all(feature = "jit", target_arch = "x86_64"))]
            native: Native::default(),
        }
    }

    /// Each target with its products.
    #[inline(always)]
    pub fn groups(&self) -> impl Iterator<Item = (usize, &[(u16, u16)])> {
        let mut rest = self.pairs.as_slice();
        self.groups.iter().map(move |&(target, count)| {
            let (pairs, after) = rest.split_at(count as usize);
            rest = after;
            (target as usize, pairs)
        })
    }

    /// The products that go to one target.
    pub fn of(&self, target: usize) -> &[(u16, u16)] {
        match self.starts[target.min(self.starts.len())..] {
            [start, end, ..] => &self.pairs[start as usize..end as usize],
            _ => &[],
        }
    }

    /// The largest target, left and right that occur.
    pub fn last(&self) -> (usize, usize, usize) {
        self.last
    }

    /// The number of products.
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Is there no product?
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }
}

/// A bilinear map and its two transposes, which carry outside values back to the left and to the right factor.
#[derive(Debug, Default)]
pub struct Bilinear {
    /// `target ⊕= left ⊗ right`.
    pub forward: Terms,
    /// `left ⊕= target ⊗ right`.
    pub to_left: Terms,
    /// `right ⊕= target ⊗ left`.
    pub to_right: Terms,
}

impl Bilinear {
    /// From its products (target, left, right).
    pub fn new(triples: Vec<(u16, u16, u16)>) -> Self {
        Self {
            to_left: Terms::new(triples.iter().map(|&(t, l, r)| (l, t, r)).collect()),
            to_right: Terms::new(triples.iter().map(|&(t, l, r)| (r, t, l)).collect()),
            forward: Terms::new(triples),
        }
    }
}
