//! Results: standard output, or a file that appears only when it is complete.

use std::io::{self, BufWriter, StdoutLock, Write};
use std::path::{Path, PathBuf};

use miette::Result;
use tempfile::NamedTempFile;

use crate::failure::{Failure, write_failure};

enum Target {
    Stdout(BufWriter<StdoutLock<'static>>),
    File { unfinished: BufWriter<NamedTempFile>, path: PathBuf },
}

/// A place to write results to.
pub(crate) struct Output(Target);

impl Output {
    /// Standard output, or the file at `path`. It is written under another name until [`Output::finish`].
    pub(crate) fn open(path: Option<&Path>) -> Result<Output> {
        let Some(path) = path.filter(|path| *path != Path::new("-")) else {
            return Ok(Output(Target::Stdout(BufWriter::with_capacity(1 << 16, io::stdout().lock()))));
        };
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let unfinished = NamedTempFile::new_in(folder)
            .map_err(|error| Failure(format!("{}: it cannot be written: {error}", path.display())))?;
        Ok(Output(Target::File { unfinished: BufWriter::new(unfinished), path: path.to_owned() }))
    }

    /// Writes `text`.
    pub(crate) fn write(&mut self, text: &str) -> Result<()> {
        self.write_bytes(text.as_bytes())
    }

    /// Writes `bytes`.
    pub(crate) fn write_bytes(&mut self, bytes: &[u8]) -> Result<()> {
        let written = match &mut self.0 {
            Target::Stdout(out) => out.write_all(bytes),
            Target::File { unfinished, .. } => unfinished.write_all(bytes),
        };
        written.map_err(|error| write_failure(&error))
    }

    /// Everything is written: a file gets its name now.
    pub(crate) fn finish(self) -> Result<()> {
        match self.0 {
            Target::Stdout(mut out) => out.flush().map_err(|error| write_failure(&error)),
            Target::File { unfinished, path } => {
                let file = unfinished.into_inner().map_err(|error| write_failure(error.error()))?;
                let failed =
                    |error: &io::Error| Failure(format!("{}: it cannot be written: {error}", path.display()));
                make_readable(&file).map_err(|error| failed(&error))?;
                file.persist(&path).map_err(|error| failed(&error.error))?;
                Ok(())
            }
        }
    }
}

/// Temporary files are private; the finished one is a file like any other.
#[cfg(unix)]
fn make_readable(file: &NamedTempFile) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.as_file().set_permissions(std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn make_readable(_: &NamedTempFile) -> io::Result<()> {
    Ok(())
}
