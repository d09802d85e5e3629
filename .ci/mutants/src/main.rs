//! Mutants of a few files, tried with tests of the repository.
//!
//!     cargo run --release -- COPY 'ARGUMENTS OF CARGO TEST' FILE…
//!
//! cargo-mutants builds once for each mutant. Here all are compiled together into a copy of the repository, each behind a switch that an
//! environment variable sets, so there are only as many builds as it takes to leave out what does not compile. Each test is run alone first, to
//! see which mutants it reaches; then each mutant is run with those that reach it, the quickest first. `ONLY=7,12` tries these
//! numbers, and `SECONDS_A_TEST=2` takes no test that is slower than that.

mod copy;
mod sites;
mod tests;
mod values;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tests::{Build, End, Test};

type Failure = Box<dyn std::error::Error + Send + Sync>;

const WORKERS: usize = 2;

fn main() -> Result<(), Failure> {
    let mut arguments = std::env::args().skip(1);
    let (copy, cargo) = arguments
        .next()
        .zip(arguments.next())
        .ok_or("the copy and the arguments of cargo test are missing")?;
    let copy = PathBuf::from(copy);
    let cargo: Vec<String> = cargo.split(' ').map(str::to_owned).collect();
    let sources = copy::sources(&arguments.map(PathBuf::from).collect::<Vec<_>>())?;
    let mut dropped = BTreeSet::new();
    let programs = loop {
        copy::write(&copy, &sources, &dropped)?;
        match tests::build(&copy, &cargo)? {
            Build::Done(programs) => break programs,
            Build::Wrong(ids) => dropped.extend(ids),
        }
        eprintln!("{} do not compile", dropped.len());
    };
    let mut tests = Vec::new();
    for program in &programs {
        tests.extend(program.tests()?);
    }
    let most = std::env::var("SECONDS_A_TEST").ok().and_then(|seconds| seconds.parse().ok());
    tests.retain(|test| most.is_none_or(|most| test.time() <= Duration::from_secs(most)));
    tests.sort_by_key(Test::time);
    let only = std::env::var("ONLY").ok();
    let is_asked =
        |id: u32| only.as_ref().is_none_or(|only| only.split(',').any(|other| other == id.to_string()));
    let all = sources.iter().flat_map(|source| source.sites.iter().map(move |site| (source, site)));
    let mutants: Vec<_> = all
        .flat_map(|(source, site)| site.mutants.iter().map(move |mutant| (source, mutant)))
        .filter(|(_, mutant)| !dropped.contains(&mutant.id) && is_asked(mutant.id))
        .collect();
    let (next, counts) = (AtomicUsize::new(0), [const { AtomicUsize::new(0) }; 4]);
    let work = || -> Result<(), Failure> {
        while let Some((source, mutant)) = mutants.get(next.fetch_add(1, Ordering::Relaxed)) {
            let end = fate(mutant.id, &tests)?;
            counts[end as usize].fetch_add(1, Ordering::Relaxed);
            println!("{end:?}\t{}\t{}:{}", mutant.id, source.path.display(), mutant.description);
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..WORKERS).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| worker.join().expect("a worker does not panic"))
    })?;
    let [caught, timed_out, survived, unreached] = counts.map(AtomicUsize::into_inner);
    println!(
        "{} mutants: {} do not compile, {caught} caught, {timed_out} timed out, {survived} survived, {unreached} not reached",
        mutants.len() + dropped.len(),
        dropped.len()
    );
    Ok(())
}

/// What became of a mutant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fate {
    Caught,
    TimedOut,
    Survived,
    /// No test asked for it.
    Unreached,
}

fn fate(id: u32, tests: &[Test<'_>]) -> Result<Fate, Failure> {
    let mut fate = Fate::Unreached;
    for test in tests.iter().filter(|test| test.reaches.contains(&id)) {
        match test.run("MUTANT", &id.to_string())? {
            End::Passed => fate = Fate::Survived,
            End::Failed => return Ok(Fate::Caught),
            End::TimedOut => return Ok(Fate::TimedOut),
        }
    }
    Ok(fate)
}
