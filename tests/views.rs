//! A player's view, folded from the events it is shown, against what the rules' text says it may know.

use outflank::event::{Event, mask_played, mask_setup};
use outflank::rng::Rng;
use outflank::rules::{
    Action, ByPiece, BySide, Ending, Outcome, PieceId, Position, Rank, RankSet, Reason, Ruleset, Setup, Side,
    Spn, Viewer, battle,
};
use outflank::view::View;
use outflank_referee::Referee;
use outflank_tests::{Policy, deal, random_setup, rescue_systems, rule_systems, sparse_setup};

/// What the other side may think of each piece, and which have moved, kept up from the truth by the rules' text.
struct Shown {
    sets: ByPiece<RankSet>,
    moved: ByPiece<bool>,
    rescuers: ByPiece<bool>,
    rescues: BySide<usize>,
    /// The latest rescue of each side, if it was open who came back.
    open: BySide<Option<Open>>,
}

/// A rescue by one of several dead.
#[derive(Clone)]
struct Open {
    back: PieceId,
    /// What the one that was taken out may have been.
    gone: RankSet,
    /// Each of the dead that may have come back, with what it may have been.
    sources: Vec<(PieceId, RankSet)>,
}

impl Shown {
    fn of(position: &Position) -> Shown {
        let letters = if position.rules().barrage { "FS239MB" } else { "FS23456789MB" };
        let army: RankSet = letters.chars().filter_map(Rank::from_letter).collect();
        Shown {
            sets: ByPiece::filled(army),
            moved: ByPiece::filled(false),
            rescuers: ByPiece::filled(false),
            rescues: BySide::default(),
            open: BySide::default(),
        }
    }

    fn keep(&mut self, id: PieceId, keeps: impl Fn(Rank) -> bool) {
        let set = &mut self.sets[id];
        *set = set.iter().filter(|&rank| keeps(rank)).collect();
    }

    /// Notes an action that is about to be made.
    fn note(&mut self, truth: &Position, action: Action) {
        self.note_ply(truth, action);
        self.judge_all();
    }

    fn judge_all(&mut self) {
        for open in self.open.clone().into_array().into_iter().flatten() {
            self.judge(&open);
        }
    }

    /// Leaves out what the dead cannot be, now that the one that came back shows so much of its rank.
    fn judge(&mut self, open: &Open) {
        let shown: RankSet = self.sets[open.back].iter().filter(|rank| rank.is_mobile()).collect();
        let came: Vec<PieceId> =
            open.sources.iter().filter(|(_, set)| set.meets(shown)).map(|(id, _)| *id).collect();
        for &(id, own) in &open.sources {
            let left = match (came.contains(&id), came.len()) {
                (false, _) => own,
                (true, 1) => open.gone,
                (true, _) => own.or(open.gone),
            };
            self.keep(id, |rank| left.contains(rank));
        }
    }

    fn note_ply(&mut self, truth: &Position, action: Action) {
        let rules = *truth.rules();
        let rank_of = |id: PieceId| truth.piece(id).ranks.single().unwrap();
        let mover = truth.piece_at(action.from).unwrap();
        let rank = rank_of(mover);
        self.moved[mover] = true;
        self.keep(mover, Rank::is_mobile);
        if action.distance() > 1 {
            self.keep(mover, |other| other == Rank::Scout);
        }
        let Some(victim) = truth.piece_at(action.to) else { return self.note_rescue(truth, action) };
        let defender = rank_of(victim);
        let outcome = battle(rank, defender, rules.strike_rules());
        if outcome == Outcome::Win && defender != Rank::Flag {
            self.note_rescue(truth, action);
        }
        self.keep(mover, |other| other == rank);
        if rules.advance && outcome == Outcome::Loss && defender != Rank::Bomb {
            self.moved[victim] = true;
        }
        if !rules.silent || rank == Rank::Scout || defender == Rank::Flag {
            self.keep(victim, |other| other == defender);
        } else {
            self.keep(victim, |other| {
                other != Rank::Flag && battle(rank, other, rules.strike_rules()) == outcome
            });
            if rules.advance && outcome == Outcome::Loss {
                // Everyone sees whether the winner advances, and only bombs do not.
                self.keep(victim, |other| (other == Rank::Bomb) == (defender == Rank::Bomb));
            }
        }
    }
}

