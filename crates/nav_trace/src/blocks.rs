//! The blocks that a trace consists of: a kind, a length, the contents, and checksums that name what is
//! damaged.
//!
//! A checksum goes on from those of all blocks before, so that a block that is missing, repeated or from
//! another trace is damage, too.

use crate::error::TraceError;
use nav::state::Fingerprint;
use std::{
    hash::Hasher,
    io::{self, Read, Write},
};

/// What every trace begins with.
const MAGIC: [u8; 8] = *b"NAVTRACE";
/// The version that this build writes and reads.
const VERSION: u16 = 2;
/// Bytes before the first block.
const START: usize = MAGIC.len() + size_of_val(&VERSION);
/// Bytes before the contents of a block: kind, length, checksum of both.
const HEAD: usize = 9;
/// Bytes after them: their checksum.
const TAIL: usize = 8;

/// What a block holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The state in which the trace begins.
    Start = 1,
    /// A tick.
    Tick = 2,
    /// The end, as it is meant to be.
    End = 3,
}

impl Kind {
    /// That with a number.
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
    /// Writes what every trace begins with.
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
    /// Those of the writer, and contents of 4 GiB and more.
    pub(super) fn write(&mut self, kind: Kind, contents: &[u8]) -> io::Result<()> {
        let length = u32::try_from(contents.len()).map_err(io::Error::other)?;
        self.out
            .write_all(&head(self.checksum, kind as u8, length))?;
        self.out.write_all(contents)?;
        sum_up(&mut self.checksum, kind as u8, contents);
        self.out.write_all(&self.checksum.finish().to_le_bytes())?;
        self.bytes += (HEAD + contents.len() + TAIL) as u64;
        Ok(())
    }

    /// Bytes written so far.
    pub(super) const fn bytes(&self) -> u64 {
        self.bytes
    }

    pub(super) fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Reads blocks.
pub(super) struct BlockReader<R> {
    from: R,
    checksum: Fingerprint,
    /// Blocks that were read and are whole.
    whole: u64,
}

impl<R: Read> BlockReader<R> {
    /// Reads what every trace begins with.
    ///
    /// # Errors
    ///
    /// [`TraceError::NotATrace`], [`TraceError::Version`], and those of the reader.
    pub(super) fn begin(mut from: R) -> Result<Self, TraceError> {
        let mut magic = [0; MAGIC.len()];
        if read(&mut from, &mut magic)? < magic.len() || magic != MAGIC {
            return Err(TraceError::NotATrace);
        }
        let mut version = [0; size_of::<u16>()];
        if read(&mut from, &mut version)? < version.len() {
            return Err(TraceError::CutOff { after: 0 });
        }
        let found = u16::from_le_bytes(version);
        if found != VERSION {
            let known = VERSION;
            return Err(TraceError::Version { found, known });
        }
        Ok(Self {
            from,
            checksum: Fingerprint::default(),
            whole: 0,
        })
    }

    /// Reads a block.
    ///
    /// # Errors
    ///
    /// [`TraceError::CutOff`], [`TraceError::Damaged`], and those of the reader.
    pub(super) fn read(&mut self) -> Result<(Kind, Vec<u8>), TraceError> {
        let cut_off = TraceError::CutOff {
            after: self.whole.saturating_sub(1),
        };
        let damaged = || TraceError::Damaged { tick: self.whole };
        let mut start = [0; HEAD];
        if read(&mut self.from, &mut start)? < HEAD {
            return Err(cut_off);
        }
        let [number, one, two, three, four, ..] = start;
        let length = u32::from_le_bytes([one, two, three, four]);
        let is_right = start == head(self.checksum, number, length);
        let kind = Kind::of(number).filter(|_| is_right);
        let kind = kind.ok_or_else(damaged)?;
        // No more is set aside than there is.
        let mut contents = Vec::new();
        let limit = u64::from(length);
        (&mut self.from).take(limit).read_to_end(&mut contents)?;
        let mut tail = [0; TAIL];
        if (contents.len() as u64) < limit || read(&mut self.from, &mut tail)? < TAIL {
            return Err(cut_off);
        }
        sum_up(&mut self.checksum, number, &contents);
        if self.checksum.finish().to_le_bytes() != tail {
            return Err(damaged());
        }
        self.whole += 1;
        Ok((kind, contents))
    }

    /// The error of a block that is whole, and whose contents make no sense.
    pub(super) const fn last_is_damaged(&self) -> TraceError {
        TraceError::Damaged {
            tick: self.whole.saturating_sub(1),
        }
    }
}

/// The blocks of bytes that seem to be a trace, as far as they go, whatever their checksums say: of each its
/// contents, if one of this kind is known. The last one may be shorter than it says.
pub(super) fn unchecked(trace: &[u8]) -> impl Iterator<Item = (Kind, &[u8])> {
    let mut rest = trace.get(START..).unwrap_or_default();
    std::iter::from_fn(move || {
        let (start, behind) = rest.split_first_chunk::<HEAD>()?;
        let [number, one, two, three, four, ..] = *start;
        let length = u32::from_le_bytes([one, two, three, four]) as usize;
        let (contents, behind) = behind.split_at(length.min(behind.len()));
        rest = behind.get(TAIL..).unwrap_or_default();
        Some((Kind::of(number)?, contents))
    })
}

/// What comes before the contents of a block.
fn head(checksum: Fingerprint, kind: u8, length: u32) -> [u8; HEAD] {
    let mut check = checksum;
    check.write_u8(kind);
    check.write_u32(length);
    let [one, two, three, four] = length.to_le_bytes();
    let [five, six, seven, eight, ..] = check.finish().to_le_bytes();
    [kind, one, two, three, four, five, six, seven, eight]
}

/// Adds a block to a checksum, eight bytes at a time.
fn sum_up(checksum: &mut Fingerprint, kind: u8, contents: &[u8]) {
    checksum.write_u8(kind);
    checksum.write_usize(contents.len());
    let words = contents.chunks_exact(size_of::<u64>());
    checksum.write(words.remainder());
    for word in words {
        checksum.write_u64(word.iter().rev().fold(0, |w, &b| w << 8 | u64::from(b)));
    }
}

/// Reads until a buffer is full or there is no more, and returns how much was read.
fn read(from: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match from.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(more) => filled += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}
