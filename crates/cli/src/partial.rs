//! Answers: standard output, or a file that is called `FILE.part` until it is complete and can be continued if it never was.
//!
//! Beside `FILE.part` stands `FILE.part.json`, the record of the run: everything that decides the bytes of the output, how far the answers
//! have come, and a hash of the inputs that they answer. A run continues another only if all of that is the same. A lock on the part file
//! keeps a second writer out.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use miette::Result;

use crate::beside::{self, with_ending};
use crate::failure::{Failure, write_failure};
use crate::fault::{self, Fallible};
use crate::output::{Output, OutputArguments, Place, is_gzip, sync_folder, unwritable};
use crate::record::{Fingerprint, MOST_BYTES, Record};

/// Progress of a run: the inputs that are answered, and their hash.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Progress {
    pub(crate) answered: usize,
    pub(crate) inputs: String,
}

enum Target {
    Through(Output),
    File(PartFile),
}

struct PartFile {
    file: BufWriter<Fallible<File>>,
    part: PathBuf,
    path: PathBuf,
    /// Whether the file is gzip in the end: the name decides that was given, not that of the file which a link leads to.
    is_gzip: bool,
    record: Record,
}

/// A place for answers.
pub(crate) struct Answers(Target);

impl Answers {
    /// Opens the place that the arguments name, and tells how many answers are there already. With `resume`, an unfinished file of a run with
    /// the same fingerprint is continued; there is nothing to open if the file is complete.
    pub(crate) fn open(
        arguments: &OutputArguments,
        resume: bool,
        fingerprint: Fingerprint,
    ) -> Result<Option<(Answers, Progress)>> {
        let new = |target| Ok(Some((Answers(target), Progress::default())));
        let Some(name) = arguments.path() else { return new(Target::Through(Output::stdout())) };
        let path = match Place::of(name, true)? {
            Place::File(path) => path,
            Place::Device(_) if resume => {
                return Err(Failure(format!("{}: only a file can be continued", name.display())).into());
            }
            Place::Device(_) => return new(Target::Through(Output::file(name, true)?)),
        };
        let part = with_ending(&path, ".part");
        let is_begun = fs::symlink_metadata(&part).is_ok();
        match (resume, is_begun) {
            (true, true) => return PartFile::resume(path, part, is_gzip(name), &fingerprint).map(Some),
            (true, false) if path.exists() => return Ok(None),
            (false, true) if !arguments.force => {
                // Whoever is writing it now is told first.
                open_part(&part, false)?;
                let (part, hint) = (part.display(), "--resume continues it, --force begins again");
                return Err(Failure(format!("{part} is left from an earlier run: {hint}")).into());
            }
            _ => {}
        }
        Place::of(name, arguments.force)?;
        new(Target::File(PartFile::create(path, part, is_gzip(name), fingerprint)?))
    }

    /// Writes `text`.
    pub(crate) fn write(&mut self, text: &str) -> Result<()> {
        match &mut self.0 {
            Target::Through(output) => output.write(text),
            Target::File(part) => {
                part.file.write_all(text.as_bytes()).map_err(|error| write_failure(&error))?;
                // not before it is written: a record of bytes that are not there could not be continued
                part.record.bytes += text.len() as u64;
                Ok(())
            }
        }
    }

    /// Holds nothing back any longer, and records how far the answers have come.
    pub(crate) fn flush(&mut self, progress: impl FnOnce() -> Progress) -> Result<()> {
        match &mut self.0 {
            Target::Through(output) => output.writer().flush().map_err(|error| write_failure(&error)),
            Target::File(part) => part.flush(progress()),
        }
    }

    /// Everything is written: a file gets its name now.
    pub(crate) fn finish(self) -> Result<()> {
        match self.0 {
            Target::Through(output) => output.finish(),
            Target::File(part) => part.finish(),
        }
    }
}

impl PartFile {
    fn create(path: PathBuf, part: PathBuf, is_gzip: bool, fingerprint: Fingerprint) -> Result<PartFile> {
        let file = open_part(&part, true)?;
        // It may be one that --force begins again.
        let emptied = fault::point().and_then(|()| file.set_len(0));
        emptied.map_err(|error| unwritable(&part, &error))?;
        let process = std::process::id();
        let record = Record { fingerprint, answered: 0, bytes: 0, inputs: String::new(), process };
        let file = BufWriter::with_capacity(1 << 16, Fallible::new(file));
        let mut file = PartFile { file, part, path, is_gzip, record };
        file.flush(Progress::default())?;
        Ok(file)
    }

