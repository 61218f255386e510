//! FNV-1a with 64 bits: checksums of packed files and signatures of play. It finds damage, not forgery.

/// The hash of everything that was mixed in so far.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct Fnv1a(u64);

impl Default for Fnv1a {
    fn default() -> Fnv1a {
        Fnv1a::new()
    }
}

impl Fnv1a {
    const OFFSET_BASIS: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0000_0100_0000_01b3;

    /// The hash of no bytes.
    pub const fn new() -> Fnv1a {
        Fnv1a(Fnv1a::OFFSET_BASIS)
    }

    /// Mixes in further bytes: the same as if they had come in one piece with those before.
    #[must_use]
    pub const fn with(self, bytes: &[u8]) -> Fnv1a {
        let (mut hash, mut at) = (self.0, 0);
        while at < bytes.len() {
            hash = (hash ^ bytes[at] as u64).wrapping_mul(Fnv1a::PRIME);
            at += 1;
        }
        Fnv1a(hash)
    }

    /// The hash so far.
    pub const fn hash(self) -> u64 {
        self.0
    }
}

/// The hash of `bytes`.
pub const fn fnv1a(bytes: &[u8]) -> u64 {
    Fnv1a::new().with(bytes).hash()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From the test vectors of its authors.
    #[test]
    fn the_published_hashes_come_out() {
        let found = ["", "a", "foobar"].map(|text| fnv1a(text.as_bytes()));
        assert_eq!(found, [0xcbf2_9ce4_8422_2325, 0xaf63_dc4c_8601_ec8c, 0x8594_4171_f739_67e8]);
        assert_eq!(Fnv1a::new().with(b"foo").with(b"bar").hash(), found[2]);
    }
}
