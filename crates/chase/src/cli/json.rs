//! The option `--json`: writes a report as JSON to a file or to standard output.

use super::output::{OutFile, print};
use crate::Error;
use serde::Serialize;
use std::{
    io::{self, Write},
    path::Path,
};

/// The destination of the JSON.
pub enum JsonOut {
    /// Standard output.
    Stdout,
    /// A file.
    File(OutFile),
}

impl JsonOut {
    /// Opens the destination named by the option; `-` is standard output.
    ///
    /// # Errors
    ///
    /// The file cannot be created.
    pub fn open(path: &Path) -> Result<Self, Error> {
        if path.as_os_str() == "-" {
            return Ok(Self::Stdout);
        }
        Ok(Self::File(OutFile::create(path)?))
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
            Self::File(file) => file.put(|out| out.write_all(&line()?)),
        }
    }
}