    fn resume(
        path: PathBuf,
        part: PathBuf,
        is_gzip: bool,
        fingerprint: &Fingerprint,
    ) -> Result<(Answers, Progress)> {
        let mut file = open_part(&part, false)?;
        let stored = record_of(&part);
        let unknown = |reason: &dyn std::fmt::Display| {
            let stored = stored.display();
            Failure(format!(
                "{stored}: it is not known what was answered so far ({reason}); --force begins again"
            ))
        };
        let record = read_record(&stored).map_err(|error| unknown(&error))?;
        let length = file.metadata().map_err(|error| unwritable(&part, &error))?.len();
        let reason = |reason| Failure(format!("{}: {reason}", part.display()));
        record.check(fingerprint, length).map_err(reason)?;
        // Answers behind the record were under way when the run ended.
        let cut = fault::point()
            .and_then(|()| file.set_len(record.bytes))
            .and_then(|()| file.seek(SeekFrom::End(0)));
        cut.map_err(|error| unwritable(&part, &error))?;
        let record = Record { process: std::process::id(), ..record };
        let progress = Progress { answered: record.answered, inputs: record.inputs.clone() };
        let file = BufWriter::with_capacity(1 << 16, Fallible::new(file));
        let mut file = PartFile { file, part, path, is_gzip, record };
        file.flush(progress.clone())?;
        Ok((Answers(Target::File(file)), progress))
    }

    /// Writes the answers out, and then the record that tells of them.
    fn flush(&mut self, progress: Progress) -> Result<()> {
        self.file
            .flush()
            .and_then(|()| fault::point())
            .and_then(|()| self.file.get_ref().inner.sync_data())
            .map_err(|error| write_failure(&error))?;
        (self.record.answered, self.record.inputs) = (progress.answered, progress.inputs);
        beside::write(&record_of(&self.part), self.record.to_text().as_bytes())
    }

    fn finish(mut self) -> Result<()> {
        self.file.flush().map_err(|error| write_failure(&error))?;
        if self.is_gzip {
            let mut packed = Output::at(Place::File(self.path.clone()), true)?;
            let plain = fault::point().and_then(|()| File::open(&self.part));
            let mut plain = plain.map_err(|error| unwritable(&self.part, &error))?;
            io::copy(&mut plain, packed.writer()).map_err(|error| write_failure(&error))?;
            packed.finish()?;
            let removed = fault::point().and_then(|()| fs::remove_file(&self.part));
            removed.map_err(|error| unwritable(&self.part, &error))?;
        } else {
            let synced = fault::point().and_then(|()| self.file.get_ref().inner.sync_all());
            let named =
                synced.and_then(|()| fault::point()).and_then(|()| fs::rename(&self.part, &self.path));
            named.and_then(|()| sync_folder(&self.path)).map_err(|error| unwritable(&self.path, &error))?;
        }
        // The record is of no use any more, and does no harm if it stays.
        let _ = fs::remove_file(record_of(&self.part));
        Ok(())
    }
}

fn record_of(part: &Path) -> PathBuf {
    with_ending(part, ".json")
}

fn read_record(path: &Path) -> Result<Record, String> {
    Record::parse(&beside::read(path, MOST_BYTES).map_err(|error| error.to_string())?)
}

