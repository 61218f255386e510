//! How far quiescence goes: bounded by plies and by an effort that is shared out among strikes.

use super::params;

/// How far quiescence may still go.
#[derive(Copy, Clone, Debug)]
pub(super) struct Extent {
    /// Plies of strikes.
    plies: u32,
    /// Nodes, about.
    effort: u32,
    /// Whether a node looks at no more strikes than it has effort for, and not at all of them.
    strict: bool,
}

impl Extent {
    /// Where it begins, below a leaf of a search to `depth`.
    pub(super) fn of_search(depth: u32) -> Extent {
        if depth == 1 {
            Extent { plies: params::most_quiescence(), effort: params::first_effort(), strict: true }
        } else {
            Extent::whole()
        }
    }

    /// Where it begins if nothing presses.
    pub(super) fn whole() -> Extent {
        Extent { plies: params::most_quiescence(), effort: params::quiescence_effort(), strict: false }
    }

    /// Whether nothing is left.
    pub(super) const fn is_spent(self) -> bool {
        self.plies == 0 || self.effort == 0
    }

    /// What is left for each of so many strikes.
    pub(super) const fn share(self, strikes: usize) -> Extent {
        let strikes = if strikes == 0 { 1 } else { strikes as u32 };
        Extent { plies: self.plies - 1, effort: (self.effort - 1) / strikes, ..self }
    }

    /// How many strikes a node looks at, the best first.
    pub(super) const fn strikes(self) -> usize {
        if self.strict { self.effort as usize } else { usize::MAX }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_is_shared_out_until_nothing_is() {
        let mut extent = Extent::whole();
        let mut plies = 0;
        while !extent.is_spent() {
            extent = extent.share(3);
            plies += 1;
        }
        assert!(plies > 1 && plies <= params::most_quiescence(), "{plies}");
    }
}
