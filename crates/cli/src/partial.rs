//! Answers: standard output, or a file that is called `FILE.part` until it is complete and can be continued if it never was.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, BufWriter, Seek, SeekFrom, StdoutLock, Write};
use std::path::{Path, PathBuf};

use miette::Result;

use crate::failure::{Failure, write_failure};

enum Target {
    Stdout(BufWriter<StdoutLock<'static>>),
    File { file: BufWriter<File>, part: PathBuf, path: PathBuf },
}

/// A place for answers.
pub(crate) struct Answers(Target);

/// The state of a place for answers when it is opened.
pub(crate) enum Opened {
    /// Answers can be written; so many are there already.
    Ready(Answers, usize),
    /// The file is complete.
    Complete,
}

impl Answers {
    /// Standard output, or the file at `path`. With `resume`, which is what stands behind each answer, an unfinished file is continued.
    pub(crate) fn open(path: Option<&Path>, resume: Option<&str>) -> Result<Opened> {
        let Some(path) = path else {
            let stdout = BufWriter::with_capacity(1 << 16, io::stdout().lock());
            return Ok(Opened::Ready(Answers(Target::Stdout(stdout)), 0));
        };
        let mut name = path.as_os_str().to_owned();
        name.push(".part");
        let part = PathBuf::from(name);
        let failed =
            |error: &io::Error| Failure(format!("{}: it cannot be written: {error}", part.display()));
        let (mut file, done) = match resume {
            Some(terminator) if part.exists() => {
                let mut file =
                    OpenOptions::new().read(true).write(true).open(&part).map_err(|error| failed(&error))?;
                let (done, length) = complete_answers(&file, terminator).map_err(|error| failed(&error))?;
                file.set_len(length).map_err(|error| failed(&error))?;
                file.seek(SeekFrom::End(0)).map_err(|error| failed(&error))?;
                (file, done)
            }
            Some(_) if path.exists() => return Ok(Opened::Complete),
            None if part.exists() => {
                let part = part.display();
                let hint = format!(
                    "{part} is left from an earlier run: --resume continues it; delete it to begin again"
                );
                return Err(Failure(hint).into());
            }
            _ => (File::create_new(&part).map_err(|error| failed(&error))?, 0),
        };
        file.flush().map_err(|error| failed(&error))?;
        let target =
            Target::File { file: BufWriter::with_capacity(1 << 16, file), part, path: path.to_owned() };
        Ok(Opened::Ready(Answers(target), done))
    }

    /// Writes `text`.
    pub(crate) fn write(&mut self, text: &str) -> Result<()> {
        self.writer().write_all(text.as_bytes()).map_err(|error| write_failure(&error))
    }

    /// Nothing that was written is held back any longer.
    pub(crate) fn flush(&mut self) -> Result<()> {
        self.writer().flush().map_err(|error| write_failure(&error))
    }

    /// Everything is written: a file gets its name now.
    pub(crate) fn finish(mut self) -> Result<()> {
        self.flush()?;
        if let Target::File { part, path, .. } = &self.0 {
            std::fs::rename(part, path)
                .map_err(|error| Failure(format!("{}: it cannot be written: {error}", path.display())))?;
        }
        Ok(())
    }

    fn writer(&mut self) -> &mut dyn Write {
        match &mut self.0 {
            Target::Stdout(out) => out,
            Target::File { file, .. } => file,
        }
    }
}

/// The number of complete answers, and their bytes.
fn complete_answers(file: &File, terminator: &str) -> io::Result<(usize, u64)> {
    let mut reader = BufReader::new(file);
    let mut line = Vec::new();
    let (mut answers, mut complete, mut position) = (0, 0, 0);
    // the terminator is a line's end or an empty line
    let ends_answer = |line: &[u8]| if terminator == "\n" { line.ends_with(b"\n") } else { line == b"\n" };
    while reader.read_until(b'\n', &mut line)? > 0 {
        position += line.len() as u64;
        if ends_answer(&line) {
            answers += 1;
            complete = position;
        }
        line.clear();
    }
    Ok((answers, complete))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resume(path: &Path, terminator: &str) -> (Answers, usize) {
        match Answers::open(Some(path), Some(terminator)).unwrap() {
            Opened::Ready(answers, done) => (answers, done),
            Opened::Complete => panic!("it is not complete"),
        }
    }

    #[test]
    fn an_unfinished_file_is_continued_behind_its_last_complete_answer() {
        for (terminator, left, done) in
            [("\n", "(a)\n(b)\n(c", 2), ("\n\n", "a\na\n\nb\n\nc\n", 2), ("\n", "", 0), ("\n", "\n\n", 2)]
        {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("out");
            let part = folder.path().join("out.part");
            std::fs::write(&part, left).unwrap();
            assert!(Answers::open(Some(&path), None).is_err(), "nobody's work is thrown away");
            let (mut answers, found) = resume(&path, terminator);
            assert_eq!(found, done);
            answers.write("new").unwrap();
            answers.finish().unwrap();
            let complete: String = left.split_inclusive(terminator).take(done).collect();
            assert_eq!(std::fs::read_to_string(&path).unwrap(), complete + "new");
            assert!(!part.exists());
            assert!(matches!(Answers::open(Some(&path), Some("\n")).unwrap(), Opened::Complete));
        }
    }
}
