//! Blocks, the container format of a trace: writing, reading, checksums, errors.
//!
//! A trace begins with its magic number and version. A block has one byte for its kind, four for
//! its length, four of a checksum of both, the contents, and eight of their checksum, all
//! little-endian. Each checksum continues those of all blocks before: a block that is missing,
//! repeated or from another trace is damage, too.

use nav::{extend::Fingerprint, saving::RestoreError};
use std::{
    hash::Hasher,
    io::{self, Read, Write},
};

/// The first bytes of every trace.
const MAGIC: [u8; 8] = *b"NAVTRACE";
/// The version that this build writes and reads.
const VERSION: u16 = 6;
/// Bytes before the first block.
const START: usize = MAGIC.len() + size_of_val(&VERSION);
/// Bytes before the contents of a block: kind, length, checksum of both.
const HEAD: usize = 9;
/// Bytes after the contents: their checksum.
const TAIL: usize = 8;

/// The kind of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The state in which the trace begins.
    Start = 1,
    /// A tick.
    Tick = 2,
    /// The regular end, with the number of ticks. A trace without it is cut off.
    End = 3,
}

impl Kind {
    fn of(number: u8) -> Option<Self> {
        let kinds = [Self::Start, Self::Tick, Self::End];
        kinds.into_iter().find(|&kind| kind as u8 == number)
    }
}

/// Writes blocks.
pub(super) struct BlockWriter<W> {
    out: W,
    checksum: Fingerprint,
    bytes: u64,
}

impl<W: Write> BlockWriter<W> {
    /// Writes the beginning of a trace.
    pub(super) fn begin(mut out: W) -> io::Result<Self> {
        out.write_all(&MAGIC)?;
        out.write_all(&VERSION.to_le_bytes())?;
        Ok(Self {
            out,
            checksum: Fingerprint::default(),
            bytes: START as u64,
        })
    }

    /// Writes a block.
    ///
    /// # Errors
    ///
    /// Errors of the writer, and contents of 4 GiB and more.
    pub(super) fn write(&mut self, kind: Kind, contents: &[u8]) -> io::Result<()> {
        let kind = kind as u8;
        let length = u32::try_from(contents.len()).map_err(io::Error::other)?;
        self.out.write_all(&head(self.checksum, kind, length))?;
        self.out.write_all(contents)?;
        sum_up(&mut self.checksum, kind, contents);
        self.out.write_all(&self.checksum.finish().to_le_bytes())?;
        self.bytes += (HEAD + contents.len() + TAIL) as u64;
        Ok(())
    }

    /// Writes the last block, and returns the bytes of the trace.
    pub(super) fn end(mut self, contents: &[u8]) -> io::Result<u64> {
        self.write(Kind::End, contents)?;
        self.out.flush()?;
        Ok(self.bytes)
    }
}

/// Reads blocks.
pub(super) struct BlockReader<R> {
    from: R,
    checksum: Fingerprint,
    /// Undamaged blocks so far.
    whole: u64,
}

impl<R: Read> BlockReader<R> {
    /// Reads the beginning of a trace.
    ///
    /// # Errors
    ///
    /// [`TraceError::NotATrace`], [`TraceError::CutOff`], [`TraceError::Version`], and errors of
    /// the reader.
    pub(super) fn begin(mut from: R) -> Result<Self, TraceError> {
        if read(&mut from, MAGIC.len())? != MAGIC {
            return Err(TraceError::NotATrace);
        }
        let mut reader = Self {
            from,
            checksum: Fingerprint::default(),
            whole: 0,
        };
        let (found, known) = (u16::from_le_bytes(reader.read_array()?), VERSION);
        if found != known {
            return Err(TraceError::Version { found, known });
        }
        Ok(reader)
    }

    fn read_array<const N: usize>(&mut self) -> Result<[u8; N], TraceError> {
        let after = self.whole.saturating_sub(1);
        let bytes = read(&mut self.from, N)?;
        bytes.try_into().map_err(|_| TraceError::CutOff { after })
    }

