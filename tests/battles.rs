//! Every strike under every preset and option, against tables written out from the rule texts: who stays, where, and
//! what either player may conclude.

use outflank::event::{Event, mask_played};
use outflank::rules::{
    BySide, Outcome, PieceId, Position, Preset, Rank, RankSet, Ruleset, Side, Spn, Viewer,
};
use outflank::view::View;
use outflank_tests::{action, legal, study};

/// The columns of [`STRIKES`].
const DEFENDERS: &str = "M98765432SBF";

/// How each piece fares that strikes, from the higher to the lower: `W`in, `L`oss, `T`ie.
const STRIKES: [(char, &str); 10] = [
    ('M', "TWWWWWWWWWLW"),
    ('9', "LTWWWWWWWWLW"),
    ('8', "LLTWWWWWWWLW"),
    ('7', "LLLTWWWWWWLW"),
    ('6', "LLLLTWWWWWLW"),
    ('5', "LLLLLTWWWWLW"),
    ('4', "LLLLLLTWWWLW"),
    ('3', "LLLLLLLTWWWW"),
    ('2', "LLLLLLLLTWLW"),
    ('S', "WLLLLLLLLTLW"),
];

/// What is left of an untold defender after a silent strike that won, and after one that lost. A flag that falls ends
/// the game and is shown.
const SILENT: [(char, &str, &str); 9] = [
    ('M', "S23456789", "B"),
    ('9', "S2345678", "MB"),
    ('8', "S234567", "9MB"),
    ('7', "S23456", "89MB"),
    ('6', "S2345", "789MB"),
    ('5', "S234", "6789MB"),
    ('4', "S23", "56789MB"),
    ('3', "S2B", "456789M"),
    ('S', "M", "23456789B"),
];

fn rank(letter: char) -> Rank {
    Rank::from_letter(letter).unwrap()
}

fn set(letters: &str) -> RankSet {
    letters.chars().map(rank).collect()
}

/// Every preset, plain and with every mixture of the options that a strike asks for.
fn systems() -> Vec<Ruleset> {
    let mut systems = Vec::new();
    for preset in Preset::ALL {
        for options in 0..16 {
            let plain = Ruleset::of(preset);
            let on = |bit: u32| options >> bit & 1 == 1;
            systems.push(Ruleset {
                aggressor: on(0),
                silent: on(1),
                advance: if on(2) { !plain.advance } else { plain.advance },
                scout: if on(3) { !plain.scout } else { plain.scout },
                ..plain
            });
        }
    }
    systems
}

/// A strike at a piece that stands where it began: the truth and both players' views before it.
struct Fight {
    truth: Position,
    views: BySide<View>,
    striker: PieceId,
    defender: PieceId,
}

/// The squares of the striker and of the defender.
fn squares(side: Side) -> (&'static str, &'static str) {
    if side == Side::Red { ("e6", "e7") } else { ("e5", "e4") }
}

impl Fight {
    fn new(rules: Ruleset, side: Side, striker: char, defender: char) -> Fight {
        let (from, to) = squares(side);
        let (own, other) = if side == Side::Red { ('r', 'b') } else { ('b', 'r') };
        // The flag that may fall is the army's only one.
        let flag = if defender == 'F' { String::new() } else { format!("{other}Fa{}", home(side.enemy())) };
        let pieces = format!(
            "{own}{striker}{from} {other}{defender}{to} {own}Fj{} {flag} {own}4b1 {other}4b10",
            home(side)
        );
        let spn = study(rules, side, &pieces);
        let views = BySide::from_fn(|viewer| View::from_spn(&spn, viewer));
        let id = |square: &str| spn.position.piece_at(square.parse().unwrap()).unwrap();
        Fight { striker: id(from), defender: id(to), views, truth: spn.position }
    }

    /// Strikes; returns how it ended.
    fn strike(&mut self, side: Side) -> String {
        let (from, to) = squares(side);
        let action = action(&format!("{from}{to}"));
        assert!(self.truth.is_legal(action), "{}", self.describe());
        self.truth.play(action.into()).unwrap();
        let played = *self.truth.history().last().unwrap();
        for view in self.views.values_mut() {
            let seen = mask_played(played, side, view.viewer(), self.truth.rules());
            view.observe(&Event::Played(seen)).unwrap();
        }
        played.verdict.unwrap().outcome.letter().to_string()
    }

    fn describe(&self) -> String {
        Spn { position: self.truth.clone(), viewer: Viewer::Both }.to_string()
    }

    fn square(&self, id: PieceId) -> Option<String> {
        self.truth.piece(id).square.map(|square| square.to_string())
    }

