//! A ranking: the best so many of all that is offered.

/// The best `size` things that were offered, best first. Of those with the same score the first stays first.
#[derive(Clone, Debug)]
pub(super) struct Ranking<T> {
    size: usize,
    ranked: Vec<(f32, T)>,
}

impl<T> Ranking<T> {
    pub(super) fn new(size: usize) -> Ranking<T> {
        Ranking { size, ranked: Vec::new() }
    }

    /// The score that a newcomer must beat.
    pub(super) fn floor(&self) -> f32 {
        match self.ranked.last() {
            Some((score, _)) if self.ranked.len() >= self.size => *score,
            _ => f32::NEG_INFINITY,
        }
    }

    /// Takes something in if it is good enough.
    pub(super) fn offer(&mut self, score: f32, thing: impl FnOnce() -> T) {
        if score > self.floor() {
            let place = self.ranked.partition_point(|(other, _)| *other >= score);
            self.ranked.insert(place, (score, thing()));
            self.ranked.truncate(self.size);
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.ranked.is_empty()
    }

    pub(super) fn into_vec(self) -> Vec<(f32, T)> {
        self.ranked
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_stay_in_their_order() {
        let mut ranking = Ranking::new(2);
        assert!(ranking.floor().is_infinite());
        for (score, name) in [(1.0, 'a'), (3.0, 'b'), (3.0, 'c'), (2.0, 'd'), (3.0, 'e')] {
            ranking.offer(score, || name);
        }
        assert!((ranking.floor() - 3.0).abs() < 1e-6);
        assert_eq!(ranking.into_vec(), [(3.0, 'b'), (3.0, 'c')]);
    }

    #[test]
    fn what_is_out_of_the_question_is_not_ranked() {
        let mut ranking = Ranking::new(2);
        ranking.offer(f32::NEG_INFINITY, || 'a');
        assert!(ranking.is_empty());
        ranking.offer(-1e9, || 'b');
        assert!(!ranking.is_empty());
        assert_eq!(ranking.into_vec(), [(-1e9, 'b')]);
    }
}
