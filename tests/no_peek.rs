//! The law that matters most: what an engine's player does not know changes nothing it knows, thinks, says or does.
//!
//! A game is played; then the enemy's hidden ranks are exchanged in every way that the player's history allows, and
//! the game is played again. The player must see, believe and choose the same, bit for bit.

use crate::host::Host;
use outflank::belief::parts_per_million;
use outflank::engine::{Control, Engine, Settings};
use outflank::eval::Terms;
use outflank::event::Event;
use outflank::rng::Rng;
use outflank::rules::{
    Action, ByRank, BySide, Cell, PieceId, Position, Rank, Rescue, Ruleset, Setup, Side, Spn, Viewer,
};
use outflank::search::Budget;
use outflank::view::View;
use outflank_referee::{Events, Referee};
use outflank_tests::{Policy, Stopped, random_setup, rescue_systems, rule_systems};
use std::fmt::Write as _;
use std::sync::atomic::AtomicBool;

/// A game between two setups, and what each player saw of it.
struct Game {
    rules: Ruleset,
    setups: BySide<Setup>,
    actions: Vec<Action>,
    events: BySide<Vec<Event>>,
    /// Whether it went on to the last action and no further.
    running: bool,
}

impl Game {
    /// Plays `actions`; `None` if the referee refuses one. What `disguised` hands back unseen is its strongest.
    fn replay(
        rules: Ruleset,
        setups: BySide<Setup>,
        actions: &[Action],
        disguised: Option<Side>,
    ) -> Option<Game> {
        let mut referee = Referee::new(rules, &setups[Side::Red], &setups[Side::Blue]).unwrap();
        let mut truth = outflank_tests::deal(rules, &setups[Side::Red], &setups[Side::Blue]);
        let mut actions = actions.to_vec();
        let mut events = BySide::from_fn(|_| Vec::new());
        let mut note = |seen: Events| {
            for (side, list) in events.iter_mut() {
                list.push(seen[side]);
            }
        };
        referee.opening().into_iter().for_each(&mut note);
        for action in &mut actions {
            let side = truth.to_move();
            if rules.silent && disguised == Some(side) {
                let strongest = truth.rescuable(side).iter().last();
                action.rescue = action.rescue.map(|rescue| Rescue { rank: strongest, ..rescue });
            }
            note(referee.play(*action).ok()?);
            truth.play((*action).into()).ok()?;
        }
        let running = referee.ending().is_none();
        Some(Game { rules, setups, actions, events, running })
    }

    /// Plays a new game of up to `plies`; the last action leaves `viewer` to move.
    fn random(rules: Ruleset, viewer: Side, plies: usize, policy: Policy, rng: &mut Rng) -> Game {
        let setups = BySide::from_fn(|_| random_setup(&rules, rng));
        let mut position = outflank_tests::deal(rules, &setups[Side::Red], &setups[Side::Blue]);
        let mut actions = Vec::new();
        while (actions.len() < plies || position.to_move() != viewer) && position.ending().is_none() {
            let action = policy.choose(&position, &position.actions(), rng);
            position.play(action.into()).unwrap();
            actions.push(action);
        }
        Game::replay(rules, setups, &actions, None).unwrap()
    }

    fn view(&self, viewer: Side) -> View {
        let mut view = View::new(viewer, self.rules);
        for event in &self.events[viewer] {
            view.observe(event).unwrap();
        }
        view
    }

    /// The same game with the ranks that `viewer` does not know exchanged at random, within what it knows.
    fn disguised(&self, viewer: Side, rng: &mut Rng) -> Option<Game> {
        let view = self.view(viewer);
        if !self.rules.silent || view.position().rescues(viewer.enemy()) == 0 {
            return self.exchanged(&view, 40, rng);
        }
        // Who lies where among the dead is not kept once an unknown piece has come back: not every exchange that
        // looks possible is, and few of many at once are.
        (0..20).find_map(|tries| {
            let other = self.exchanged(&view, tries / 8, rng)?;
            (other.events[viewer] == self.events[viewer]).then_some(other)
        })
    }

