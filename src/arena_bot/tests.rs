//! Whole games and single lines through the session, without the arena's processes.

use super::bot::{Answer, Bot};
use super::options::BotOptions;
use super::play;
use outflank_referee::Referee;
use outflank_rules::event::Event;
use outflank_rules::rng::Rng;
use outflank_rules::rules::{
    Action, ByRank, Cell, Outcome, PieceId, Played, Position, Preset, Rank, Ruleset, Setup, Side, Spn,
    Square, Viewer,
};
use outflank_rules::view::View;

const HUMAN: &str = "4532B2BF5BBB37S6362339M7224875466B852224";

fn session(seed: u64) -> Bot {
    let args = ["--nodes".to_owned(), "1".to_owned(), "--seed".to_owned(), seed.to_string()];
    Bot::new(BotOptions::parse(&args).unwrap())
}

/// The arena's letters by rank, written out again.
fn letter(rank: Rank) -> char {
    const LETTERS: ByRank<u8> = ByRank::new(*b"Fs987654321B");
    char::from(LETTERS[rank])
}

/// An arena's side of one game: the truth through a referee, shown to one player.
struct Arena {
    side: Side,
    referee: Referee,
    view: View,
    enemy: View,
}

impl Arena {
    fn new(side: Side, answer: &str) -> Arena {
        let mut cells = [Cell::Empty; 40];
        for (y, line) in answer.lines().enumerate() {
            for (x, shown) in line.chars().enumerate() {
                let rank = Rank::ALL.into_iter().find(|&rank| letter(rank) == shown);
                let place = if side == Side::Red { 10 * y + 9 - x } else { 10 * (3 - y) + x };
                cells[place] = Cell::Known(rank.unwrap());
            }
        }
        let other: Setup = HUMAN.parse().unwrap();
        let ours = Setup(cells);
        let (red, blue) = if side == Side::Red { (ours, other) } else { (other, ours) };
        let rules = Ruleset::of(Preset::Evaluator);
        let referee = Referee::new(rules, &red, &blue).unwrap();
        let mut arena =
            Arena { side, view: View::new(side, rules), enemy: View::new(side.enemy(), rules), referee };
        for events in arena.referee.opening() {
            arena.view.observe(&events[side]).unwrap();
            arena.enemy.observe(&events[side.enemy()]).unwrap();
        }
        arena
    }

    /// Makes an action and tells it as the arena does; nothing if the flag fell or the game ended.
    fn play(&mut self, action: Action, line: &str) -> Option<String> {
        let events = self.referee.play(action).unwrap();
        self.view.observe(&events[self.side]).unwrap();
        self.enemy.observe(&events[self.side.enemy()]).unwrap();
        let Event::Played(Played { verdict, .. }) = events[Side::Red] else { panic!("no ply") };
        let result = match verdict {
            None => "OK".to_owned(),
            Some(verdict) => {
                let word = match verdict.outcome {
                    Outcome::Win => "KILLS",
                    Outcome::Loss => "DIES",
                    Outcome::Tie => "BOTHDIE",
                };
                let (striker, defender) = (verdict.striker.unwrap(), verdict.defender.unwrap());
                format!("{word} {} {}", letter(striker), letter(defender))
            }
        };
        self.referee.ending().is_none().then(|| format!("{} {result}\n", line.trim_end()))
    }

    fn board(&self) -> String {
        let position = self.view.position();
        let mut text = String::new();
        for y in 0..10 {
            for x in 0..10 {
                let Some(square) = Square::new(9 - x, y) else {
                    text.push('+');
                    continue;
                };
                text.push(match position.piece_at(square) {
                    None => '.',
                    Some(id) if id.side() != self.side => '#',
                    Some(id) => letter(position.piece(id).ranks.single().unwrap()),
                });
            }
            text.push('\n');
        }
        text
    }

    /// A random action of the other side and its line.
    fn enemy_action(&self, rng: &mut Rng) -> (Action, String) {
        let actions = self.referee.actions();
        let action = actions[rng.below(actions.len())];
        (action, super::grammar::action_line(action))
    }
}

/// The action a line asks for.
fn wanted(line: &str) -> Action {
    let words: Vec<&str> = line.split_whitespace().collect();
    let (x, y): (i8, i8) = (words[0].parse().unwrap(), words[1].parse().unwrap());
    let steps: i8 = words.get(3).map_or(1, |steps| steps.parse().unwrap());
    let (dx, dy) = match words[2] {
        "UP" => (0, -1),
        "DOWN" => (0, 1),
        "LEFT" => (-1, 0),
        "RIGHT" => (1, 0),
        other => panic!("{other}"),
    };
    let at = |x: i8, y: i8| Square::new(9 - x as u8, y as u8).unwrap();
    Action::new(at(x, y), at(x + dx * steps, y + dy * steps))
}

fn spn(view: &View) -> String {
    Spn { position: view.position().clone(), viewer: Viewer::Player(view.viewer()) }.to_string()
}

fn say(session: &mut Bot, text: &str) -> Answer {
    text.lines().map(|line| session.receive(line)).last().unwrap_or(Answer::Silence)
}