/// Opens a part file, and keeps others out of it.
fn open_part(part: &Path, create: bool) -> Result<File> {
    let opened = beside::open(part, OpenOptions::new().read(true).write(true).create(create).truncate(false));
    let file = opened.map_err(|error| unwritable(part, &error))?;
    let who = || match read_record(&record_of(part)) {
        Ok(record) => format!("process {}", record.process),
        Err(_) => "another process".to_owned(),
    };
    beside::lock(&file, part, who)?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fingerprint(model: &str) -> Fingerprint {
        Fingerprint::from([("model".to_owned(), model.to_owned())])
    }

    fn arguments(path: &Path, force: bool) -> OutputArguments {
        OutputArguments { out: Some(path.to_owned()), force }
    }

    fn open(path: &Path, resume: bool) -> Result<(Answers, Progress)> {
        let opened = Answers::open(&arguments(path, false), resume, fingerprint("a"))?;
        Ok(opened.ok_or_else(|| Failure("complete".to_owned()))?)
    }

    fn message<T>(result: Result<T>) -> String {
        result.err().expect("it must fail").to_string()
    }

    #[test]
    fn an_unfinished_file_is_continued_behind_its_last_recorded_answer() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        let (mut answers, progress) = open(&path, false).unwrap();
        assert_eq!(progress, Progress::default());
        answers.write("one\n").unwrap();
        let recorded = Progress { answered: 1, inputs: "hash".to_owned() };
        answers.flush(|| recorded.clone()).unwrap();
        answers.write("two, which is cut o").unwrap();
        for resume in [true, false] {
            let told = message(open(&path, resume));
            assert!(told.contains("is writing it"), "a second writer is kept out, and told why: {told}");
        }
        drop(answers);
        assert!(
            message(open(&path, false)).contains("--resume continues it"),
            "nobody's work is thrown away"
        );
        let other = Answers::open(&arguments(&path, false), true, fingerprint("b"));
        assert!(message(other).contains("model was a, and is b"));
        let (mut answers, progress) = open(&path, true).unwrap();
        assert_eq!(progress, recorded);
        answers.write("two\n").unwrap();
        answers.finish().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "one\ntwo\n");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else is left");
        assert_eq!(message(open(&path, true)), "complete");
        assert!(message(open(&path, false)).contains("--force overwrites it"));
    }

    /// Answers to be: several a block, and one longer than the buffer.
    fn all_answers() -> Vec<String> {
        (0..12).map(|number| format!("{number} {}\n", "x".repeat(number * number * 1000))).collect()
    }

    /// A run as `parse` makes it: a record after every few answers, and after what ends it early.
    fn run(path: &Path, resume: bool) -> Result<()> {
        let Some((mut answers, done)) = Answers::open(&arguments(path, false), resume, fingerprint("a"))?
        else {
            return Ok(());
        };
        let mut progress = done;
        for answer in all_answers().iter().skip(progress.answered) {
            let written = answers.write(answer);
            if let Err(error) = written {
                answers.flush(|| progress.clone())?;
                return Err(error);
            }
            progress.answered += 1;
            if progress.answered.is_multiple_of(3) {
                answers.flush(|| progress.clone())?;
            }
        }
        answers.finish()
    }

    /// Whichever call fails, what was recorded is not lost, and the next run ends with the file that a run without faults makes.
    #[test]
    fn a_run_can_be_continued_whatever_failed() {
        use crate::fault::testing::{Plan, with};
        let whole = all_answers().concat();
        for name in ["out", "out.gz"] {
            let read = |path: &Path| {
                use io::Read as _;
                let mut text = String::new();
                let file = File::open(path).unwrap();
                let mut reader: Box<dyn io::Read> =
                    if is_gzip(path) { Box::new(flate2::read::GzDecoder::new(file)) } else { Box::new(file) };
                reader.read_to_string(&mut text).unwrap();
                text
            };
            let mut faults = 0;
            for plan in (0..).flat_map(|call| [Plan::Once(call), Plan::From(call)]) {
                let folder = tempfile::tempdir().unwrap();
                let path = folder.path().join(name);
                let (result, hit) = with(plan, || run(&path, false));
                if path.exists() {
                    assert!(read(&path) == whole, "{name} {plan:?}: what has the name is not complete");
                }
                if !hit {
                    result.unwrap();
                    break;
                }
                faults += 1;
                assert!(result.is_err(), "{name} {plan:?} goes unnoticed");
                let part = with_ending(&path, ".part");
                if part.exists() && !record_of(&part).exists() {
                    // nothing is answered before there is a record
                    assert_eq!(fs::metadata(&part).unwrap().len(), 0, "{name} {plan:?}");
                    fs::remove_file(&part).unwrap();
                }
                run(&path, true).unwrap_or_else(|error| panic!("{name} {plan:?}: {error}"));
                assert!(read(&path) == whole, "{name} {plan:?}: the continued file is another");
            }
            assert!(faults > 40, "{faults}");
        }
    }

    #[test]
    fn a_part_file_without_its_record_is_not_continued() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        fs::write(with_ending(&path, ".part"), "one\n").unwrap();
        assert!(message(open(&path, true)).contains("not known what was answered"));
        let begun = Answers::open(&arguments(&path, true), false, fingerprint("a")).unwrap();
        begun.unwrap().0.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"");
    }

    #[cfg(unix)]
    #[test]
    fn links_lead_to_their_target_and_part_files_are_never_links() {
        let folder = tempfile::tempdir().unwrap();
        let [path, target] = ["out", "target"].map(|name| folder.path().join(name));
        std::os::unix::fs::symlink("target", &path).unwrap();
        open(&path, false).unwrap().0.finish().unwrap();
        assert!(target.is_file() && fs::symlink_metadata(&path).unwrap().is_symlink());
        std::os::unix::fs::symlink("elsewhere", folder.path().join("new.part")).unwrap();
        let forced = Answers::open(&arguments(&folder.path().join("new"), true), false, fingerprint("a"));
        assert!(message(forced).contains("symbolic link"));
        assert!(!folder.path().join("elsewhere").exists());
        let [whole, record] = ["whole", "whole.part.json"].map(|name| folder.path().join(name));
        std::os::unix::fs::symlink("elsewhere", &record).unwrap();
        assert!(message(open(&whole, false)).contains("symbolic link"));
        assert!(!folder.path().join("elsewhere").exists(), "nor are their records");
    }

    /// The name that was given decides, as in all other commands.
    #[cfg(unix)]
    #[test]
    fn a_link_is_packed_by_its_own_name() {
        let folder = tempfile::tempdir().unwrap();
        for (link, target, is_packed) in [("a.gz", "a", true), ("b", "b.gz", false)] {
            let [link, target] = [link, target].map(|name| folder.path().join(name));
            std::os::unix::fs::symlink(&target, &link).unwrap();
            let (mut answers, _) = open(&link, false).unwrap();
            answers.write("one\n").unwrap();
            answers.finish().unwrap();
            assert_eq!(fs::read(&target).unwrap().starts_with(&[0x1f, 0x8b]), is_packed);
        }
    }

    #[test]
    fn a_name_that_ends_in_gz_is_written_as_gzip() {
        use std::io::Read as _;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.gz");
        let (mut answers, _) = open(&path, false).unwrap();
        answers.write("one\n").unwrap();
        answers.finish().unwrap();
        let mut text = String::new();
        flate2::read::GzDecoder::new(File::open(&path).unwrap()).read_to_string(&mut text).unwrap();
        assert_eq!(text, "one\n");
    }
}
