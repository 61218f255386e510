//! Pages of games: what they hold, what they keep back, how large they are, and what is said when there is none.

use crate::common::{arena, file, inside};
use indicatif::ProgressBar;
use outflank::belief::Belief;
use outflank::rules::{ByPiece, ByRank, BySide, Piece, PieceId, Rank, RankSet, Reason, Setup, Side};
use outflank_arena::plan::Plan;
use outflank_pages::curve::Curve;
use outflank_pages::packing::GONE;
use outflank_pages::page_data::PageData;
use outflank_pages::{Settings, page};
use outflank_record::{EndReason, Outcome, PlayerRecord, Record, Replay, Winner};
use std::fs;
use std::path::Path;
use std::slice::Iter;

/// A game between two such players inside the arena.
fn game(player: &str, rules: &str, number: u64) -> Record {
    let players = ["a", "b"].map(|name| inside(player, name)).to_vec();
    Plan::plain(players, 100, rules.parse().unwrap(), 5).play_one(number).unwrap()
}

fn random(rules: &str) -> Record {
    game("player=random", rules, 9)
}

fn made(record: &Record, settings: Settings) -> String {
    page(record, settings, &[], &ProgressBar::hidden()).unwrap()
}

/// The data that a page holds.
fn data(page: &str) -> PageData {
    let (_, after) = page.split_once("<script type=\"application/json\" id=\"data\">").unwrap();
    let (text, _) = after.split_once("</script>").unwrap();
    serde_json::from_str(text).unwrap()
}

/// Reads base64 by its definition.
fn bytes(text: &str) -> Vec<u8> {
    const LETTERS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bytes, mut bits, mut count) = (Vec::new(), 0u32, 0);
    for letter in text.trim_end_matches('=').chars() {
        bits = (bits << 6 | LETTERS.find(letter).unwrap() as u32) & 0xffff;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    bytes
}

type Row = ByRank<u8>;

fn read_row(from: &mut Iter<u8>, row: &mut Row) {
    let mut next = || *from.next().unwrap();
    let changed = RankSet::from_bits(u16::from_le_bytes([next(), next()]));
    for rank in changed.iter() {
        row[rank] = next();
    }
}

/// A page's data, unpacked ply by ply.
struct Unpacked<'a> {
    board: Iter<'a, u8>,
    squares: [u8; PieceId::SLOTS],
    beliefs: BySide<Iter<'a, u8>>,
    /// What the enemy believes of each piece.
    rows: ByPiece<Row>,
}

impl Unpacked<'_> {
    /// Goes on to the next ply.
    fn step(&mut self) {
        let mut next = || *self.board.next().unwrap();
        for _ in 0..next() {
            let (piece, square) = (next(), next());
            self.squares[usize::from(piece)] = square;
        }
        for (side, belief) in self.beliefs.iter_mut() {
            for _ in 0..*belief.next().unwrap() {
                let id = PieceId::new(side.enemy(), usize::from(*belief.next().unwrap()));
                read_row(belief, &mut self.rows[id]);
            }
        }
    }
}

/// What a list of facts says of a piece after so many plies.
fn fact(list: &[[u32; 3]], ply: u32, id: PieceId) -> RankSet {
    let about_it = |[when, piece, _]: &&[u32; 3]| *when <= ply && *piece as usize == id.index();
    list.iter().rfind(about_it).map_or(RankSet::EMPTY, |[_, _, bits]| RankSet::from_bits(*bits as u16))
}

/// Compares what the page says of one side's view with the replay.
fn check_view(data: &PageData, unpacked: &Unpacked, replay: &Replay, side: Side) {
    let (view, ply) = (replay.view(side), replay.ply());
    let own = &data.views[side];
    let check = |(id, piece): (PieceId, &Piece)| {
        assert_eq!(fact(&own.facts, ply, id), piece.ranks, "ply {ply}, {id:?} for {side}");
        let square = piece.square.map_or(GONE, |square| square.index() as u8);
        assert_eq!(unpacked.squares[id.index()], square, "ply {ply}, {id:?}");
        if id.side() == side {
            assert_eq!(fact(&own.learned, ply, id), piece.learned, "ply {ply}, {id:?}");
        }
    };
    Side::BOTH.into_iter().flat_map(|owner| view.position().pieces(owner)).for_each(check);
    for (id, probabilities) in Belief::of_enemies(replay.known(side)).pieces() {
        let row = &unpacked.rows[*id];
        for (rank, probability) in probabilities.iter() {
            assert!((f32::from(row[rank]) - probability * 255.0).abs() <= 1.0, "ply {ply}, {id:?}, {rank}");
            assert!(*probability > 0.0 || row[rank] == 0, "ply {ply}: {id:?} is no {rank}");
        }
    }
}

