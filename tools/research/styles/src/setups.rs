//! Setups: each style draws its own kind.

use outflank::rng::Rng;
use outflank::rules::{Army, ByRank, Cell, Rank, RankSet, Ruleset, Setup, Square};

/// A kind of setup: how likely each rank is to stand where.
#[derive(Clone, Debug)]
pub struct Taste {
    /// Weights of the rows for the flag, the back row first.
    pub flag_rows: [usize; 4],
    /// Weights of the files for the flag, from the owner's left.
    pub flag_files: [usize; 10],
    /// So many bombs at most stand beside the flag.
    pub guards: usize,
    /// Weights of the rows for all else, the back row first.
    pub rows: ByRank<[usize; 4]>,
    /// These ranks stand on one wing, if any do.
    pub wing: Option<(RankSet, Wing)>,
}

/// A side of the board, as the owner of a setup sees it.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum Wing {
    /// The first three files.
    Left,
    /// The last three.
    Right,
}

impl Wing {
    /// One of them.
    pub fn any(rng: &mut Rng) -> Wing {
        if rng.below(2) == 0 { Wing::Left } else { Wing::Right }
    }

    const fn has(self, file: usize) -> bool {
        match self {
            Wing::Left => file < 3,
            Wing::Right => file > 6,
        }
    }
}

impl Taste {
    /// As people set up: the flag at home behind bombs, strong pieces and scouts in front, miners behind.
    pub fn ordinary(rng: &mut Rng) -> Taste {
        let rows = ByRank::new([
            [1, 0, 0, 0],
            [2, 5, 3, 0],
            [3, 2, 3, 5],
            [6, 4, 2, 1],
            [3, 3, 3, 2],
            [2, 3, 3, 3],
            [1, 2, 3, 4],
            [1, 2, 4, 3],
            [1, 3, 4, 2],
            [1, 3, 4, 2],
            [1, 3, 4, 2],
            [4, 3, 2, 1],
        ]);
        Taste {
            flag_rows: [9, 1, 0, 0],
            flag_files: [4, 5, 4, 2, 2, 2, 2, 4, 5, 4],
            guards: 2 + rng.below(2),
            rows,
            wing: None,
        }
    }

    /// The taste, with other rows for these ranks.
    pub fn with(mut self, ranks: &[Rank], rows: [usize; 4]) -> Taste {
        for rank in ranks {
            self.rows[*rank] = rows;
        }
        self
    }

    fn weight(&self, rank: Rank, place: usize) -> usize {
        let row = self.rows[rank][place / 10];
        match self.wing {
            Some((ranks, wing)) if ranks.contains(rank) && !wing.has(place % 10) => 0,
            _ => row,
        }
    }
}

/// The order in which pieces are given their places: whoever is choosier comes first.
const ORDER: [Rank; 11] = [
    Rank::Marshal,
    Rank::General,
    Rank::Spy,
    Rank::Colonel,
    Rank::Major,
    Rank::Miner,
    Rank::Bomb,
    Rank::Scout,
    Rank::Captain,
    Rank::Lieutenant,
    Rank::Sergeant,
];
/// Attempts at a setup that can be played.
const ATTEMPTS: usize = 200;

/// Draws a setup of this kind.
pub fn draw(taste: &Taste, rules: &Ruleset, rng: &mut Rng) -> Setup {
    let mut setup = attempt(taste, &rules.army(), rng);
    for _ in 0..ATTEMPTS {
        if playable(&setup, rules) {
            break;
        }
        setup = attempt(taste, &rules.army(), rng);
    }
    setup
}

fn attempt(taste: &Taste, army: &Army, rng: &mut Rng) -> Setup {
    let mut setup = Setup([Cell::Empty; 40]);
    let mut left = *army.counts();
    let flag = place(&setup, |place| taste.flag_rows[place / 10] * taste.flag_files[place % 10], rng);
    put(&mut setup, &mut left, flag, Rank::Flag);
    for beside in beside(flag).into_iter().take(taste.guards) {
        if left[Rank::Bomb] > 0 {
            put(&mut setup, &mut left, beside, Rank::Bomb);
        }
    }
    if army.size() < setup.0.len() {
        close_doors(&mut setup, &mut left, flag, rng);
    }
    for rank in ORDER {
        while left[rank] > 0 {
            let chosen = place(&setup, |place| taste.weight(rank, place), rng);
            put(&mut setup, &mut left, chosen, rank);
        }
    }
    setup
}

