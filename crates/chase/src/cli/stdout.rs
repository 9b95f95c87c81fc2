//! Standard output.

use crate::Error;
use std::io::{self, BufWriter, StdoutLock, Write};

/// Prints to standard output through a buffer.
///
/// # Errors
///
/// [`Error::Stdout`].
pub fn print(
    print: impl FnOnce(&mut BufWriter<StdoutLock<'_>>) -> io::Result<()>,
) -> Result<(), Error> {
    let mut out = BufWriter::new(io::stdout().lock());
    print(&mut out)
        .and_then(|()| out.flush())
        .map_err(Error::Stdout)
}