impl Shown {
    /// Notes the rescue of an action that will not be void, if it has one.
    ///
    /// Where it is plain which of the dead comes back, that one is gone. Elsewhere ranks that are all accounted
    /// for, one of them among the dead, are first left out of every other set; then the dead piece of which most is
    /// known goes, and each other one that may have come back instead may be what that one was.
    fn note_rescue(&mut self, truth: &Position, action: Action) {
        let Some(rescue) = action.rescue else { return };
        let mover = truth.piece_at(action.from).unwrap();
        let (side, silent) = (mover.side(), truth.rules().silent);
        self.rescuers[mover] = true;
        self.keep(mover, |other| other != Rank::Scout);
        let may_return = |rank: &Rank| if silent { rank.is_mobile() } else { Some(*rank) == rescue.rank };
        let dead = truth.pieces(side).filter(|(_, piece)| !piece.is_alive()).map(|(id, _)| id);
        let mut dead: Vec<PieceId> = dead.collect();
        let exact = dead.iter().position(|id| !silent && self.sets[*id].single() == rescue.rank);
        if truth.is_strike(action) {
            let rank = truth.piece(mover).ranks.single().unwrap();
            self.keep(mover, |other| other == rank);
        }
        self.judge_all();
        if exact.is_none() {
            self.count_out(truth, side);
        }
        dead.retain(|id| self.sets[*id].iter().any(|rank| may_return(&rank)));
        let gone = exact.map_or_else(
            || *dead.iter().min_by_key(|id| (self.sets[**id].len(), **id)).unwrap(),
            |index| truth.pieces(side).filter(|(_, piece)| !piece.is_alive()).nth(index).unwrap().0,
        );
        let mut back = self.sets[gone].iter().filter(may_return).collect::<RankSet>();
        let new = PieceId::new(side, 40 + self.rescues[side]);
        self.open[side] = None;
        if exact.is_none() {
            let sources = dead.iter().map(|&id| (id, self.sets[id])).collect();
            self.open[side] = Some(Open { back: new, gone: self.sets[gone], sources });
            for id in dead.into_iter().filter(|&id| id != gone) {
                back = back.or(self.sets[id].iter().filter(may_return).collect());
                self.sets[id] = self.sets[id].or(self.sets[gone]);
                if !self.moved[gone] {
                    self.moved[id] = false;
                }
            }
        }
        self.rescues[side] += 1;
        self.sets[new] = back;
        self.moved[new] = true;
    }

    fn count_out(&mut self, truth: &Position, side: Side) {
        let army = truth.rules().army();
        let members: Vec<PieceId> = truth.pieces(side).map(|(id, _)| id).collect();
        let full = |rank: &Rank| {
            let known = members.iter().filter(|id| self.sets[**id] == RankSet::only(*rank)).count();
            let lies = |id: &PieceId| !truth.piece(*id).is_alive() && self.sets[*id] == RankSet::only(*rank);
            known == usize::from(army.count(*rank)) && members.iter().any(lies)
        };
        let full: RankSet = Rank::ALL.into_iter().filter(full).collect();
        for id in members {
            let set = self.sets[id];
            self.sets[id] = if set.len() > 1 { set.without(full) } else { set };
        }
    }
}

/// A game with everything that is compared.
struct Game {
    referee: Referee,
    truth: Position,
    views: BySide<View>,
    shown: Shown,
}

impl Game {
    fn new(rules: Ruleset, setups: &BySide<Setup>) -> Game {
        let truth = deal(rules, &setups[Side::Red], &setups[Side::Blue]);
        let mut views = BySide::from_fn(|side| View::new(side, rules));
        for side in Side::BOTH {
            for view in views.values_mut() {
                let masked = mask_setup(&setups[side], side, view.viewer());
                view.observe(&Event::Deployed(side, masked)).unwrap();
            }
        }
        let referee = Referee::new(rules, &setups[Side::Red], &setups[Side::Blue]).unwrap();
        Game { referee, shown: Shown::of(&truth), truth, views }
    }

    fn describe(&self) -> String {
        let plies: Vec<String> = self.truth.history().map(ToString::to_string).collect();
        let start = Spn { position: self.truth.clone(), viewer: Viewer::Both };
        format!("{start} after {}", plies.join(" "))
    }

