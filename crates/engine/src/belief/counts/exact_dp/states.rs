//! Counting the ways to reach and to leave each state.

use super::classes::{Class, Group};
use crate::rules::PieceId;

/// A class of the chain.
#[derive(Copy, Clone, Debug)]
struct Link {
    class: usize,
    size: usize,
    /// The slots of its groups, less the pieces of the smaller classes of the chain.
    room: usize,
    /// Whether no slot may be free after it.
    last: bool,
}

impl Link {
    /// In how many ways its pieces take slots when the classes outside the chain have `taken` of them, and the chance
    /// that a given free slot is among those.
    fn weight(&self, taken: usize) -> Option<(f64, f64)> {
        let free = self.room.checked_sub(taken)?;
        let fits = if self.last { free == self.size } else { free >= self.size };
        fits.then(|| (FACTORIALS[free] / FACTORIALS[free - self.size], self.size as f64 / free as f64))
    }
}

const FACTORIALS: [f64; PieceId::PER_SIDE + 1] = {
    let mut table = [1.0; PieceId::PER_SIDE + 1];
    let mut n = 1;
    while n < table.len() {
        table[n] = table[n - 1] * n as f64;
        n += 1;
    }
    table
};

/// A class outside the chain.
#[derive(Copy, Clone, Debug)]
struct Axis {
    class: usize,
    size: usize,
    stride: usize,
}

impl Axis {
    /// Runs of states with the same digits of higher strides.
    const fn run(&self) -> usize {
        self.stride * (self.size + 1)
    }
}

/// How many pieces of each class outside the chain have a slot, as mixed-radix numbers.
#[derive(Debug)]
pub(super) struct States<'a> {
    groups: &'a [Group],
    chain: Vec<Link>,
    axes: Vec<Axis>,
    classes: usize,
    /// Of each state, the slots that classes outside the chain have.
    taken: Vec<usize>,
}

/// Memory for counting: rows of ways by state, and room for the next ones.
#[derive(Debug, Default)]
struct Buffers {
    now: Vec<f64>,
    next: Vec<f64>,
    sum: Vec<f64>,
}