#[test]
fn a_page_holds_both_views_and_the_positions_of_the_replay() {
    let rescues = "isf silent=on rescue=on plies=200";
    let has_rescue = |record: &Record| record.moves.iter().any(|text| text.contains('+'));
    for rules in ["isf plies=400", rescues, "isf barrage=on plies=80"] {
        // Few random games have a rescue: the first that has.
        let mut games = (9..200).map(|number| game("player=random", rules, number));
        let record = games.find(|record| rules != rescues || has_rescue(record)).unwrap();
        assert_eq!(has_rescue(&record), rules == rescues);
        let data = data(&made(&record, Settings::default()));
        let (board, beliefs) = (bytes(&data.board), data.views.each_ref().map(|view| bytes(&view.belief)));
        let mut unpacked = Unpacked {
            board: board.iter(),
            squares: [GONE; PieceId::SLOTS],
            beliefs: beliefs.each_ref().map(|bytes| bytes.iter()),
            rows: ByPiece::filled(ByRank::filled(0)),
        };
        let mut replay = Replay::new(&record).unwrap();
        loop {
            unpacked.step();
            for side in Side::BOTH {
                check_view(&data, &unpacked, &replay, side);
            }
            if replay.step().unwrap().is_none() {
                break;
            }
        }
        assert_eq!(unpacked.board.len() + unpacked.beliefs.values().map(Iter::len).sum::<usize>(), 0);
        assert_eq!((data.moves, data.outcome), (record.moves, record.outcome), "{rules}");
    }
}

/// The same game with two of Blue's ranks swapped that Red never learned.
fn swapped(record: &Record) -> Record {
    let mut replay = Replay::new(record).unwrap();
    while replay.step().unwrap().is_some() {}
    let red = replay.view(Side::Red).position();
    let hidden = red.pieces(Side::Blue).filter(|(_, piece)| !piece.moved && piece.ranks.len() > 1);
    let hidden: Vec<PieceId> = hidden.map(|(id, _)| id).collect();
    let rank = |id: &PieceId| replay.truth(*id).unwrap();
    let (one, other) = (hidden[0], hidden.iter().find(|id| rank(id) != rank(&hidden[0])).unwrap());
    let mut setup: Setup = record.setups[Side::Blue].parse().unwrap();
    setup.0.swap(one.number(), other.number());
    let setups = BySide::new([record.setups[Side::Red].clone(), setup.to_string()]);
    Record { setups, ..record.clone() }
}

#[test]
fn a_view_tells_nothing_that_its_player_could_not_know() {
    for rules in ["isf plies=200", "isf silent=on plies=200"] {
        let record = random(rules);
        let [one, other] =
            [&record, &swapped(&record)].map(|record| data(&made(record, Settings::default())));
        assert_eq!(one.views[Side::Red], other.views[Side::Red], "{rules}");
        assert_ne!(one.views[Side::Blue], other.views[Side::Blue], "{rules}");
    }
    let silent = random("isf silent=on plies=200");
    let views = data(&made(&silent, Settings::default())).views;
    assert!(views.values().any(|view| view.moves.values().any(|text| text.contains('?'))));
}

#[test]
fn an_explanation_ends_with_what_is_believed() {
    let record = random("isf plies=60");
    let data = data(&made(&record, Settings::default()));
    let mut explained = 0;
    for side in Side::BOTH {
        let packed = bytes(&data.views[side].why);
        let (mut why, mut replay) = (packed.iter(), Replay::new(&record).unwrap());
        loop {
            let mut row = ByRank::filled(0);
            let rows = *why.next().unwrap();
            for _ in 0..rows {
                assert!(matches!(why.next(), Some(0..8 | 255)));
                read_row(&mut why, &mut row);
            }
            if rows > 0 {
                let to = record.actions().unwrap()[replay.ply() as usize - 1].action.to;
                let id = replay.view(side).position().piece_at(to).unwrap();
                let belief = Belief::of_enemies(replay.known(side));
                let believed = belief.probabilities(id).unwrap();
                let near = |rank: Rank| (f32::from(row[rank]) - believed[rank] * 255.0).abs() <= 1.0;
                assert!(Rank::ALL.into_iter().all(near), "{id:?}: {row:?}");
                explained += 1;
            }
            if replay.step().unwrap().is_none() {
                break;
            }
        }
    }
    assert!(explained > 20, "{explained}");
}

