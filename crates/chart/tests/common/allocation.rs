//! A worker owns its memory: once it has seen a sentence, another of that length costs no allocation.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use tracebank_chart::{Class, Grammar, Request, Scores, Worker};

use super::Tested;
use super::common::{Random, scores};

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

/// The system's allocator, with a count for each thread.
struct Counting;

// SAFETY: everything is left to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        // SAFETY: by the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        // SAFETY: by the caller's promise.
        unsafe { System.dealloc(place, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn allocations(work: impl FnOnce()) -> usize {
    let before = ALLOCATIONS.with(Cell::get);
    work();
    ALLOCATIONS.with(Cell::get) - before
}

#[test]
fn a_second_sentence_allocates_nothing() {
    let mut random = Random::new(8);
    for class in
        [Class::PROJECTIVE_TREE, Class::ONE_ENDPOINT_GRAPH, Class::ONE_ENDPOINT_GRAPH.with_structural_tree()]
    {
        let grammar = Grammar::of(class);
        let first = scores(&mut random, &[1, 2, 1, 1, 2, 1, 1, 1, 1], 30);
        let second: Scores = first.map(|score| 0.5 * score - 1.0);
        let mut worker: Worker<Tested> = Worker::default();
        let mut decode = |scores: &Scores| {
            let request = Request::new(scores);
            worker.best_score(&grammar, &request).unwrap();
            worker.log_sum(&grammar, &request).unwrap();
        };
        assert!(allocations(|| decode(&first)) > 0, "{class}: the first sentence must be counted");
        assert_eq!(allocations(|| decode(&second)), 0, "{class}");
    }
}