/// Most empty places beside a flag are closed by low pieces, where an army leaves places empty: scouts would run in.
fn close_doors(setup: &mut Setup, left: &mut ByRank<u8>, flag: usize, rng: &mut Rng) {
    for door in beside(flag) {
        let low = [Rank::Spy, Rank::Miner, Rank::Scout].into_iter().filter(|rank| left[*rank] > 0);
        let low: Vec<Rank> = low.collect();
        if setup.0[door] == Cell::Empty && !low.is_empty() && rng.below(6) > 0 {
            put(setup, left, door, low[rng.below(low.len())]);
        }
    }
}

fn put(setup: &mut Setup, left: &mut ByRank<u8>, place: usize, rank: Rank) {
    setup.0[place] = Cell::Known(rank);
    left[rank] -= 1;
}

/// The places beside one, the one before it first.
fn beside(place: usize) -> Vec<usize> {
    let file = place % 10;
    let sides = [(file > 0).then(|| place - 1), (file < 9).then_some(place + 1)];
    let rows = [(place < 30).then_some(place + 10), (place >= 10).then(|| place - 10)];
    let [ahead, behind] = rows;
    [ahead].into_iter().chain(sides).chain([behind]).flatten().collect()
}

/// An empty place, drawn by weight; any, if those with a weight are taken.
fn place(setup: &Setup, weight: impl Fn(usize) -> usize, rng: &mut Rng) -> usize {
    let empty: Vec<usize> = (0..40).filter(|&place| setup.0[place] == Cell::Empty).collect();
    let sum: usize = empty.iter().map(|&place| weight(place)).sum();
    if sum == 0 {
        return empty[rng.below(empty.len())];
    }
    let mut drawn = rng.below(sum);
    for &place in &empty {
        match drawn.checked_sub(weight(place)) {
            None => return place,
            Some(rest) => drawn = rest,
        }
    }
    empty[0]
}

/// Whether pieces can come out: at least three of those before no lake move. In barrage, whether no scout runs into
/// the flag at once.
fn playable(setup: &Setup, rules: &Ruleset) -> bool {
    if rules.barrage {
        return !open_ahead(setup);
    }
    let open = (30..40).filter(|place| before_open(*place));
    open.filter(|&place| matches!(setup.0[place], Cell::Known(rank) if rank.is_mobile())).count() >= 3
}

fn before_open(place: usize) -> bool {
    Square::new((place % 10) as u8, 4).is_some()
}

fn open_ahead(setup: &Setup) -> bool {
    let Some(flag) = setup.0.iter().position(|cell| *cell == Cell::Known(Rank::Flag)) else { return false };
    before_open(flag) && (flag + 10..40).step_by(10).all(|ahead| setup.0[ahead] == Cell::Empty)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_beside_one_stay_on_the_board() {
        assert_eq!(beside(0), [10, 1]);
        assert_eq!(beside(9), [19, 8]);
        assert_eq!(beside(35), [34, 36, 25]);
        assert_eq!(beside(15), [25, 14, 16, 5]);
    }

    #[test]
    fn a_wing_has_what_is_to_stand_there() {
        let mut rng = Rng::new(2);
        for wing in [Wing::Left, Wing::Right] {
            let ranks: RankSet = [Rank::Marshal, Rank::General].into_iter().collect();
            let taste = Taste { wing: Some((ranks, wing)), ..Taste::ordinary(&mut rng) };
            let setup = draw(&taste, &Ruleset::default(), &mut rng);
            for (place, cell) in setup.0.iter().enumerate() {
                if [Cell::Known(Rank::Marshal), Cell::Known(Rank::General)].contains(cell) {
                    assert!(wing.has(place % 10), "{setup}");
                }
            }
        }
    }
}