    /// The same game after `many` exchanges for each hidden piece of `view`, and one more.
    fn exchanged(&self, view: &View, many: usize, rng: &mut Rng) -> Option<Game> {
        let owner = view.viewer().enemy();
        let mut setups = self.setups;
        let cells = &mut setups[owner].0;
        let hidden: Vec<PieceId> =
            view.enemies().filter(|(_, piece)| piece.ranks.len() > 1).map(|(id, _)| id).collect();
        // Those that came back have no place in the setup.
        let hidden: Vec<PieceId> = hidden.into_iter().filter(|id| id.number() < cells.len()).collect();
        let may_be = |id: PieceId, cell: Cell| match cell {
            Cell::Known(rank) => view.position().piece(id).ranks.contains(rank),
            Cell::Hidden | Cell::Empty => false,
        };
        for _ in 0..many * hidden.len() + usize::from(!hidden.is_empty()) {
            let [one, two] = [(); 2].map(|()| hidden[rng.below(hidden.len())]);
            if may_be(one, cells[two.number()]) && may_be(two, cells[one.number()]) {
                cells.swap(one.number(), two.number());
            }
        }
        let other = Game::replay(self.rules, setups, &self.actions, Some(owner))?;
        let differs = setups != self.setups || other.actions != self.actions;
        (other.running && differs).then_some(other)
    }
}

/// Everything the engine makes of a view, in words and bits.
fn thoughts(view: &View, limit: u64) -> String {
    let mut text = format!("{view:?}\n");
    let (clock, stop) = (&Stopped, &AtomicBool::new(false));
    let control = Control::new(clock, stop);
    let nodes = |nodes: u64| Budget { nodes: Some(nodes), ..Budget::default() };
    let mut engine = Engine::from(view.clone());
    engine.configure(Settings { seed: 6, ..Settings::default() });
    engine.infer(nodes(limit.max(1000)), control);
    writeln!(text, "{:?}", engine.evidence()).unwrap();
    let spn = Spn { position: view.position().clone(), viewer: Viewer::Player(view.viewer()) };
    writeln!(text, "{spn}\n{:?}", view.position().actions()).unwrap();
    let enemies = engine.belief();
    for belief in [&enemies, &engine.belief_about_us()] {
        for (id, probabilities) in belief.pieces() {
            writeln!(
                text,
                "{id:?} {:?} {:?}",
                probabilities.map(f32::to_bits),
                parts_per_million(probabilities)
            )
            .unwrap();
        }
        writeln!(text, "{:?}", belief.sample(3, &mut Rng::new(9))).unwrap();
    }
    writeln!(text, "{:?}", Terms::of_view(view, &enemies)).unwrap();
    engine.configure(Settings { seed: 5, lines: 2, ..Settings::default() });
    let choice =
        engine.search(&nodes(limit).into(), control, &mut |info| writeln!(text, "{info:?}").unwrap());
    writeln!(text, "{choice:?}").unwrap();
    text
}

/// Ranks that differ between two games' setups.
fn exchanged(one: &Game, two: &Game, side: Side) -> usize {
    let cells = one.setups[side].0.iter().zip(&two.setups[side].0);
    cells.filter(|(a, b)| a != b).count()
}

/// Games in which the enemy has handed a piece back; shows viewer and both games to `look`.
fn for_disguised_rescues(seed: u64, wanted: usize, mut look: impl FnMut(Side, &Game, &Game)) -> usize {
    let mut rng = Rng::new(seed);
    let (mut games, mut unlike) = (0, 0);
    for (round, rules) in rescue_systems().into_iter().cycle().enumerate().take(400) {
        let viewer = Side::BOTH[round / 2 % 2];
        let game = Game::random(rules, viewer, 60 + rng.below(120), Policy::Raider, &mut rng);
        let rescued = game.running && game.view(viewer).position().rescues(viewer.enemy()) > 0;
        let other = if rescued { game.disguised(viewer, &mut rng) } else { None };
        if let Some(other) = other {
            games += 1;
            let ranks = |game: &Game| -> Vec<_> { game.actions.iter().map(|action| action.rescue).collect() };
            unlike += usize::from(ranks(&game) != ranks(&other));
            look(viewer, &game, &other);
        }
        if games == wanted {
            break;
        }
    }
    assert_eq!(games, wanted);
    unlike
}

#[test]
fn a_rescue_tells_no_more_than_the_rules_say() {
    let unlike = for_disguised_rescues(37, 40, |viewer, game, other| {
        assert_eq!(game.events[viewer], other.events[viewer]);
    });
    assert!(unlike > 5, "{unlike}");
    think_alike_after_rescues(12);
}

fn think_alike_after_rescues(games: usize) {
    for_disguised_rescues(38, games, |viewer, game, other| {
        assert_eq!(thoughts(&game.view(viewer), 600), thoughts(&other.view(viewer), 600));
    });
}

#[test]
fn a_rescue_gives_nothing_away_on_the_wire() {
    tell_of_rescues(5);
}