    /// What the player across takes a piece for, by its own view and by its owner's account of it.
    fn taken_for(&self, id: PieceId) -> RankSet {
        let across = self.views[id.side().enemy()].position().piece(id).ranks;
        let ours = self.views[id.side()].ours_as_learned().find(|(other, _)| *other == id);
        assert_eq!(ours.map(|(_, piece)| piece.ranks), Some(across), "{}", self.describe());
        across
    }
}

fn home(side: Side) -> &'static str {
    if side == Side::Red { "1" } else { "10" }
}

fn expected(striker: char, defender: char, aggressor: bool) -> char {
    let (_, row) = STRIKES.iter().find(|(letter, _)| *letter == striker).unwrap();
    let outcome = row.chars().nth(DEFENDERS.find(defender).unwrap()).unwrap();
    if outcome == 'T' && aggressor { 'W' } else { outcome }
}

/// Shows each strike, once made, to `look`, with the outcome that the table expects.
fn for_every_strike(mut look: impl FnMut(&Fight, &Ruleset, Side, (char, char), char)) -> usize {
    let mut strikes = 0;
    for rules in systems() {
        for side in Side::BOTH {
            for (striker, _) in STRIKES {
                for defender in DEFENDERS.chars() {
                    let mut fight = Fight::new(rules, side, striker, defender);
                    let outcome = expected(striker, defender, rules.aggressor);
                    let made = fight.strike(side);
                    assert_eq!(made, outcome.to_string(), "{striker} x {defender}: {rules}");
                    look(&fight, &rules, side, (striker, defender), outcome);
                    strikes += 1;
                }
            }
        }
    }
    strikes
}

#[test]
fn every_strike_leaves_who_the_tables_say_where_they_say() {
    let strikes = for_every_strike(|fight, rules, side, (striker, defender), outcome| {
        let (from, to) = squares(side);
        let stands = (fight.square(fight.striker), fight.square(fight.defender));
        let (own, other) = match outcome {
            'W' => (Some(to), None),
            'T' => (None, None),
            // Only the 1961 wording moves a defender that wins, and no bomb ever moves.
            _ if rules.advance && defender != 'B' => (None, Some(from)),
            _ => (None, Some(to)),
        };
        assert_eq!(
            (stands.0.as_deref(), stands.1.as_deref()),
            (own, other),
            "{striker} x {defender}: {rules}"
        );
        let ended = fight.truth.ending().map(|ending| (ending.winner, ending.reason.name()));
        let flag = (defender == 'F').then_some((Some(side), "flag"));
        assert_eq!(ended, flag, "{striker} x {defender}: {rules}");
        assert_eq!(fight.truth.to_move(), side.enemy());
    });
    assert_eq!(strikes, 7 * 16 * 2 * 120);
}

#[test]
fn a_strike_tells_both_ranks_unless_it_is_silent() {
    for_every_strike(|fight, rules, _, (striker, defender), outcome| {
        assert_eq!(fight.taken_for(fight.striker).single(), Some(rank(striker)), "the striker declares");
        let taken = fight.taken_for(fight.defender);
        if !rules.silent || striker == '2' || defender == 'F' {
            assert_eq!(taken.single(), Some(rank(defender)), "{striker} x {defender}: {rules}");
        } else {
            assert!(
                taken.contains(rank(defender))
                    && (taken.len() > 1 || outcome != 'L' || striker == 'M' || rules.advance)
            );
        }
    });
}

#[test]
fn a_silent_strike_leaves_an_inequality() {
    let mut looked = 0;
    for_every_strike(|fight, rules, _, (striker, defender), outcome| {
        if !rules.silent || striker == '2' || defender == 'F' {
            return;
        }
        let (_, beaten, stronger) = SILENT.iter().find(|(letter, ..)| *letter == striker).unwrap();
        let left = match outcome {
            'W' if rules.aggressor => set(beaten).or(RankSet::only(rank(striker))),
            'W' => set(beaten),
            'T' => RankSet::only(rank(striker)),
            // All see whether a winner advances, and a bomb does not.
            _ if rules.advance && defender == 'B' => RankSet::only(Rank::Bomb),
            _ if rules.advance => set(stronger).without(RankSet::only(Rank::Bomb)),
            _ => set(stronger),
        };
        assert_eq!(fight.taken_for(fight.defender), left, "{striker} x {defender}: {rules}");
        looked += 1;
    });
    assert_eq!(looked, 7 * 8 * 2 * 99);
}

