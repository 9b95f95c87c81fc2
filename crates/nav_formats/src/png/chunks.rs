//! Chunks of a PNG that its decoder passes over.

use crate::warning::{Names, Warning};
use nav_grid::map::text::quote;

/// Chunks that carry the picture, or that do not change which cells are ground: the standard
/// chunks, the registered extensions, and a chunk that Apple writes.
const KNOWN: &[&[u8; 4]] = &[
    b"IHDR", b"PLTE", b"IDAT", b"IEND", b"tRNS", b"cHRM", b"gAMA", b"iCCP", b"sBIT", b"sRGB",
    b"cICP", b"mDCV", b"cLLI", b"tEXt", b"zTXt", b"iTXt", b"bKGD", b"hIST", b"pHYs", b"sPLT",
    b"eXIf", b"tIME", b"oFFs", b"pCAL", b"sCAL", b"sTER", b"gIFg", b"gIFx", b"gIFt", b"dSIG",
    b"iDOT",
];

/// Chunks of animations.
const ANIMATION: &[&[u8; 4]] = &[b"acTL", b"fcTL", b"fdAT"];

/// Returns the warnings of a picture that was decoded.
pub(super) fn warnings(bytes: &[u8]) -> Vec<Warning> {
    const SIGNATURE: usize = 8;
    // Type and checksum of a chunk, beside its length and content.
    const AROUND: usize = 8;
    let mut rest = bytes.get(SIGNATURE..).unwrap_or_default();
    let mut unknown = Names::default();
    let mut is_animated = false;
    let mut behind = 0;
    while let Some((length, chunk)) = rest.split_first_chunk::<4>() {
        let length = u32::from_be_bytes(*length) as usize;
        let Some((kind, _)) = chunk.split_first_chunk::<4>() else {
            break;
        };
        rest = chunk
            .get(length.saturating_add(AROUND)..)
            .unwrap_or_default();
        if ANIMATION.contains(&kind) {
            is_animated = true;
        } else if !KNOWN.contains(&kind) {
            unknown.add(format_args!("'{}'", quote(kind)));
        }
        if kind == b"IEND" {
            behind = rest.len();
            break;
        }
    }
    let mut warnings = Vec::new();
    if is_animated {
        warnings.push(Warning::Animation);
    }
    unknown.warn(&mut warnings, |chunks| Warning::Chunks { chunks });
    if behind > 0 {
        warnings.push(Warning::Behind { bytes: behind });
    }
    warnings
}
