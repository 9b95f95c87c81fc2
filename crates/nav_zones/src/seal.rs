//! A checksum at the end of all that zones write, so that nothing damaged is read.

/// How many bytes it has.
const BYTES: usize = 4;

/// Appends the checksum of some bytes.
pub(crate) fn seal(mut bytes: Vec<u8>) -> Vec<u8> {
    let sum = crc32fast::hash(&bytes);
    bytes.extend_from_slice(&sum.to_le_bytes());
    bytes
}

/// What was sealed; none if it is not as it was.
pub(crate) fn open(sealed: &[u8]) -> Option<&[u8]> {
    let (bytes, sum) = sealed.split_at_checked(sealed.len().checked_sub(BYTES)?)?;
    (crc32fast::hash(bytes).to_le_bytes() == sum).then_some(bytes)
}

/// Why something cannot be read whose checksum is wrong.
pub(crate) const DAMAGED: &str = "its checksum is wrong";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_bit_is_damaged_it_is_not_opened() {
        let sealed = seal(b"a chase".to_vec());
        assert_eq!(open(&sealed), Some(&b"a chase"[..]));
        for bit in 0..sealed.len() * 8 {
            let mut damaged = sealed.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(open(&damaged), None, "bit {bit}");
        }
        assert_eq!(open(&sealed[..3]), None);
    }
}