#[test]
fn a_silently_beaten_piece_is_unknown_among_the_dead() {
    let rules = Ruleset { silent: true, ..Ruleset::default() };
    let mut fight = Fight::new(rules, Side::Red, '6', '4');
    fight.strike(Side::Red);
    let view = &fight.views[Side::Red];
    let text = Spn { position: view.position().clone(), viewer: Viewer::Player(Side::Red) }.to_string();
    assert!(text.contains(",?[S2345] "), "{text}");
    // Its owner keeps it, knows it, and knows what Red cannot tell.
    let text =
        Spn { position: fight.views[Side::Blue].position().clone(), viewer: Viewer::Player(Side::Blue) };
    assert!(text.to_string().contains(",4[S2345] "), "{text}");
}

#[test]
fn nothing_but_mobile_pieces_strikes() {
    for preset in Preset::ALL {
        for still in ["B", "F"] {
            let other = if still == "F" { "" } else { "rFa1" };
            let spn = study(Ruleset::of(preset), Side::Red, &format!("r{still}e4 bMe5 {other} bFa10 r4j1"));
            assert_eq!(legal(&spn.position), ["j1i1", "j1j2"], "{still} {preset:?}");
        }
    }
}

#[test]
fn strikes_go_to_the_four_neighbours_alone_and_are_never_forced() {
    for preset in Preset::ALL {
        let spn =
            study(Ruleset::of(preset), Side::Red, "r6e4 b4d3 b4f3 b4f5 b5e5 b5e3 b5d4 b5f4 rFa1 bFa10 r4j1");
        // d5 is a lake; the diagonals d3, f3, f5 are out of reach.
        assert_eq!(legal(&spn.position), ["e4d4", "e4e3", "e4e5", "e4f4", "j1i1", "j1j2"], "{preset:?}");
    }
}

#[test]
fn either_side_may_strike_first_on_its_turn() {
    for turn in Side::BOTH {
        let spn = study(Ruleset::default(), turn, "r6e4 b4e5 rFa1 bFa10");
        let strike = if turn == Side::Red { "e4e5" } else { "e5e4" };
        assert!(spn.position.is_legal(action(strike)));
        let idle = if turn == Side::Red { "e4e3" } else { "e5e6" };
        assert!(spn.position.is_legal(action(idle)), "a strike is optional");
    }
}

#[test]
fn a_scout_strikes_from_afar_only_where_the_rules_let_it() {
    for preset in Preset::ALL {
        let rules = Ruleset::of(preset);
        let spn = study(rules, Side::Red, "r2e1 b4e4 rFa1 bFa10");
        assert_eq!(spn.position.is_legal(action("e1e4")), preset != Preset::Original1961, "{preset:?}");
        assert!(spn.position.is_legal(action("e1e3")) && !spn.position.is_legal(action("e1e5")));
        // Next to its target it strikes under every rule system.
        assert!(study(rules, Side::Red, "r2e3 b4e4 rFa1 bFa10").position.is_legal(action("e3e4")));
        // No other piece does.
        assert!(!study(rules, Side::Red, "r9e1 b4e4 rFa1 bFa10").position.is_legal(action("e1e4")));
    }
}

#[test]
fn the_spy_beats_the_marshal_only_by_striking() {
    for rules in systems() {
        assert_eq!(Fight::new(rules, Side::Red, 'S', 'M').strike(Side::Red), "W");
        assert_eq!(Fight::new(rules, Side::Red, 'M', 'S').strike(Side::Red), "W");
        assert_eq!(Fight::new(rules, Side::Blue, 'S', '9').strike(Side::Blue), "L");
        assert_eq!(Fight::new(rules, Side::Blue, 'S', 'F').strike(Side::Blue), "W");
        let equal = if rules.aggressor { "W" } else { "T" };
        assert_eq!(Fight::new(rules, Side::Blue, 'S', 'S').strike(Side::Blue), equal);
    }
}

#[test]
fn an_advance_marks_the_winner_as_moved_and_is_no_action_of_its_side() {
    let rules = Ruleset { twosquares: 1, ..Ruleset::of(Preset::Original1961) };
    let mut fight = Fight::new(rules, Side::Red, '4', '6');
    fight.strike(Side::Red);
    let winner = fight.truth.piece(fight.defender);
    assert!(winner.moved && winner.first_move.is_none());
    // Blue's captain has just gone e5 to e4 without acting: the way back is not a second crossing.
    assert_eq!(fight.truth.repetition(action("e4e5")), None);
    assert_eq!(fight.truth.history().last().unwrap().verdict.unwrap().outcome, Outcome::Loss);
}
