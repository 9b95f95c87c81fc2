//! Files that cannot be read or written, with the reason in words.

use std::{
    fs::File,
    io::{self, ErrorKind, Read},
    path::{Path, PathBuf},
};

/// The error of a file that cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The file cannot be read.
    #[error("{}: cannot be read: {}", path.display(), reason(source))]
    Read {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The file cannot be written.
    #[error("{}: cannot be written: {}", path.display(), write_reason(path, source))]
    Write {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
}

impl FileError {
    /// Creates the error of a file that cannot be read.
    pub fn read(path: &Path, source: io::Error) -> Self {
        Self::Read {
            path: path.to_owned(),
            source,
        }
    }

    /// Creates the error of a file that cannot be written.
    pub fn write(path: &Path, source: io::Error) -> Self {
        Self::Write {
            path: path.to_owned(),
            source,
        }
    }
}

/// Returns the usual reasons in words, without the system's error number.
fn reason(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => "there is no such file".to_owned(),
        ErrorKind::PermissionDenied => "permission is denied".to_owned(),
        ErrorKind::IsADirectory => "it is a folder, not a file".to_owned(),
        _ => error.to_string(),
    }
}

fn write_reason(path: &Path, error: &io::Error) -> String {
    match (error.kind(), path.parent()) {
        (ErrorKind::NotFound, Some(folder)) => {
            format!(
                "the folder {} does not exist; make it first",
                folder.display()
            )
        }
        _ => reason(error),
    }
}

/// The greatest file that is read: a map of 16384×16384 cells with all its layers takes less.
pub const FILE_MAX: u64 = 2 << 30;

/// The most that is read of what is no file, such as a pipe or a device that never ends. A guess: maps that
/// programs make on the fly are small.
const STREAM_MAX: u64 = 64 << 20;

/// Reads a file, or a stream that ends.
///
/// # Errors
///
/// It cannot be read, or is too long.
pub fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    let file = File::open(path)?;
    let there = file.metadata()?;
    if there.is_dir() {
        return Err(ErrorKind::IsADirectory.into());
    }
    let (most, what) = if there.is_file() {
        (FILE_MAX, "it is longer than 2 GiB")
    } else {
        (STREAM_MAX, "it is no file, and does not end within 64 MiB")
    };
    let mut bytes = Vec::new();
    if there.len() <= most {
        // What it says of its length is a hint only.
        file.take(most + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 <= most {
            return Ok(bytes);
        }
    }
    Err(io::Error::other(what))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_name_the_remedy() {
        let missing = || io::Error::from(ErrorKind::NotFound);
        assert_eq!(
            FileError::read(Path::new("a.map"), missing()).to_string(),
            "a.map: cannot be read: there is no such file"
        );
        assert_eq!(
            FileError::write(Path::new("out/a.map"), missing()).to_string(),
            "out/a.map: cannot be written: the folder out does not exist; make it first"
        );
    }
}