#[test]
#[ignore = "a soak of minutes: .ci/run runs it"]
fn soak_a_rescue_gives_nothing_away() {
    think_alike_after_rescues(40);
    tell_of_rescues(12);
}

fn tell_of_rescues(games: usize) {
    for_disguised_rescues(39, games, |viewer, game, other| {
        assert_eq!(conversation(game, viewer, false), conversation(other, viewer, false));
        let (mut one, mut two) = (Host::start(), Host::start());
        let study = answers(&mut one, &conversation(game, viewer, true));
        assert!(study.len() > 20 && !study.iter().any(|line| line.starts_with("error")), "{study:#?}");
        compare(&study, &answers(&mut two, &conversation(other, viewer, true)));
        compare(&study, &answers(&mut one, &conversation(game, viewer, false)));
        assert!(one.end().success() && two.end().success());
    });
}

/// Games under every rule system, each with a disguise or two; shows viewer and both games to `look`.
fn for_disguised_games(seed: u64, step: usize, mut look: impl FnMut(Side, &Game, &Game)) -> [usize; 2] {
    let mut rng = Rng::new(seed);
    let (mut games, mut ranks) = (0, 0);
    for (round, rules) in rule_systems().into_iter().enumerate().step_by(step) {
        for (viewer, length) in [(Side::Red, 20), (Side::Blue, 60), (Side::Red, 160), (Side::Blue, 240)] {
            let policy = Policy::ALL[(round + length / 20) % Policy::ALL.len()];
            let game = Game::random(rules, viewer, length, policy, &mut rng);
            if !game.running {
                continue;
            }
            if let Some(other) = game.disguised(viewer, &mut rng) {
                games += 1;
                ranks += exchanged(&game, &other, viewer.enemy());
                look(viewer, &game, &other);
            }
        }
    }
    [games, ranks]
}

#[test]
fn hidden_ranks_change_nothing_a_player_is_shown() {
    let met = for_disguised_games(31, 1, |viewer, game, other| {
        assert_eq!(game.events[viewer], other.events[viewer]);
        assert_eq!(game.setups[viewer], other.setups[viewer]);
        assert_ne!(game.setups[viewer.enemy()], other.setups[viewer.enemy()]);
    });
    assert!(met[0] > 80 && met[1] > 10 * met[0], "{met:?}");
}

/// Players think the same, whatever the ranks that they do not know.
fn think_alike(step: usize, nodes: u64) -> [usize; 2] {
    for_disguised_games(32, step, |viewer, game, other| {
        assert_eq!(thoughts(&game.view(viewer), nodes), thoughts(&other.view(viewer), nodes));
    })
}

#[test]
fn hidden_ranks_change_nothing_a_player_thinks() {
    let met = think_alike(4, 1000);
    assert!(met[0] > 17 && met[1] > 10 * met[0], "{met:?}");
}

#[test]
#[ignore = "a soak of minutes: .ci/run runs it"]
fn soak_hidden_ranks_change_nothing_a_player_thinks() {
    assert!(think_alike(1, 4000)[0] > 80);
}

/// A position text that knows both armies hands a player nothing but its share.
#[test]
fn a_study_position_shows_a_player_its_share_alone() {
    let met = for_disguised_games(33, 2, |viewer, game, other| {
        let share = |game: &Game| {
            let mut truth =
                outflank_tests::deal(game.rules, &game.setups[Side::Red], &game.setups[Side::Blue]);
            for &action in &game.actions {
                truth.play(action.into()).unwrap();
            }
            let text = Spn { position: truth, viewer: Viewer::Both }.to_string();
            let read = Spn::parse(&text, Ruleset::default()).unwrap();
            thoughts(&View::from_spn(&read, viewer), 300)
        };
        assert_eq!(share(game), share(other));
    });
    assert!(met[0] > 35, "{met:?}");
}

/// The disguise is not an idle one: the enemy's own view does tell the two games apart.
#[test]
fn the_owner_sees_the_difference() {
    for_disguised_games(34, 4, |viewer, game, other| {
        let owner = viewer.enemy();
        assert_ne!(thoughts(&game.view(owner), 10), thoughts(&other.view(owner), 10));
        let known =
            |game: &Game| game.view(owner).position().pieces(owner).all(|(_, piece)| piece.ranks.len() == 1);
        assert!(known(game) && known(other));
    });
}