    /// Reads a block.
    ///
    /// # Errors
    ///
    /// [`TraceError::CutOff`], [`TraceError::Damaged`], and errors of the reader.
    pub(super) fn read(&mut self) -> Result<(Kind, Vec<u8>), TraceError> {
        let damaged = TraceError::Damaged { tick: self.whole };
        let start = self.read_array()?;
        let (number, length) = kind_and_length(start);
        let Some(kind) = Kind::of(number) else {
            return Err(damaged);
        };
        if start != head(self.checksum, number, length) {
            return Err(damaged);
        }
        let contents = read(&mut self.from, length as usize)?;
        let tail: [u8; TAIL] = self.read_array()?;
        sum_up(&mut self.checksum, number, &contents);
        if self.checksum.finish().to_le_bytes() != tail {
            return Err(damaged);
        }
        self.whole += 1;
        Ok((kind, contents))
    }

    /// The error of the last block: undamaged, with contents that make no sense.
    pub(super) const fn last_is_damaged(&self) -> TraceError {
        TraceError::Damaged {
            tick: self.whole.saturating_sub(1),
        }
    }
}

/// Splits bytes into blocks without regard to checksums. Ends at an unknown kind; the last block
/// may be short.
pub(super) fn unchecked(trace: &[u8]) -> impl Iterator<Item = (Kind, &[u8])> {
    let mut rest = trace.get(START..).unwrap_or_default();
    std::iter::from_fn(move || {
        let (start, behind) = rest.split_first_chunk()?;
        let (number, length) = kind_and_length(*start);
        let (contents, behind) = behind.split_at(behind.len().min(length as usize));
        rest = behind.get(TAIL..).unwrap_or_default();
        Some((Kind::of(number)?, contents))
    })
}

/// The bytes before the contents of a block.
fn head(mut checksum: Fingerprint, kind: u8, length: u32) -> [u8; HEAD] {
    checksum.write_u8(kind);
    checksum.write_u32(length);
    let [one, two, three, four] = length.to_le_bytes();
    let [five, six, seven, eight, ..] = checksum.finish().to_le_bytes();
    [kind, one, two, three, four, five, six, seven, eight]
}

/// The kind and the length that are in a head.
fn kind_and_length([kind, length @ .., _, _, _, _]: [u8; HEAD]) -> (u8, u32) {
    (kind, u32::from_le_bytes(length))
}

/// Adds a block to a checksum, eight bytes at a time.
fn sum_up(checksum: &mut Fingerprint, kind: u8, contents: &[u8]) {
    checksum.write_u8(kind);
    checksum.write_usize(contents.len());
    // By words, since the hash takes a round for each number, and a byte would count as one.
    let (words, rest) = contents.as_chunks();
    checksum.write(rest);
    for &word in words {
        checksum.write_u64(u64::from_le_bytes(word));
    }
}

/// Reads `length` bytes, or fewer at the end.
///
/// The buffer grows with what is read: a damaged length cannot reserve more memory than the trace
/// has bytes.
fn read(from: &mut impl Read, length: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(length as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The reason why a trace cannot be written or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TraceError {
    /// The world has no [`TracePlugin`](crate::TracePlugin).
    #[error("the world has no TracePlugin")]
    NoPlugin,
    /// A trace is being recorded already.
    #[error("a trace is being recorded already")]
    Recording,
    /// No trace is being recorded.
    #[error("no trace is being recorded")]
    NotRecording,
    /// The trace cannot be written or read.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The bytes are no trace.
    #[error("this is no trace")]
    NotATrace,
    /// This build does not read the version of the trace.
    #[error("the trace has version {found}, and this build reads version {known}")]
    Version {
        /// The version of the trace.
        found: u16,
        /// The version of this build.
        known: u16,
    },
    /// The trace has a component that is not [registered](nav::state) in the app that replays it.
    #[error(
        "the trace has the component {component}, which this app does not register: add the plugin that does"
    )]
    OtherComponents {
        /// The name of the component.
        component: String,
    },
    /// More components are registered than a trace has room for.
    #[error("{registered} components of agents are registered, and a trace has room for {most}")]
    TooManyComponents {
        /// The number of registered components.
        registered: usize,
        /// The number of components that a trace has room for.
        most: usize,
    },
    /// The trace has no end: its process was killed, for example.
    #[error("the trace is cut off after tick {after}")]
    CutOff {
        /// The last complete tick; 0 if there is none.
        after: u64,
    },
    /// The contents are not as they were written.
    #[error("the trace is damaged at tick {tick}")]
    Damaged {
        /// The tick of the damaged record; 0 is the start.
        tick: u64,
    },
    /// The state at the start of the trace cannot be restored.
    #[error("the start of the trace cannot be restored: {0}")]
    Start(#[source] RestoreError),
}