#[test]
fn two_thousand_plies_fit_into_a_megabyte() {
    // Not every random game lasts so long.
    let mut games = (0..1000).map(|number| game("player=random", "isf plies=2000", number));
    let record = games.find(|record| record.plies == 2000).unwrap();
    let size = made(&record, Settings::default()).len();
    assert!(size < 1_000_000, "{size}");
}

#[test]
fn a_curve_is_searched_read_from_the_record_or_material() {
    let record = random("isf plies=30");
    let of = |record: &Record, nodes| data(&made(record, Settings { nodes, inference_nodes: 0 })).curve;
    let Curve::Material { values } = of(&record, 0) else { panic!("no scores, no search") };
    assert_eq!((values.len(), values[0]), (31, 0));
    let Curve::Search { nodes: 20, values } = of(&record, 20) else { panic!("a search was asked for") };
    assert_eq!((values.len(), &values[30]), (31, &None), "the game is over");
    assert!(values[..30].iter().flatten().all(|value| value.wdl.iter().sum::<u16>() == 1000));
    // What was played is searched too, unless it is what the search would have played.
    let mut others = 0;
    for (value, played) in values[..30].iter().flatten().zip(&record.moves) {
        let chosen = value.line.split(' ').next().is_some_and(|best| played.starts_with(best));
        assert!(!chosen || value.other.is_none(), "{played} of {}", value.line);
        let Some(other) = &value.other else { continue };
        assert!([other.played, other.best].iter().all(|wdl| wdl.iter().sum::<u16>() == 1000));
        others += 1;
    }
    assert!(others > 15, "who plays at random seldom plays the best: {others}");
    let scored = game("player=engine nodes=20 candidates=2", "isf plies=10", 0);
    let Curve::Record { values } = of(&scored, 0) else { panic!("the record has scores") };
    assert!(values[..10].iter().all(|value| value.is_some_and(|score| (300..700).contains(&score))));
}

/// How many moves of each side gave something away, and how much of the points in permille.
fn given_away(players: [&str; 2], seed: u64) -> [(usize, u32); 2] {
    let players = players.map(|words| inside(words, words)).to_vec();
    let record = Plan::plain(players, 1, "isf plies=300".parse().unwrap(), seed).play_one(0).unwrap();
    let settings = Settings { nodes: 500, inference_nodes: 0 };
    let Curve::Search { values, .. } = data(&made(&record, settings)).curve else { panic!("it is searched") };
    [0, 1].map(|side| {
        let own = values.iter().skip(side).step_by(2).flatten();
        let costs = own.filter_map(|value| Some(value.other.as_ref()?.cost));
        let named: Vec<u32> = costs.filter(|cost| *cost >= 10).map(u32::from).collect();
        (named.len(), named.iter().sum())
    })
}

/// An action costs what it gives away at the time, by what its player knew: much of it who moves at random, next to
/// nothing the engine.
#[test]
fn who_moves_at_random_gives_points_away_and_the_engine_does_not() {
    let players = ["player=random", "player=engine nodes=4000"];
    let games = [5, 6].map(|seed| given_away(players, seed));
    let [(random, lost), (engine, spared)] = [0, 1]
        .map(|side| games.iter().fold((0, 0), |sum, game| (sum.0 + game[side].0, sum.1 + game[side].1)));
    assert!(random >= 30 && lost > 600, "{random} moves, {lost} permille");
    assert!(engine <= 8 && spared < 150, "{engine} moves, {spared} permille");
}

#[test]
fn thinking_about_moves_changes_what_is_believed() {
    let record = random("isf plies=40");
    let with = |inference_nodes| data(&made(&record, Settings { nodes: 0, inference_nodes }));
    let (plain, thought) = (with(0), with(1000));
    assert_ne!(plain.views[Side::Red].belief, thought.views[Side::Red].belief);
    assert_eq!(
        (plain.views[Side::Red].facts.clone(), thought.inference_nodes),
        (thought.views[Side::Red].facts.clone(), 1000)
    );
}

