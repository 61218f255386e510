//! Counting sequences of plies, to check and to time the rules.

use outflank_rules::rules::Position;
use std::sync::atomic::{AtomicBool, Ordering};

/// Sequences of `depth` legal plies; the flag says whether `stop` broke the count off.
///
/// Every rank of `position` must be known. A sequence that ends the game early does not count.
pub(crate) fn count(position: &mut Position, depth: u32, stop: &AtomicBool) -> (u64, bool) {
    let nodes = below(position, depth, stop);
    (nodes, stop.load(Ordering::Relaxed))
}

fn below(position: &mut Position, depth: u32, stop: &AtomicBool) -> u64 {
    let actions = position.actions();
    if depth <= 1 {
        return actions.len() as u64;
    }
    let mut nodes = 0;
    for action in actions {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        if position.play(action.into()).is_ok() {
            nodes += below(position, depth - 1, stop);
            position.undo();
        }
    }
    nodes
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_rules::rules::{Ruleset, Spn};

    fn perft(spn: &str, depth: u32) -> u64 {
        let mut position = Spn::parse(spn, Ruleset::default()).unwrap().position;
        count(&mut position, depth, &AtomicBool::new(false)).0
    }

    /// Counted by hand: a Red 3 alone in the corner against a lone Blue flag in the far one.
    #[test]
    fn small_trees_have_the_counted_size() {
        let lonely = "10/10/10/10/__2__2/10/10/10/10/10";
        assert!(Spn::parse(lonely, Ruleset::default()).is_err());
        let corner = "Y8N/10/10/10/2__2__2/2__2__2/10/10/10/E8M r - -,- 0 0";
        // E: two ways; then Blue's bomb and flag cannot move, and Blue has lost.
        assert_eq!((perft(corner, 1), perft(corner, 2)), (2, 0));
        let open = "Y8Q/10/10/10/2__2__2/2__2__2/10/10/10/E8M r - -,- 0 0";
        // Blue's 3 in its corner: two ways for each of Red's two; then each 3 has three.
        assert_eq!((perft(open, 1), perft(open, 2), perft(open, 3)), (2, 4, 12));
    }
}