/// The ranks a view holds for certain are the ones reported; a view never holds the truth of a hidden piece.
#[test]
fn a_view_knows_what_every_disguise_agrees_on_alone() {
    let mut rng = Rng::new(35);
    let rules = Ruleset::default();
    let game = Game::random(rules, Side::Red, 80, Policy::Fighter, &mut rng);
    let view = game.view(Side::Red);
    let mut seen = [ByRank::filled(false); 40];
    for _ in 0..60 {
        if let Some(other) = game.disguised(Side::Red, &mut rng) {
            for (place, cell) in other.setups[Side::Blue].0.iter().enumerate() {
                if let Cell::Known(rank) = cell {
                    seen[place][*rank] = true;
                }
            }
        }
    }
    let position: &Position = view.position();
    for (id, piece) in position.pieces(Side::Blue) {
        for rank in Rank::ALL.into_iter().filter(|rank| seen[id.number()][*rank]) {
            assert!(piece.ranks.contains(rank), "{id:?} {rank}");
        }
    }
    let varied = seen.iter().filter(|ranks| ranks.values().filter(|&&seen| seen).count() > 1).count();
    assert!(varied > 10, "{varied}");
}

/// What a host says to tell an engine this game, then asks of it. In study both armies are known, and the engine has
/// to mask one of them by itself; otherwise it hears only what `viewer` is shown.
fn conversation(game: &Game, viewer: Side, study: bool) -> Vec<String> {
    let rules = game.rules.to_string();
    let mut lines =
        vec!["setoption name Seed value 7".to_owned(), "setoption name Threads value 1".to_owned()];
    lines.push(format!("newgame {viewer} rules {}", rules.trim_start_matches("preset=")));
    for side in Side::BOTH {
        let setup = &game.setups[side];
        let shown = if study || side == viewer { *setup } else { setup.hidden() };
        lines.push(format!("setup {side} {shown}"));
    }
    for (event, action) in game.events[viewer].iter().skip(2).zip(&game.actions) {
        match event {
            Event::Played(_) if study => lines.push(format!("play {}", action.text(false))),
            Event::Played(played) => lines.push(format!("play {played}")),
            Event::Deployed(..) => unreachable!("armies are deployed before the first ply"),
        }
    }
    lines
}

/// The answers to what an engine may be asked of the hidden pieces, without the times.
fn answers(host: &mut Host, conversation: &[String]) -> Vec<String> {
    let mut answers = Vec::new();
    for line in conversation {
        answers.extend(host.ask(line).into_iter().filter(|answer| answer.starts_with("error")));
    }
    for line in ["legal", "belief", "belief ours", "belief dead", "belief sample 3", "eval"] {
        answers.extend(host.ask(line));
    }
    host.say("go nodes 400");
    answers.extend(host.until("bestmove"));
    answers.iter().map(|line| without_times(line)).collect()
}

fn without_times(line: &str) -> String {
    let mut words = line.split(' ');
    let mut kept = Vec::new();
    while let Some(word) = words.next() {
        kept.push(word);
        if line.starts_with("info") && ["time", "nps"].contains(&word) {
            words.next();
        }
    }
    kept.join(" ")
}

fn compare(one: &[String], two: &[String]) {
    for (one, two) in one.iter().zip(two) {
        assert_eq!(one, two, "in a study or after it");
    }
    assert_eq!(one.len(), two.len());
}

#[test]
fn hidden_ranks_change_nothing_on_the_wire() {
    let asked = tell_of_games(7);
    assert!(asked > 8, "{asked}");
}

#[test]
#[ignore = "a soak of minutes: .ci/run runs it"]
fn soak_hidden_ranks_change_nothing_on_the_wire() {
    let asked = tell_of_games(3);
    assert!(asked > 20, "{asked}");
}

/// Tells every so-many-eth game of them all to engines; how many.
fn tell_of_games(step: usize) -> usize {
    let mut asked = 0;
    for_disguised_games(36, step, |viewer, game, other| {
        assert_eq!(conversation(game, viewer, false), conversation(other, viewer, false));
        let (mut one, mut two) = (Host::start(), Host::start());
        let study = answers(&mut one, &conversation(game, viewer, true));
        let least = if game.rules.barrage { 15 } else { 50 };
        assert!(study.len() > least && !study.iter().any(|line| line.starts_with("error")), "{study:#?}");
        compare(&study, &answers(&mut two, &conversation(other, viewer, true)));
        // After a study the same engine plays the game as a player, and knows no more for it.
        compare(&study, &answers(&mut one, &conversation(game, viewer, false)));
        assert!(one.end().success() && two.end().success());
        asked += 1;
    });
    asked
}
