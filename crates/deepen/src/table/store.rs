//! A folder of tables: each is built once and then opened.
//!
//! A table is kept in a file named after its definition. It is written under a temporary name in
//! the same folder, and renamed when all of it is on the disk, so that under its own name there is
//! never half a table. Whoever builds a table holds a lock on a file beside it; others wait, and
//! then find it made. The system drops the locks of a killed process, and what it left under a
//! temporary name is written over, or swept away, by the next that gets the lock.
//!
//! A file that is there but can't be used, whatever is wrong with it, is left as it is: it is not
//! for a program to throw away what it does not understand. The table is then built in memory.
//!
//! | name | what |
//! |---|---|
//! | `….table` | a table |
//! | `….lock` | an empty file, locked by whoever builds the table; it stays |
//! | `….part` | a table that is being written |

use std::ffi::OsStr;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use xxhash_rust::xxh3::xxh3_128;

use super::build::BuildError;
use super::entries::Table;
use super::file::{self, Fault, Header, Unusable, VERSION};
use crate::search::CancelToken;

/// A folder of tables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Store {
    folder: PathBuf,
}

/// What went wrong with a stored table.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The file is there but is not the table that it should be.
    #[error("{} {fault}; remove it, and it is made anew when it is needed", .path.display())]
    Unusable {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        fault: Fault,
    },
    /// The file or folder can't be read.
    #[error("can't read {}: {error}", .path.display())]
    Unreadable {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// There is no room for the file.
    #[error(
        "no room for {}: {error}; make room, or keep tables in another folder", .path.display()
    )]
    Full {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// The file or folder can't be written.
    #[error("can't write {}: {error}; tables can be kept in another folder", .path.display())]
    Unwritable {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// Another process is building the table.
    #[error("{} is being built by another process; wait until it is done", .path.display())]
    Busy {
        /// The file.
        path: PathBuf,
    },
}

/// A table, and how it was come by.
#[derive(Debug)]
pub struct Kept {
    /// The table.
    pub table: Table,
    /// Where it comes from.
    pub source: Source,
    /// Why it could not be opened or kept, if so.
    pub warning: Option<StoreError>,
}

/// Where a table comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// It was in the store.
    Opened,
    /// It was built.
    Built,
}

/// A file of a store.
#[derive(Debug)]
pub struct Listed {
    /// Its path.
    pub path: PathBuf,
    /// Its length in bytes.
    pub length: u64,
    /// What its header says. The entries were not checked; see [`Store::verify`].
    pub header: Result<Header, StoreError>,
}

/// How long to wait before the lock is tried again.
const PATIENCE: Duration = Duration::from_millis(10);

const TABLE: &str = "table";
const LOCK: &str = "lock";
const PART: &str = "part";

impl Store {
    /// The store in that folder, which is made when the first table is.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Store { folder: folder.into() }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The file in which the table of that definition is kept, if it is: its first words, and a
    /// number made of all of it and the version of the format.
    pub fn path(&self, definition: &str) -> PathBuf {
        let words = definition.split(|c: char| !c.is_ascii_alphanumeric());
        let mut name = String::new();
        for word in words.filter(|word| !word.is_empty()) {
            if name.len() + word.len() > 30 {
                break;
            }
            name += word;
            name.push('-');
        }
        let number = xxh3_128(format!("{VERSION} {definition}").as_bytes());
        self.folder.join(format!("{name}{number:032x}.{TABLE}"))
    }

    /// The stored table of that definition, checked in full; `None` if there is none.
    ///
    /// # Errors
    ///
    /// If there is a file, but it can't be read or is not that table.
    pub fn open(&self, definition: &str) -> Result<Option<Table>, StoreError> {
        let path = self.path(definition);
        match File::open(&path) {
            Err(error) if absent(&error) => Ok(None),
            Err(error) => Err(StoreError::Unreadable { path, error }),
            Ok(file) => match file::open(file, Some(definition)) {
                Ok(table) => Ok(Some(table)),
                Err(trouble) => Err(trouble.at(path)),
            },
        }
    }