impl<'a> States<'a> {
    /// `None` if there are more than `most`.
    pub(super) fn new(
        classes: &[Class],
        chain: &[usize],
        groups: &'a [Group],
        most: usize,
    ) -> Option<States<'a>> {
        let (mut links, mut before) = (Vec::with_capacity(chain.len()), 0);
        for (stage, &class) in chain.iter().enumerate() {
            let size = usize::from(classes[class].size);
            let slots: usize = groups.iter().filter(|g| g.stage <= stage).map(|g| g.slots).sum();
            // Pieces of the chain without a slot: there are no ways at all.
            let room = slots.checked_sub(before)?;
            links.push(Link { class, size, room, last: stage + 1 == chain.len() });
            before += size;
        }
        let (mut axes, mut taken) = (Vec::new(), vec![0]);
        for class in (0..classes.len()).filter(|class| !chain.contains(class)) {
            let (size, stride) = (usize::from(classes[class].size), taken.len());
            if stride * (size + 1) > most {
                return None;
            }
            for state in 0..stride * size {
                taken.push(taken[state] + 1);
            }
            axes.push(Axis { class, size, stride });
        }
        Some(States { groups, chain: links, axes, classes: classes.len(), taken })
    }

    /// For each group the share of its slots that each class has, class by class; `None` if there are no ways at all.
    pub(super) fn shares(&self) -> Option<Vec<f64>> {
        let size = self.taken.len();
        let mut before = Vec::with_capacity(self.groups.len() * size);
        let all = self.forwards(&mut before);
        (all > 0.0).then(|| self.backwards(&before, all))
    }

    /// Writes the ways to reach each state before the last slot of each group; returns the ways to reach the end.
    fn forwards(&self, before: &mut Vec<f64>) -> f64 {
        let mut ways = Buffers::default();
        ways.now.resize(self.taken.len(), 0.0);
        ways.now[0] = 1.0;
        for stage in 0..=self.chain.len() {
            for group in self.groups.iter().filter(|group| group.stage == stage) {
                self.fill(group, group.slots - 1, &mut ways);
                before.extend_from_slice(&ways.now);
                self.fill(group, 1, &mut ways);
            }
            if let Some(link) = self.chain.get(stage) {
                for (ways, &taken) in ways.now.iter_mut().zip(&self.taken) {
                    *ways *= link.weight(taken).map_or(0.0, |(count, _)| count);
                }
            }
        }
        ways.now[self.taken.len() - 1]
    }

    /// What [`States::shares`] returns, from what [`States::forwards`] found. Of the rows that are counted here the
    /// first holds the ways to go on from each state to the end; the others those in which a given free slot goes to a
    /// class of the chain, the last class first. Rows are turned round, so that [`States::fill`] serves both
    /// directions.
    fn backwards(&self, before: &[f64], all: f64) -> Vec<f64> {
        let size = self.taken.len();
        let mut shares = vec![0.0; self.groups.len() * self.classes];
        let mut ways = Buffers::default();
        ways.now.resize(size, 0.0);
        ways.now[0] = 1.0 / all;
        for stage in (0..=self.chain.len()).rev() {
            if let Some(link) = self.chain.get(stage) {
                self.take(link, &mut ways);
            }
            for (index, group) in
                self.groups.iter().enumerate().filter(|(_, group)| group.stage == stage).rev()
            {
                let shares = &mut shares[index * self.classes..][..self.classes];
                self.meet(group, &before[index * size..][..size], &ways.now, shares);
                self.fill(group, group.slots, &mut ways);
            }
        }
        shares
    }

    /// Lets the pieces of a class of the chain have slots, and adds the row in which they take the given one.
    fn take(&self, link: &Link, ways: &mut Buffers) {
        let size = self.taken.len();
        let rows = ways.now.len() / size;
        ways.now.resize((rows + 1) * size, 0.0);
        for (place, &taken) in self.taken.iter().rev().enumerate() {
            let (count, share) = link.weight(taken).unwrap_or((0.0, 0.0));
            ways.now[rows * size + place] = ways.now[place] * count * share;
            ways.now[place] *= count;
            for row in 1..rows {
                ways.now[row * size + place] *= count * (1.0 - share);
            }
        }
    }

    /// Fills slots of a group: each is left free for the chain, if it may have it, or taken by a class outside it.
    fn fill(&self, group: &Group, slots: usize, ways: &mut Buffers) {
        let open = group.stage < self.chain.len();
        let axes = || self.axes.iter().filter(|axis| group.has(axis.class));
        // The ways to take some of the slots, as in (1 + x)^n = 1 + n x (1 + (n - 1) / 2 x (1 + ...)).
        let most = if open { slots.min(axes().map(|axis| axis.size).sum()) } else { slots };
        let Buffers { now, next, sum } = ways;
        sum.clone_from(now);
        for taken in (1..=most).rev() {
            let factor = if open { (slots - taken + 1) as f64 / taken as f64 } else { 1.0 };
            next.clear();
            if open {
                next.extend_from_slice(now);
            } else {
                next.resize(now.len(), 0.0);
            }
            for axis in axes() {
                for (to, from) in next.chunks_exact_mut(axis.run()).zip(sum.chunks_exact(axis.run())) {
                    for (to, from) in to[axis.stride..].iter_mut().zip(from) {
                        *to += factor * from;
                    }
                }
            }
            std::mem::swap(sum, next);
        }
        std::mem::swap(now, sum);
    }

    /// Who has the slot of a group between the states `before` it and the rows `after` it.
    fn meet(&self, group: &Group, before: &[f64], after: &[f64], shares: &mut [f64]) {
        let (end, chain) = after.split_at(before.len());
        let product =
            |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b.iter().rev()).map(|(a, b)| a * b).sum() };
        for (link, row) in self.chain.iter().rev().zip(chain.chunks_exact(before.len())) {
            shares[link.class] = product(before, row);
        }
        for axis in self.axes.iter().filter(|axis| group.has(axis.class)) {
            let runs = before.chunks_exact(axis.run()).zip(end.chunks_exact(axis.run()).rev());
            let inner = axis.run() - axis.stride;
            shares[axis.class] = runs.map(|(a, b)| product(&a[..inner], &b[..inner])).sum();
        }
    }
}
