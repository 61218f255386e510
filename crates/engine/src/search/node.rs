//! A node of the tree, as the search comes to it.

use super::value::Window;

/// How a node is searched.
#[derive(Copy, Clone, Debug)]
pub(super) struct Node {
    /// Plies left before quiescence begins; none or less in quiescence.
    pub(super) depth: i32,
    /// The values that need to be told apart.
    pub(super) window: Window,
    /// Plies from the root.
    pub(super) ply: usize,
}

impl Node {
    /// The node a ply further down, by default to be searched a ply less deeply in the same window.
    pub(super) const fn child(self) -> Node {
        Node { depth: self.depth - 1, window: self.window, ply: self.ply + 1 }
    }

    /// The same, to be searched in another window.
    pub(super) const fn within(self, window: Window) -> Node {
        Node { window, ..self }
    }

    /// The same, to be searched so many plies less deeply.
    pub(super) const fn reduced(self, plies: i32) -> Node {
        Node { depth: self.depth - plies, ..self }
    }
}
