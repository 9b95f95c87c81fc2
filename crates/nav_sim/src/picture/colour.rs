//! The colours of all pictures.

/// A colour. Its number is its index in the palette.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Colour {
    /// Floor.
    Paper,
    /// Walls.
    Ink,
    /// A path.
    Orange,
    /// Start of a path.
    Green,
    /// Goal of a path, and targets.
    Blue,
    /// Main roads.
    Sand,
    /// Slightly slower ground.
    Fawn,
    /// Much slower ground.
    Umber,
    /// A chaser within reach of its target.
    Red,
    /// An agent with nothing to follow.
    Grey,
    /// An idle agent.
    Teal,
    /// Stairs and links.
    Violet,
    /// Ground of another terrain class than 0, such as water.
    Water,
    /// Transparent: the film keeps the pixel of the frame before.
    Clear,
}

impl Colour {
    /// Red, green and blue of all colours, in order. The shades are guesses.
    pub(super) const PALETTE: [[u8; 3]; 14] = [
        [0xf4, 0xf1, 0xe8],
        [0x26, 0x2b, 0x38],
        [0xf2, 0x5c, 0x05],
        [0x00, 0xa3, 0x58],
        [0x1a, 0x5c, 0xff],
        [0xd8, 0xb3, 0x6a],
        [0xe3, 0xda, 0xc3],
        [0xc9, 0xba, 0x98],
        [0xd0, 0x10, 0x2e],
        [0x8b, 0x8f, 0x9c],
        [0x0f, 0x8f, 0x8c],
        [0x9a, 0x3f, 0xe0],
        [0x9f, 0xd0, 0xf0],
        [0x00, 0x00, 0x00],
    ];

    pub(super) const fn index(self) -> u8 {
        self as u8
    }
}