    fn play(&mut self, action: Action) {
        self.shown.note(&self.truth, action);
        let events = self.referee.play(action).unwrap();
        let mover = self.truth.to_move();
        self.truth.play(action.into()).unwrap();
        let &played = self.truth.history().last().unwrap();
        for (side, view) in self.views.iter_mut() {
            let event = events[side];
            let masked = mask_played(played, mover, view.viewer(), self.truth.rules());
            assert_eq!(event, Event::Played(masked));
            view.observe(&event).unwrap_or_else(|error| panic!("{event:?}: {error}"));
        }
    }

    fn compare(&self) {
        assert_eq!(self.referee.ending(), self.truth.ending());
        assert_eq!(self.referee.actions(), self.truth.actions());
        for view in self.views.values() {
            self.compare_pieces(view);
            self.compare_play(view);
        }
    }

    fn compare_pieces(&self, view: &View) {
        let (position, viewer) = (view.position(), view.viewer());
        for side in Side::BOTH {
            assert_eq!(position.pieces(side).count(), self.truth.pieces(side).count());
            for (id, truth) in self.truth.pieces(side) {
                let (piece, shown) = (position.piece(id), self.shown.sets[id]);
                let expected = if side == viewer { truth.ranks } else { shown };
                assert_eq!(piece.ranks, expected, "{id:?} for {viewer}: {}", self.describe());
                assert_eq!(
                    (piece.learned, truth.learned),
                    (shown, shown),
                    "{id:?} for {viewer}: {}",
                    self.describe()
                );
                assert!(truth.ranks.is_within(piece.ranks), "{id:?} for {viewer}: {}", self.describe());
                assert_eq!(
                    (piece.square, piece.start, piece.moved, piece.rescuer),
                    (truth.square, truth.start, self.shown.moved[id], self.shown.rescuers[id])
                );
            }
        }
        let masked = self.truth.masked(viewer);
        assert_eq!(position.hash(), masked.hash(), "{}", self.describe());
        assert_eq!(position.hash(), position.hash_from_scratch());
        let text = |position: &Position| Spn { position: position.clone(), viewer: Viewer::Player(viewer) };
        assert_eq!(text(position).to_string(), text(&masked).to_string());
        for (id, piece) in view.ours_as_learned() {
            assert_eq!(piece.ranks, self.shown.sets[id]);
        }
    }

    fn compare_play(&self, view: &View) {
        let position = view.position();
        let public = (self.truth.to_move(), self.truth.ply(), self.truth.quiet());
        assert_eq!((position.to_move(), position.ply(), position.quiet()), public);
        assert!(agrees(position.ending(), self.truth.ending()), "{}", self.describe());
        let (listed, legal) = (position.actions(), self.truth.actions());
        if self.truth.to_move() == view.viewer() {
            assert!(position.ending() != self.truth.ending() || listed == legal, "{}", self.describe());
        } else if position.ending().is_none() {
            assert!(legal.iter().all(|action| listed.contains(action)), "{}", self.describe());
        }
    }
}

/// Whether a view may hold the one ending while the other is the truth: it cannot always tell who is stuck.
fn agrees(viewed: Option<Ending>, truth: Option<Ending>) -> bool {
    let untold = truth.is_some_and(|ending| matches!(ending.reason, Reason::Stuck | Reason::Attrition));
    let counted = viewed.is_none_or(|ending| matches!(ending.reason, Reason::Quiet | Reason::Plies));
    viewed == truth || untold && counted
}

fn silent_systems() -> Vec<Ruleset> {
    let silent = rule_systems().into_iter().map(|rules| Ruleset { silent: true, ..rules });
    silent.collect()
}

fn play_games(systems: &[Ruleset], policy: Option<Policy>, rounds: usize, seed: u64) -> [usize; 4] {
    let mut rng = Rng::new(seed);
    let (mut plies, mut strikes, mut untold, mut rescued) = (0, 0, 0, 0);
    for round in 0..rounds {
        for &rules in systems {
            // The referee deals whole armies only; thin them by fighting.
            let setups = BySide::from_fn(|_| random_setup(&rules, &mut rng));
            let mut game = Game::new(rules, &setups);
            let policy = policy.unwrap_or(Policy::ALL[round % Policy::ALL.len()]);
            game.compare();
            while game.truth.ply() < 300 && game.truth.ending().is_none() {
                let action = policy.choose(&game.truth, &game.truth.actions(), &mut rng);
                strikes += usize::from(game.truth.is_strike(action));
                game.play(action);
                game.compare();
                plies += 1;
            }
            rescued += game.views.values().map(rescued_unknown).sum::<usize>();
            let dead = |view: &View| {
                view.enemies().filter(|(_, piece)| !piece.is_alive() && piece.ranks.len() > 1).count()
            };
            untold += game.views.values().map(dead).sum::<usize>();
        }
    }
    [plies, strikes, untold, rescued]
}