    /// The table of that definition, opened if it is stored, otherwise built and stored. If
    /// another process is building it, this says so by `waiting` and waits for it.
    ///
    /// Trouble with the folder or file does not keep one from the table: it is then built in
    /// memory alone, and the trouble is told as a warning.
    ///
    /// # Errors
    ///
    /// If it can't be built, or was cancelled.
    pub fn open_or_build(
        &self,
        definition: &str,
        cancel: &CancelToken,
        waiting: impl FnOnce(),
        build: impl FnOnce() -> Result<Table, BuildError>,
    ) -> Result<Kept, BuildError> {
        let opened = |table| Kept { table, source: Source::Opened, warning: None };
        let made = |table, warning| Kept { table, source: Source::Built, warning };
        match self.open(definition) {
            Ok(Some(table)) => return Ok(opened(table)),
            Err(error) => return Ok(made(build()?, Some(error))),
            Ok(None) => {}
        }
        let path = self.path(definition);
        let _lock = match self.lock(&path, cancel, waiting) {
            Ok(Some(lock)) => lock,
            Ok(None) => return Err(BuildError::Cancelled),
            Err(error) => return Ok(made(build()?, Some(error))),
        };
        // Another may have built it meanwhile.
        match self.open(definition) {
            Ok(Some(table)) => return Ok(opened(table)),
            Err(error) => return Ok(made(build()?, Some(error))),
            Ok(None) => {}
        }
        self.sweep();
        let table = build()?;
        let warning = self.write(&path, &table, definition).err();
        Ok(made(table, warning))
    }

    /// Waits for the lock beside a table's file; `None` if it was cancelled.
    fn lock(
        &self,
        path: &Path,
        cancel: &CancelToken,
        waiting: impl FnOnce(),
    ) -> Result<Option<File>, StoreError> {
        fs::create_dir_all(&self.folder).map_err(|error| unwritable(&self.folder, error))?;
        let lock_path = path.with_extension(LOCK);
        let error = |error| unwritable(&lock_path, error);
        let lock = open_lock(&lock_path).map_err(error)?;
        let mut waiting = Some(waiting);
        loop {
            if cancel.is_cancelled() {
                return Ok(None);
            }
            match lock.try_lock() {
                Ok(()) => return Ok(Some(lock)),
                Err(TryLockError::WouldBlock) => {
                    if let Some(waiting) = waiting.take() {
                        waiting();
                    }
                    std::thread::sleep(PATIENCE);
                }
                Err(TryLockError::Error(trouble)) => return Err(error(trouble)),
            }
        }
    }

    /// Writes a table under its name, which nothing has. The lock must be held.
    fn write(&self, path: &Path, table: &Table, definition: &str) -> Result<(), StoreError> {
        let part = path.with_extension(PART);
        let written = File::create(&part)
            .and_then(|mut file| file::write(&mut file, table, definition))
            .and_then(|()| fs::rename(&part, path))
            .and_then(|()| sync(&self.folder));
        written.map_err(|error| {
            let _ = fs::remove_file(&part);
            unwritable(path, error)
        })
    }

    /// Removes what killed processes left under temporary names: what nobody holds the lock of.
    fn sweep(&self) {
        let Ok(files) = self.files(PART) else { return };
        for part in files {
            if let Ok(lock) = open_lock(&part.with_extension(LOCK))
                && lock.try_lock().is_ok()
            {
                // If it fails, it is left to the next.
                let _ = fs::remove_file(&part);
            }
        }
    }

    /// The files of the store with that extension, in order of their names; none if there is no
    /// folder.
    fn files(&self, extension: &str) -> Result<Vec<PathBuf>, StoreError> {
        let error = |error| StoreError::Unreadable { path: self.folder.clone(), error };
        let mut paths = Vec::new();
        match fs::read_dir(&self.folder) {
            Err(trouble) if absent(&trouble) => {}
            Err(trouble) => return Err(error(trouble)),
            Ok(files) => {
                for file in files {
                    let path = file.map_err(error)?.path();
                    if path.extension() == Some(OsStr::new(extension)) {
                        paths.push(path);
                    }
                }
            }
        }
        paths.sort();
        Ok(paths)
    }

