//! The checkpoint of a training run: `FILE.checkpoint` beside the model that is to be `FILE`.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use miette::Result;

use crate::beside::{self, Lock, with_ending};
use crate::failure::{Failure, say};
use crate::output::unwritable;

/// A checkpoint, and the lock of the run that writes it.
pub(super) struct Checkpoint {
    path: PathBuf,
    _lock: Option<Lock>,
}

impl Checkpoint {
    /// The checkpoint of the run that writes `model`, to be read only.
    pub(super) fn of(model: &Path) -> Checkpoint {
        Checkpoint { path: with_ending(model, ".checkpoint"), _lock: None }
    }

    /// The checkpoint of the run itself, which no other may disturb. One that is left from another run is an error unless `may_be` says that
    /// it is known.
    pub(super) fn claim(model: &Path, may_be: bool) -> Result<Checkpoint> {
        let Checkpoint { path, .. } = Checkpoint::of(model);
        beside::check(&path).map_err(|error| unwritable(&path, &error))?;
        let lock = Lock::of(&path)?;
        if !may_be && path.exists() {
            let hint = "--resume continues it, --force begins again";
            return Err(Failure(format!("{} is left from an earlier run: {hint}", path.display())).into());
        }
        Ok(Checkpoint { path, _lock: Some(lock) })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Its bytes, if it is there.
    pub(super) fn read(&self) -> io::Result<Option<Vec<u8>>> {
        match beside::read(&self.path, u64::MAX) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            other => other.map(Some),
        }
    }

    /// Saves it. One that cannot be saved is told, and does not end the run.
    pub(super) fn save(&self, bytes: &[u8]) {
        if let Err(error) = beside::write(&self.path, bytes) {
            say(&format!("the checkpoint was not saved: {error}"));
        }
    }

    /// Removes it: it has served its purpose, and does no harm if it stays.
    pub(super) fn remove(&self) {
        let _ = fs::remove_file(&self.path);
    }
}
