//! The exits of a window, one plane of bits for each direction.

use super::{
    rows::{WindowPlace, WindowRows, shrink},
    window_bits::WindowBits,
};
use crate::{bits::transposed_bytes, cell::Direction, map::Grid, rules::Footprint};

/// For each direction, the places of a window that a body may leave that way.
#[derive(Clone, Debug)]
pub(crate) struct ExitPlanes([WindowRows; 8]);

impl Default for ExitPlanes {
    fn default() -> Self {
        Self([[0; 72]; 8])
    }
}

impl ExitPlanes {
    /// Reads the exits of the window that `bits` was loaded with.
    pub(crate) fn load(&mut self, grid: &Grid, bits: &WindowBits, footprint: Footprint) {
        let first = bits.cell(WindowPlace {
            row: bits.rows.start,
            column: bits.columns.start,
        });
        let further = u16::from(footprint.side()) - 1;
        let high = (bits.rows.len() as u16 + further).min(grid.height() - first.y);
        let wide = (bits.columns.len() as u16 + further).min(grid.width() - first.x);
        let left = usize::from(first.x);
        for plane in &mut self.0 {
            *plane = [u64::MAX; 72];
        }
        for (row, y) in (bits.rows.start..).zip(first.y..first.y + high) {
            let bytes = grid.exit_row(y, bits.floor);
            let Some(bytes) = bytes.get(left..left + usize::from(wide)) else {
                return;
            };
            for (chunk, column) in bytes.chunks(8).zip((bits.columns.start..).step_by(8)) {
                let mut eight = [0xff; 8];
                eight[..chunk.len()].copy_from_slice(chunk);
                if eight == [0xff; 8] {
                    continue;
                }
                let by_direction = transposed_bytes(u64::from_le_bytes(eight)).to_le_bytes();
                for (plane, exits) in self.0.iter_mut().zip(by_direction) {
                    plane[row] &= !(u64::from(!exits) << column);
                }
            }
        }
        if footprint > Footprint::ONE {
            for plane in &mut self.0 {
                shrink(plane, footprint);
            }
        }
    }

    /// Turns exits into entrances: which places may be left for their neighbour in a direction
    /// becomes which may be come to from there.
    pub(crate) fn reverse(&mut self) {
        let exits = self.0;
        for direction in Direction::ALL {
            let (dx, dy) = direction.delta();
            let back = &exits[direction.opposite() as usize];
            for (row, entrances) in self.0[direction as usize].iter_mut().enumerate() {
                let beyond = row.checked_add_signed(dy as isize);
                let from = beyond.and_then(|row| back.get(row)).copied().unwrap_or(0);
                *entrances = match dx {
                    1 => from >> 1,
                    -1 => from << 1,
                    _ => from,
                };
            }
        }
    }

    /// The places that may be left in a direction.
    #[inline]
    pub(crate) fn of(&self, direction: Direction) -> &WindowRows {
        &self.0[direction as usize]
    }
}