    /// All tables of the store, by their headers alone, in order of their names.
    ///
    /// # Errors
    ///
    /// If the folder can't be read.
    pub fn list(&self) -> Result<Vec<Listed>, StoreError> {
        let listed = self.files(TABLE)?.into_iter().map(|path| {
            let header = File::open(&path).map_err(Unusable::from).and_then(|mut file| {
                let metadata = file.metadata()?;
                if !metadata.is_file() {
                    return Err(Fault::Foreign.into());
                }
                Ok((metadata.len(), whole_header(&mut file, metadata.len())))
            });
            let (length, header) = match header {
                Ok((length, header)) => (length, header),
                Err(trouble) => (0, Err(trouble)),
            };
            Listed { length, header: header.map_err(|trouble| trouble.at(path.clone())), path }
        });
        Ok(listed.collect())
    }

    /// Checks all of a file of the store, and that it has the name of what it is a table of.
    ///
    /// # Errors
    ///
    /// What is wrong with it.
    pub fn verify(&self, path: &Path) -> Result<(), StoreError> {
        let check = || {
            let mut file = File::open(path)?;
            let length = file.metadata()?.len();
            let header = Header::read(&mut file, length)?;
            file::open(File::open(path)?, None)?;
            if self.path(&header.definition).file_name() != path.file_name() {
                return Err(Fault::Damaged("its name is that of another table").into());
            }
            Ok(())
        };
        check().map_err(|trouble: Unusable| trouble.at(path.into()))
    }

    /// Removes a file of the store. Who has the table open keeps it.
    ///
    /// # Errors
    ///
    /// If it can't be removed, or is being built.
    pub fn remove(&self, path: &Path) -> Result<(), StoreError> {
        fs::symlink_metadata(path).map_err(|error| unwritable(path, error))?;
        let lock_path = path.with_extension(LOCK);
        let lock = open_lock(&lock_path).map_err(|error| unwritable(&lock_path, error))?;
        match lock.try_lock() {
            Err(TryLockError::WouldBlock) => return Err(StoreError::Busy { path: path.into() }),
            Err(TryLockError::Error(error)) => return Err(unwritable(&lock_path, error)),
            Ok(()) => {}
        }
        let _ = fs::remove_file(path.with_extension(PART));
        fs::remove_file(path).map_err(|error| unwritable(path, error))
    }
}

impl Unusable {
    /// What is wrong with the file of that path.
    fn at(self, path: PathBuf) -> StoreError {
        match self {
            Unusable::Fault(fault) => StoreError::Unusable { path, fault },
            Unusable::Io(error) => StoreError::Unreadable { path, error },
        }
    }
}

/// The header of a file of that length, which is as long as the header says.
fn whole_header(file: &mut File, found: u64) -> Result<Header, Unusable> {
    let header = Header::read(file, found)?;
    let expected = header.file_length();
    if found < expected { Err(Fault::Truncated { found, expected }.into()) } else { Ok(header) }
}

/// Opens a lock file, and makes it if there is none.
fn open_lock(path: &Path) -> io::Result<File> {
    File::options().create(true).truncate(false).write(true).open(path)
}

/// Whether there is nothing of that name. (Nor is there below what is not a folder; who wants to
/// make something there learns it then.)
fn absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// Why a file can't be written.
fn unwritable(path: &Path, error: io::Error) -> StoreError {
    let path = path.into();
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
            StoreError::Full { path, error }
        }
        _ => StoreError::Unwritable { path, error },
    }
}

/// Waits until a rename in a folder is on the disk. Elsewhere than on Unix a folder can't be
/// opened as a file; a table that is lost with the power is built again.
fn sync(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}
