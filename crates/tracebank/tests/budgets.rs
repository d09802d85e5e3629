//! Budgets of a sentence, where they bind: with an allocator that counts.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

use tracebank::{Options, Outcome, Parse, Parser};

/// The bytes that are in use, and the most that were.
static USED: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

struct Counting;

// Safety: the system's allocator does the work.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let used = USED.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        MOST.fetch_max(used, Ordering::Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        USED.fetch_sub(layout.size(), Ordering::Relaxed);
        unsafe { System.dealloc(place, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const TEXT: &str = "the man who she said they wanted to see in the city had bought a book that nobody knew where to find , and";

fn words(count: usize) -> Vec<&'static str> {
    TEXT.split(' ').cycle().take(count).collect()
}

/// A parse, and the bytes that it took at most beside what was there.
fn parsed(parser: &Parser, count: usize) -> (Parse, usize) {
    let before = USED.load(Ordering::Relaxed);
    MOST.store(before, Ordering::Relaxed);
    let parse = parser.parse_tokens(&words(count));
    (parse, MOST.load(Ordering::Relaxed) - before)
}

/// Bytes for each word beside the budget.
const BESIDE: usize = 64_000;

/// One test, for there is one allocator.
#[test]
fn a_sentence_keeps_to_its_budget_of_memory() {
    for parser in [Parser::fast().unwrap(), Parser::embedded().unwrap()] {
        let with = |bytes| {
            parser
                .with_options(Options { bytes: Some(bytes), max_words: 100_000, ..Options::default() })
                .unwrap()
        };
        // The first parse makes tables that stay.
        parser.parse_tokens(&words(10));
        let free = parser.parse_tokens(&words(20));
        assert_eq!(
            with(1 << 24).parse_tokens(&words(20)).tree,
            free.tree,
            "a budget that does not bind changes nothing"
        );

        for (bytes, count) in [(1 << 20, 50), (8 << 20, 150), (32 << 20, 300)] {
            let (parse, most) = parsed(&with(bytes), count);
            assert_eq!(parse.outcome, Outcome::Approximate, "{count} words in {bytes} bytes");
            assert!(parse.tree.words().eq(words(count)));
            assert!(most <= bytes + count * BESIDE, "{count} words took {most} of {bytes} bytes");
        }
        for (bytes, count) in [(1 << 20, 500), (64 << 20, 20_000)] {
            let (parse, most) = parsed(&with(bytes), count);
            assert_eq!(parse.outcome, Outcome::TooLong, "{count} words in {bytes} bytes");
            assert!(most <= 2000 * count, "a flat tree of {count} words took {most} bytes");
        }
    }
}