fn answer(session: &mut Bot, text: &str) -> String {
    match say(session, text) {
        Answer::Say(line) => line,
        other => panic!("{other:?} to {text:?}"),
    }
}

/// Plays until the end or `plies`, checking what the session knows before each of its actions; plies played.
fn game(side: Side, seed: u64, plies: u32) -> u32 {
    let mut session = session(seed);
    let mut rng = Rng::new(seed);
    let mut arena = Arena::new(side, &answer(&mut session, &format!("{} ./them 10 10\n", name(side))));
    if side == Side::Red {
        assert_eq!(session.receive("START\n"), Answer::Silence);
    }
    while arena.referee.ply() < plies {
        let (action, line) = if arena.referee.to_move() == side {
            let line = answer(&mut session, &arena.board());
            assert_eq!(spn(session.view().unwrap()), spn(&arena.view));
            (wanted(&line), line)
        } else {
            arena.enemy_action(&mut rng)
        };
        let Some(result) = arena.play(action, &line) else { break };
        assert_eq!(session.receive(&result), Answer::Silence);
    }
    assert_eq!(session.receive("QUIT ./us RED VICTORY 10 148 126"), Answer::Leave);
    arena.referee.ply()
}

const fn name(side: Side) -> &'static str {
    match side {
        Side::Red => "RED",
        Side::Blue => "BLUE",
    }
}

#[test]
fn games_are_followed_on_both_sides() {
    let played: u32 = (0..6).map(|seed| game(Side::BOTH[seed as usize % 2], seed, 300)).sum();
    assert!(played > 600, "the games were cut short: {played} plies");
}

#[test]
fn a_lost_line_is_made_good_from_the_board() {
    for side in Side::BOTH {
        let mut session = session(3);
        let mut rng = Rng::new(5);
        let mut arena = Arena::new(side, &answer(&mut session, &format!("{} x 10 10", name(side))));
        for turn in 0..60 {
            let (action, line) = if arena.referee.to_move() == side {
                let line = answer(&mut session, &arena.board());
                let ours = session.view().unwrap().position();
                for square in Square::all() {
                    let owner = |position: &Position| position.piece_at(square).map(PieceId::side);
                    assert_eq!(owner(ours), owner(arena.view.position()), "{square} at {turn}");
                }
                (wanted(&line), line)
            } else {
                arena.enemy_action(&mut rng)
            };
            let Some(result) = arena.play(action, &line) else { break };
            match turn % 7 {
                3 => {}
                5 => assert_eq!(session.receive("gibberish OK"), Answer::Silence),
                _ => assert_eq!(session.receive(&result), Answer::Silence),
            }
        }
    }
}

#[test]
fn what_was_known_survives_a_lost_line() {
    let mut session = session(1);
    let mut arena = Arena::new(Side::Blue, &answer(&mut session, "BLUE x 10 10"));
    let mut rng = Rng::new(1);
    let known = |view: &View| view.enemies().filter(|(_, piece)| piece.ranks.single().is_some()).count();
    while known(&arena.view) < 3 {
        let (action, line) = match arena.referee.to_move() {
            Side::Red => arena.enemy_action(&mut rng),
            Side::Blue => {
                let line = answer(&mut session, &arena.board());
                (wanted(&line), line)
            }
        };
        session.receive(&arena.play(action, &line).unwrap());
    }
    session.receive("gibberish");
    if arena.referee.to_move() == Side::Red {
        let (action, line) = arena.enemy_action(&mut rng);
        session.receive(&arena.play(action, &line).unwrap());
    }
    answer(&mut session, &arena.board());
    assert_eq!(known(session.view().unwrap()), known(&arena.view));
}

/// Forty pieces cannot be blocked in the opening, so the board alone shows it: one captain walled in.
#[test]
fn without_an_action_we_resign() {
    let board = "F5B.......\nBB........\n..........\n..........\n..++..++..\n..++..++..\n..........\n..........\n\
                 ..........\n#########.\n";
    let mut red = session(0);
    say(&mut red, "RED x 10 10\nSTART");
    let stuck = board.replacen("F5B", "5BF", 1).replacen("BB....", "B.....", 1);
    assert_eq!(answer(&mut red, &stuck), "SURRENDER\n");
    let open = board.replacen("F5B", "F5.", 1);
    assert_eq!(answer(&mut red, &open), "1 0 RIGHT\n");
}

#[test]
fn bytes_of_any_kind_are_survived() {
    let mut output = Vec::new();
    let input =
        b"\xff\xfe\n\n0 3 DOWN OK\nSTART\nBLUE x 10 10\n\x00\nRED x 10 10\n##########\n\xc3(\n5 5 5 5\nKILLS";
    play(&input[..], &mut output, session(2)).unwrap();
    let rows = String::from_utf8(output).unwrap();
    assert_eq!(rows.lines().map(str::len).collect::<Vec<_>>(), [10; 4]);
}

#[test]
fn the_end_of_input_is_the_end() {
    let mut output = Vec::new();
    play(&b""[..], &mut output, session(2)).unwrap();
    play(&b"RED x 10 10"[..], &mut output, session(2)).unwrap();
    play(&b"QUIT\nRED x 10 10\n"[..], &mut output, session(2)).unwrap();
    assert_eq!(output.len(), 44);
}
