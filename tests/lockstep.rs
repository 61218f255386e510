//! Random games played by the engine's rules and by the twin side by side.

use outflank::rng::Rng;
use outflank::rules::{Action, BySide, Position, Preset, Rank, Repetition, Ruleset, Setup, Side, Stuck};
use outflank_tests::{
    Policy, action_of, deal, random_setup, rescue_systems, rule_systems, sparse_setup, turn_of,
};
use outflank_twin::{Turn, Twin};

/// How often the rules that need a history, and the endings, were met.
#[derive(Debug, Default)]
struct Met {
    plies: usize,
    two_squares: usize,
    more_squares: usize,
    more_squares_alone: usize,
    broken: usize,
    undone: usize,
    rescues: usize,
    void: usize,
    second_rescues: usize,
    endings: [usize; 5],
    drawn_stuck: usize,
}

struct Game {
    position: Position,
    twin: Twin,
    policies: BySide<Policy>,
}

impl Game {
    fn new(rules: Ruleset, setups: &BySide<Setup>, policies: BySide<Policy>) -> Game {
        let text = |side: Side| setups[side].0.iter().map(|cell| cell.letter()).collect::<String>();
        let twin = Twin::new(rules, &text(Side::Red), &text(Side::Blue));
        Game { position: deal(rules, &setups[Side::Red], &setups[Side::Blue]), twin, policies }
    }

    /// The game so far, for a failing comparison.
    fn describe(&self) -> String {
        let plies: Vec<String> = self.position.history().map(ToString::to_string).collect();
        format!("{} {:?} after {}", self.twin.rules, self.twin.board, plies.join(" "))
    }

    /// Compares everything that both can be asked.
    fn compare(&self, met: &mut Met) {
        let context = || self.describe();
        assert_eq!(self.position.ending(), self.twin.ending, "{}", context());
        assert_eq!(self.position.to_move(), self.twin.turn);
        let mut listed: Vec<Turn> = self.position.actions().into_iter().map(turn_of).collect();
        let mut legal = self.twin.legal();
        listed.sort_unstable();
        legal.sort_unstable();
        assert_eq!(listed, legal, "{}", context());
        let chases = self.twin.chases();
        for ply in self.twin.reachable().into_iter().filter(|&ply| !legal.contains(&(ply, None))) {
            let two_squares = self.twin.breaks_two_squares(ply);
            let more_squares = self.twin.breaks_more_squares(ply, &chases);
            met.two_squares += usize::from(two_squares);
            met.more_squares += usize::from(more_squares);
            met.more_squares_alone += usize::from(more_squares && !two_squares);
            match self.position.repetition(action_of(ply)) {
                Some(Repetition::TwoSquares) => assert!(two_squares, "{}", context()),
                Some(Repetition::MoreSquares) => assert!(more_squares, "{}", context()),
                None => panic!("the engine accepts {ply:?}: {}", context()),
            }
        }
        for (&(file, row), man) in &self.twin.board {
            let square = outflank::rules::Square::new(file, row).unwrap();
            let id = self.position.piece_at(square).expect("a piece stands there");
            assert_eq!((id.side(), self.position.piece(id).ranks.single()), (man.side, Some(man.rank)));
        }
        self.compare_captured();
        let standing = outflank::rules::Side::BOTH.map(|side| self.position.occupied(side).len() as usize);
        assert_eq!(standing.iter().sum::<usize>(), self.twin.board.len());
    }

    fn compare_captured(&self) {
        for side in Side::BOTH {
            let dead = self.position.pieces(side).filter(|(_, piece)| !piece.is_alive());
            let mut ours: Vec<Rank> = dead.map(|(_, piece)| piece.ranks.single().unwrap()).collect();
            let mut twins: Vec<Rank> =
                self.twin.captured.iter().filter(|man| man.side == side).map(|man| man.rank).collect();
            ours.sort_unstable();
            twins.sort_unstable();
            assert_eq!(ours, twins, "{}", self.describe());
        }
    }

    /// An action by the mover's policy; now and then one that breaks a repetition rule, as an enemy's may.
    fn choose(&self, met: &mut Met, rng: &mut Rng) -> Action {
        let actions = self.position.actions();
        if rng.below(50) == 0 {
            let mut others = self.twin.reachable();
            others.retain(|&ply| !actions.contains(&action_of(ply)));
            if !others.is_empty() {
                met.broken += 1;
                return action_of(others[rng.below(others.len())]);
            }
        }
        let policy = self.policies[self.position.to_move()];
        policy.choose(&self.position, &actions, rng)
    }

    fn play(&mut self, most: usize, met: &mut Met, rng: &mut Rng) {
        self.compare(met);
        while self.twin.plies() < most && self.twin.ending.is_none() {
            let action = self.choose(met, rng);
            self.position.play(action.into()).unwrap();
            self.twin.play(turn_of(action));
            met.plies += 1;
            met.rescues += usize::from(!self.position.last_rescue().is_empty());
            let made = self.position.rescues(self.twin.turn.enemy());
            met.second_rescues += usize::from(!self.position.last_rescue().is_empty() && made == 2);
            met.void += usize::from(action.rescue.is_some() && self.position.last_rescue().is_empty());
            self.compare(met);
            if rng.below(40) == 0 {
                self.take_back(1 + rng.below(6), met);
            }
        }
        if let Some(ending) = self.twin.ending {
            met.endings[ending.reason as usize] += 1;
            met.drawn_stuck +=
                usize::from(ending.winner.is_none() && ending.reason == outflank::rules::Reason::Stuck);
            self.take_back(1, met);
        }
    }

