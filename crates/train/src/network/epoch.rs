//! The order of an epoch: which sentences each step learns from.

use tracebank_nn::random::{Random, substream};

/// The order in which examples are seen in one epoch: each as often as its weight says, on average, and in random order. The same seed
/// and epoch give the same order, so that a run can be taken up again in the middle.
pub(super) fn order(weights: &[f64], seed: u64, epoch: u64) -> Vec<usize> {
    let mut random = Random::new(substream(seed, epoch));
    let mut order = Vec::new();
    for (example, &weight) in weights.iter().enumerate() {
        let times = weight.floor() as usize + usize::from(f64::from(random.unit()) < weight.fract());
        order.extend(std::iter::repeat_n(example, times));
    }
    random.shuffle(&mut order);
    order
}

/// Cuts an order into steps of about `words` words.
pub(super) fn steps(order: &[usize], lengths: &[usize], words: usize) -> Vec<Vec<usize>> {
    let mut steps: Vec<Vec<usize>> = Vec::new();
    let mut sum = words;
    for &example in order {
        if sum >= words {
            steps.push(Vec::new());
            sum = 0;
        }
        sum += lengths[example];
        steps.last_mut().expect("the first step begins at once").push(example);
    }
    steps
}

/// Deals the sentences of a step out to shards of about equal work, the longest first.
pub(super) fn shards(step: &[usize], lengths: &[usize], count: usize) -> Vec<Vec<usize>> {
    let mut sorted = step.to_vec();
    sorted.sort_by_key(|&example| (std::cmp::Reverse(lengths[example]), example));
    let mut shards = vec![(0, Vec::new()); count.max(1)];
    for example in sorted {
        let shard = shards.iter_mut().min_by_key(|(words, _)| *words).expect("at least one shard");
        shard.0 += lengths[example];
        shard.1.push(example);
    }
    shards.into_iter().map(|(_, examples)| examples).filter(|examples| !examples.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_seen_as_often_as_it_should() {
        let order = order(&[1.0, 2.0, 0.0], 7, 0);
        assert_eq!(
            (0..3).map(|id| order.iter().filter(|&&seen| seen == id).count()).collect::<Vec<_>>(),
            [1, 2, 0]
        );
        assert_eq!(order, super::order(&[1.0, 2.0, 0.0], 7, 0));
    }

    #[test]
    fn steps_and_shards_lose_nothing() {
        let lengths = [5, 9, 2, 7];
        let steps = steps(&[3, 1, 2, 0], &lengths, 10);
        assert_eq!(steps, [vec![3, 1], vec![2, 0]]);
        let mut dealt = shards(&[0, 1, 2, 3], &lengths, 2).concat();
        dealt.sort_unstable();
        assert_eq!(dealt, [0, 1, 2, 3]);
    }
}
