//! Files that are being written, and appear only when they are complete.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use tempfile::{Builder, NamedTempFile};

use crate::fault;
use crate::output::folder_of;

/// The beginning of names that last a moment.
const PREFIX: &str = ".tracebank-";

/// A file that is being written.
pub(crate) enum Unfinished {
    /// One without a name: whatever ends the program, nothing is left of it.
    Unnamed(File),
    /// One with a name of its own, where the system has no others.
    Named(NamedTempFile),
}

impl Unfinished {
    /// A new file in the folder of `path`. It has the permissions of the one it will replace, or those of any new file.
    pub(crate) fn beside(path: &Path) -> io::Result<Unfinished> {
        fault::point()?;
        let file = match unnamed(folder_of(path)) {
            Some(file) => Unfinished::Unnamed(file),
            None => Unfinished::Named(builder().tempfile_in(folder_of(path))?),
        };
        if let Ok(metadata) = fs::metadata(path) {
            file.as_file().set_permissions(metadata.permissions())?;
        }
        Ok(file)
    }

    /// The file itself.
    pub(crate) fn as_file(&self) -> &File {
        match self {
            Unfinished::Unnamed(file) => file,
            Unfinished::Named(file) => file.as_file(),
        }
    }

    /// Gives it its name, in place of whatever has it.
    pub(crate) fn persist(self, path: &Path) -> io::Result<()> {
        match self {
            // A link does not replace a file, so it gets another name first.
            Unfinished::Unnamed(file) => {
                let linked = builder().make_in(folder_of(path), |name| link(&file, name))?;
                linked.persist(path)?;
            }
            Unfinished::Named(file) => {
                file.persist(path)?;
            }
        }
        Ok(())
    }
}

fn builder() -> Builder<'static, 'static> {
    let mut builder = Builder::new();
    builder.prefix(PREFIX);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder
}

/// A file without a name, where the system and the file system have such files and a way to name them.
#[cfg(target_os = "linux")]
fn unnamed(folder: &Path) -> Option<File> {
    use std::os::unix::fs::OpenOptionsExt as _;
    let mut options = File::options();
    options.write(true).mode(0o666).custom_flags(libc::O_TMPFILE);
    options.open(folder).ok().filter(|file| fs::symlink_metadata(handle(file)).is_ok())
}

#[cfg(not(target_os = "linux"))]
fn unnamed(_: &Path) -> Option<File> {
    None
}

/// The name by which the system knows an open file.
#[cfg(target_os = "linux")]
fn handle(file: &File) -> String {
    use std::os::fd::AsRawFd as _;
    format!("/proc/self/fd/{}", file.as_raw_fd())
}

/// Gives a file without a name one.
#[cfg(target_os = "linux")]
fn link(file: &File, name: &Path) -> io::Result<()> {
    use rustix::fs::{AtFlags, CWD, linkat};
    Ok(linkat(CWD, handle(file), CWD, name, AtFlags::SYMLINK_FOLLOW)?)
}

#[cfg(not(target_os = "linux"))]
fn link(_: &File, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    /// With either kind of file; one without a name cannot be left behind, whatever ends the program.
    #[test]
    fn a_file_appears_when_it_is_complete() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        let entries = || fs::read_dir(folder.path()).unwrap().count();
        for (text, before) in [("new", 0), ("newer", 1)] {
            let named = Unfinished::Named(builder().tempfile_in(folder.path()).unwrap());
            named.as_file().write_all(b"named").unwrap();
            let file = Unfinished::beside(&path).unwrap();
            file.as_file().write_all(text.as_bytes()).unwrap();
            let is_named = matches!(file, Unfinished::Named(_));
            assert_eq!(entries(), before + 1 + usize::from(is_named));
            named.persist(&path).unwrap();
            assert_eq!(fs::read(&path).unwrap(), b"named");
            file.persist(&path).unwrap();
            assert_eq!((fs::read_to_string(&path).unwrap().as_str(), entries()), (text, 1));
        }
    }
}