#[test]
fn names_are_text_and_never_markup() {
    let mut record = random("isf plies=10");
    let name = "</script><script>alert(1)</script>\"'&{{data}}\u{2028}";
    record.players[Side::Red].name = name.to_owned();
    let page = made(&record, Settings::default());
    assert!(!page.contains("<script>alert") && !page.contains("</script><script>alert"));
    assert_eq!(page.matches("<script").count(), 2, "the data and the script");
    assert_eq!(data(&page).players[Side::Red], name);
    assert!(page.contains("<title>Game 9: &lt;/script&gt;&lt;script&gt;alert(1)"));
    let index = outflank_arena::html::index::index("<b>.jsonl", &[record]);
    assert!(!index.contains("<script") && !index.contains("<b>"));
    assert!(index.contains("&lt;script&gt;alert(1)"));
}

#[test]
fn nothing_is_loaded_from_elsewhere() {
    let page = made(&random("isf plies=10"), Settings::default());
    // What is drawn with are parts of the page itself.
    let rest = page.replace("http://www.w3.org/2000/svg", "").replace("url(#", "");
    assert!(["http:", "https:", "src=", "@import", "url("].iter().all(|word| !rest.contains(word)));
    assert!(page.contains("default-src 'none'"));
}

fn write(path: &Path, records: &[Record]) {
    let mut lines = Vec::new();
    for record in records {
        record.write(&mut lines).unwrap();
    }
    fs::write(path, lines).unwrap();
}

#[test]
fn a_folder_has_a_page_of_each_game_and_an_index() {
    let (records, folder) = (file("pages.jsonl"), file("pages"));
    let _ = fs::remove_dir_all(&folder);
    let games: Vec<Record> = [3, 4].map(|number| game("player=random", "isf plies=20", number)).into();
    let absent = Outcome::of_fault(Side::Red, "it said nothing".to_owned());
    let unplayed = Record { game: 5, outcome: absent, plies: 0, ..Record::default() };
    write(&records, &[games[0].clone(), games[1].clone(), unplayed]);
    let output = arena(&["html"]).arg(&records).arg("--out").arg(&folder).output().unwrap();
    assert!(output.status.success() && output.stdout.is_empty(), "{output:?}");
    let index = fs::read_to_string(folder.join("index.html")).unwrap();
    for record in &games {
        let name = format!("game-{}.html", record.game);
        assert!(index.contains(&format!("<a href=\"{name}\">Game {}</a>", record.game)));
        let page = fs::read_to_string(folder.join(name)).unwrap();
        assert!(page.contains("<a href=\"index.html\">"));
        assert_eq!(data(&page).moves, record.moves);
    }
    let row = "<td>b</td><td>a</td><td>Draw</td><td>plies</td><td>20</td></tr>";
    assert!(index.contains(row), "{index}");
    // In the third nobody is named.
    let scores: Vec<&str> = index.lines().filter(|line| line.starts_with("<p>")).collect();
    assert_eq!(scores, ["<p>b against a: won 0, drawn 2, lost 0; points 1 of 2 (50.0%)</p>"]);
    assert!(index.contains("<th scope=\"row\">Game 5</th>") && index.contains("fault: it said nothing"));
    let none = arena(&["html"]).arg(&records).args(["--game", "5"]).output().unwrap();
    assert_eq!(none.status.code(), Some(1));
    let one = arena(&["html"]).arg(&records).args(["--game", "4"]).output().unwrap();
    assert_eq!(data(&String::from_utf8(one.stdout).unwrap()).game, 4);
}

#[test]
fn pages_take_the_place_of_pages_only() {
    let (records, folder) = (file("again.jsonl"), file("again"));
    let _ = fs::remove_dir_all(&folder);
    write(&records, &[game("player=random", "isf plies=20", 3)]);
    let made = || arena(&["html"]).arg(&records).arg("--out").arg(&folder).output().unwrap();
    assert!(made().status.success() && made().status.success(), "our own are replaced");
    let page = folder.join("game-3.html");
    fs::remove_file(&page).unwrap();
    let index = folder.join("index.html");
    for text in ["<html><body>My home page</body></html>", "", "my notes"] {
        fs::write(&index, text).unwrap();
        let output = made();
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(
            output.status.code() == Some(1) && error.contains("index.html is no page of ours"),
            "{error}"
        );
        assert_eq!(fs::read_to_string(&index).unwrap(), text);
        assert!(!page.exists());
    }
}