    fn take_back(&mut self, count: usize, met: &mut Met) {
        for _ in 0..count.min(self.twin.plies()) {
            assert!(self.position.undo());
            self.twin.undo();
            met.undone += 1;
        }
        self.compare(met);
    }
}

/// Rule systems with *more squares*, and little else to end a chase.
fn chase_systems() -> Vec<Ruleset> {
    let isf = Ruleset { moresquares: true, ..Ruleset::default() };
    let variants = [
        isf,
        Ruleset::of(Preset::Gravon),
        Ruleset::of(Preset::Wiki),
        Ruleset { twosquares: 0, ..isf },
        Ruleset { twosquares: 8, ..isf },
        Ruleset { advance: true, ..isf },
        Ruleset { scout: false, stuck: Stuck::Attrition, ..isf },
    ];
    variants.to_vec()
}

/// How many pieces each side begins with.
#[derive(Copy, Clone)]
enum Armies {
    Whole,
    UpTo(usize),
}

fn play_games(systems: &[Ruleset], policies: &[Policy], armies: Armies, rounds: usize, seed: u64) -> Met {
    let mut rng = Rng::new(seed);
    let mut met = Met::default();
    for round in 0..rounds {
        for &rules in systems {
            let setups = BySide::from_fn(|_| match armies {
                Armies::UpTo(most) => sparse_setup(&rules, 2 + rng.below(most - 1), &mut rng),
                Armies::Whole => random_setup(&rules, &mut rng),
            });
            let policies =
                BySide::new([policies[round % policies.len()], policies[rng.below(policies.len())]]);
            Game::new(rules, &setups, policies).play(250, &mut met, &mut rng);
        }
    }
    println!("{met:?}");
    met
}

#[test]
fn whole_armies_play_alike() {
    let met = play_games(&rule_systems(), &Policy::ALL, Armies::Whole, 1, 1);
    assert!(met.plies > 5_000 && met.undone > 250, "{met:?}");
    assert!(met.two_squares > 100, "{met:?}");
}

#[test]
fn few_pieces_play_alike() {
    let met = play_games(&rule_systems(), &Policy::ALL, Armies::UpTo(8), 2, 2);
    assert!(met.two_squares > 1000 && met.broken > 40, "{met:?}");
    assert!(met.endings.iter().all(|&count| count >= 1), "{met:?}");
}

#[test]
#[ignore = "a soak of minutes: .ci/run runs it"]
fn soak_armies_of_all_sizes_play_alike() {
    let met = play_games(&rule_systems(), &Policy::ALL, Armies::Whole, 16, 1);
    assert!(met.plies > 80_000 && met.undone > 4000 && met.two_squares > 4000, "{met:?}");
    let met = play_games(&rule_systems(), &Policy::ALL, Armies::UpTo(8), 40, 2);
    assert!(met.two_squares > 20_000 && met.broken > 800, "{met:?}");
    assert!(met.endings.iter().all(|&count| count >= 20), "{met:?}");
    chase(32);
    rescue(16, 40);
}

#[test]
fn games_get_stuck_alike() {
    let systems = [Stuck::Loses, Stuck::Attrition, Stuck::DrawIfBoth].map(|stuck| Ruleset {
        stuck,
        twosquares: 1,
        scout: false,
        ..Ruleset::default()
    });
    let met = play_games(&systems, &[Policy::Fighter, Policy::Chaser], Armies::UpTo(4), 40, 4);
    let [flag, stuck, attrition, ..] = met.endings;
    assert!(flag > 10 && stuck > 10 && attrition > 10 && met.drawn_stuck > 0, "{met:?}");
}

#[test]
fn chases_play_alike() {
    chase(3);
}

fn chase(rounds: usize) {
    let met = play_games(&chase_systems(), &[Policy::Chaser], Armies::UpTo(5), rounds, 3);
    assert!(met.more_squares > 30 * rounds && met.more_squares_alone > 15 * rounds, "{met:?}");
}

#[test]
fn rescues_play_alike() {
    rescue(2, 4);
}

fn rescue(whole: usize, few: usize) {
    let met = play_games(&rescue_systems(), &[Policy::Raider, Policy::Uniform], Armies::Whole, whole, 5);
    assert!(met.rescues > 7 * whole && met.second_rescues > whole && met.void > 2 * whole, "{met:?}");
    let met = play_games(&rescue_systems(), &[Policy::Raider, Policy::Fighter], Armies::UpTo(14), few, 6);
    assert!(met.rescues > 3 * few && met.second_rescues > few / 2 && 4 * met.void >= few, "{met:?}");
}