#[test]
fn views_hold_what_the_rules_show() {
    let [plies, strikes, ..] = play_games(&rule_systems(), None, 2, 21);
    assert!(plies > 7_000 && strikes > 350, "{plies} {strikes}");
}

#[test]
fn fought_out_games_are_seen_right() {
    let [plies, strikes, ..] = play_games(&rule_systems(), Some(Policy::Fighter), 2, 22);
    assert!(plies > 4_000 && strikes > 800, "{plies} {strikes}");
}

#[test]
fn silently_beaten_pieces_stay_unknown() {
    let [_, strikes, untold, _] = play_games(&silent_systems(), Some(Policy::Fighter), 2, 23);
    assert!(strikes > 1_000 && untold > 150, "{strikes} {untold}");
}

/// Rescued pieces that a player does not know.
fn rescued_unknown(view: &View) -> usize {
    let rescued = view.enemies().filter(|(id, _)| id.number() >= 40);
    rescued.filter(|(_, piece)| piece.ranks.len() > 1).count()
}

#[test]
fn rescued_pieces_are_seen_as_the_rules_say() {
    let systems = rescue_systems();
    let [.., untold, rescued] = play_games(&systems, Some(Policy::Raider), 5, 26);
    assert!(untold > 150 && rescued > 10, "{untold} {rescued}");
    let shown: Vec<Ruleset> = systems.into_iter().filter(|rules| !rules.silent).collect();
    let [.., untold, rescued] = play_games(&shown, Some(Policy::Raider), 3, 27);
    assert_eq!((untold, rescued), (0, 0));
}

#[test]
#[ignore = "a soak of minutes: .ci/run runs it"]
fn soak_views_hold_what_the_rules_show() {
    let [plies, strikes, ..] = play_games(&rule_systems(), None, 6, 21);
    assert!(plies > 20_000 && strikes > 1_000, "{plies} {strikes}");
    let [plies, strikes, ..] = play_games(&rule_systems(), Some(Policy::Fighter), 5, 22);
    assert!(plies > 10_000 && strikes > 2_000, "{plies} {strikes}");
    let [_, strikes, untold, _] = play_games(&silent_systems(), Some(Policy::Fighter), 4, 23);
    assert!(strikes > 2_000 && untold > 300, "{strikes} {untold}");
    let [.., untold, rescued] = play_games(&rescue_systems(), Some(Policy::Raider), 10, 26);
    assert!(untold > 300 && rescued > 20, "{untold} {rescued}");
}

#[test]
fn undone_events_leave_no_trace() {
    let mut rng = Rng::new(24);
    for rules in silent_systems() {
        let setups = BySide::from_fn(|_| random_setup(&rules, &mut rng));
        let mut game = Game::new(rules, &setups);
        let opening = game.views.each_ref().map(|view| format!("{view:?}"));
        let mut made = 0;
        while made < 150 && game.truth.ending().is_none() {
            let action = Policy::Fighter.choose(&game.truth, &game.truth.actions(), &mut rng);
            game.play(action);
            made += 1;
        }
        for view in game.views.values_mut() {
            for _ in 0..made {
                assert!(view.undo());
            }
            assert!(!view.undo());
        }
        assert_eq!(game.views.each_ref().map(|view| format!("{view:?}")), opening);
    }
}

#[test]
fn the_opening_shows_squares_and_nothing_else() {
    let rules = Ruleset::default();
    let mut rng = Rng::new(25);
    let setups = BySide::from_fn(|_| random_setup(&rules, &mut rng));
    let referee = Referee::new(rules, &setups[Side::Red], &setups[Side::Blue]).unwrap();
    let opening = referee.opening();
    for (side, events) in Side::BOTH.into_iter().zip(&opening) {
        let setup = setups[side];
        assert_eq!(events[side], Event::Deployed(side, setup));
        assert_eq!(events[side.enemy()], Event::Deployed(side, setup.hidden()));
    }
    assert!(Referee::new(rules, &setups[Side::Red], &sparse_setup(&rules, 20, &mut rng)).is_err());
    assert!(Referee::new(rules, &Setup::HIDDEN, &setups[Side::Blue]).is_err());
}
