//! The option `--json`: writes a report as JSON to a file or to standard output.

use super::stdout::print;
use crate::Error;
use serde::Serialize;
use std::{
    fs::File,
    io::{self, Write},
    path::Path,
};

/// The destination of the JSON.
pub enum JsonOut<'a> {
    /// Standard output.
    Stdout,
    /// A file, with its path.
    File(&'a Path, File),
}

impl<'a> JsonOut<'a> {
    /// Opens the destination named by the option; `-` is standard output.
    ///
    /// # Errors
    ///
    /// The file cannot be created.
    pub fn open(path: &'a Path) -> Result<Self, Error> {
        if path.as_os_str() == "-" {
            return Ok(Self::Stdout);
        }
        let file = File::create(path).map_err(|source| Error::write(path, source))?;
        Ok(Self::File(path, file))
    }

    /// Writes a report as one line, so that reports of several runs can be appended to a file.
    ///
    /// # Errors
    ///
    /// The file or standard output cannot be written.
    pub fn write(self, report: &impl Serialize) -> Result<(), Error> {
        let line = || {
            let mut json = serde_json::to_vec(report)?;
            json.push(b'\n');
            Ok::<_, io::Error>(json)
        };
        match self {
            Self::Stdout => print(|out| out.write_all(&line()?)),
            Self::File(path, mut file) => line()
                .and_then(|line| file.write_all(&line))
                .map_err(|source| Error::write(path, source)),
        }
    }
}