/// A game of barrage that ended after so many plies, as far as the index can tell.
fn listed(number: u64, plies: u32, moves: &[&str]) -> Record {
    let record = game("player=random", "isf barrage=on", 1);
    let moves = moves.iter().map(|&text| text.to_owned()).collect();
    Record { game: number, plies, moves, ..record }
}

#[test]
fn the_index_links_to_the_longest_the_shortest_and_the_most_turned_game() {
    let games = [
        listed(0, 5, &["a4xa5=W32"]),
        listed(1, 9, &["a4xa5=W32", "b7xb6=W93", "c4xc5=T88", "d7xd6=L2B", "e4xe5=W9M"]),
        listed(2, 3, &["a4xa5=T44"]),
        listed(3, 9, &[]),
    ];
    let index = outflank_arena::html::index::index("games", &games);
    let marks = "<p class=\"marks\">Longest: <a href=\"game-1.html\">Game 1</a> (9 plies); \
        shortest: <a href=\"game-2.html\">Game 2</a> (3 plies); \
        most turned: <a href=\"game-1.html\">Game 1</a> (the lead changed sides 2 times).</p>";
    assert!(index.contains(marks), "{index}");
    // One game is nothing to choose from, and neither is one reason.
    let alone = outflank_arena::html::index::index("games", &games[..1]);
    assert!(!alone.contains("class=\"marks\"") && !alone.contains("id=\"reason\""), "{alone}");
    assert!(alone.contains("id=\"player\""), "{alone}");
}

#[test]
fn the_index_draws_what_each_scored_against_whom() {
    // Of twelve games a wins nine, whatever its colour.
    let record = |game: u64| {
        let names = if game.is_multiple_of(2) { ["a", "b & c"] } else { ["b & c", "a"] };
        let a = if game.is_multiple_of(2) { Winner::Red } else { Winner::Blue };
        let other = if a == Winner::Red { Winner::Blue } else { Winner::Red };
        let winner = if game % 4 == 3 { other } else { a };
        let outcome = Outcome::new(winner, EndReason::Rule(Reason::Flag));
        let players =
            BySide::new(names).map(|name| PlayerRecord { name: name.to_owned(), ..PlayerRecord::default() });
        Record { game, players, outcome, ..Record::default() }
    };
    let games: Vec<Record> = (0..12).map(record).collect();
    let index = outflank_arena::html::index::index("games", &games);
    assert!(
        index
            .contains("aria-label=\"Share of the points, with the 95% interval: a against b &amp; c 75.0%, ")
    );
    assert!(index.contains("<circle cx=\"635.0\" cy=\"13\""), "{index}");
    let none = outflank_arena::html::index::index("games", &[]);
    assert!(!none.contains("<figure>"), "{none}");
}

#[test]
fn a_game_without_a_result_has_none_on_the_index() {
    let mut record = game("player=random", "isf plies=20", 3);
    record.moves.truncate(10);
    record.outcome = Outcome::broken_off("silent: a".to_owned());
    let index = outflank_arena::html::index::index("games", &[record]);
    assert!(index.contains("<td>No result</td><td>unfinished: silent: a</td>"), "{index}");
    assert!(!index.contains("Draw") && !index.contains("; points "), "{index}");
}

#[test]
fn a_page_that_cannot_be_made_is_an_error_with_exit_code_one() {
    let records = file("broken.jsonl");
    let good = game("player=random", "isf plies=20", 3);
    let mut bad = game("player=random", "isf plies=20", 4);
    bad.moves[2] = "a1a9".to_owned();
    write(&records, &[good.clone(), bad]);
    let fails = |words: &[&str], message: &str| {
        let output = arena(&["html"]).args(words).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{error}");
        assert!(output.stdout.is_empty() && error.contains(message), "{error}");
    };
    let (name, folder) = (records.to_str().unwrap(), file("broken-pages"));
    let folder = folder.to_str().unwrap();
    fails(&[name, "--game", "7"], "no such game; there are 3 to 4");
    fails(&[name, "--game", "4"], "game 4: ply 3: ");
    fails(&[name, "--out", folder], "game 4: ply 3: ");
    fails(&[name, "--out", name], "broken.jsonl");
    fails(&["nowhere.jsonl"], "nowhere.jsonl");
    write(&records, &[good.clone(), good]);
    fails(&[name, "--out", folder], "game 3 is in");
    fs::write(&records, "{}\n").unwrap();
    fails(&[name], "line 1");
    fs::write(&records, "").unwrap();
    fails(&[name], "has no games");
}
