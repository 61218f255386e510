//! Matches of players inside the arena, their records, and what verifying them finds.

use crate::common::{arena, file, inside};
use outflank::rules::{Setup, Side};
use outflank_arena::plan::Plan;
use outflank_arena::shard::Shard;
use outflank_record::{Decision, EndReason, Outcome, Record, Winner, read, verify};
use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::Output;

fn plan(a: &str, b: &str, rules: &str, rounds: u64) -> Plan {
    Plan::plain(vec![inside(a, "a"), inside(b, "b")], rounds, rules.parse().unwrap(), 11)
}

/// The plan's games in the order of their numbers.
fn records(plan: &Plan, concurrency: usize) -> Vec<Record> {
    let mut records = Vec::new();
    let keep = |record| {
        records.push(record);
        Ok(ControlFlow::Continue(()))
    };
    plan.play(concurrency, &HashSet::new(), keep).unwrap();
    records.sort_by_key(|record| record.game);
    records
}

fn bytes(records: &[Record]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for record in records {
        record.write(&mut bytes).unwrap();
    }
    bytes
}

#[test]
fn concurrency_does_not_change_a_byte() {
    let plan = plan("player=engine nodes=60", "player=random", "isf plies=60", 6);
    let alone = records(&plan, 1);
    assert_eq!(alone.iter().map(|record| record.game).collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5]);
    assert!(alone.iter().all(|record| record.clocks.is_empty() && record.outcome.fault.is_none()));
    assert_eq!(bytes(&alone), bytes(&records(&plan, 4)));
    let mut other = plan;
    other.house.seed = 12;
    assert_ne!(bytes(&alone), bytes(&records(&other, 4)));
}

#[test]
fn every_rule_system_gives_games_that_verify() {
    for rules in [
        "1961",
        "vassal",
        "gameboard",
        "wiki",
        "isf silent=on",
        "gravon quiet=80",
        "evaluator",
        "isf aggressor=on",
        "isf barrage=on",
        "evaluator barrage=on silent=on",
        "1961 barrage=on aggressor=on",
        "gameboard rescue=on",
        "isf rescue=on silent=on",
    ] {
        let plan = plan("player=random", "player=random", &format!("{rules} plies=2000"), 3);
        for record in records(&plan, 2) {
            verify(&record).unwrap_or_else(|error| panic!("{rules}: game {}: {error:#}", record.game));
            assert_ne!(record.outcome.reason, EndReason::Fault, "{rules}: {:?}", record.outcome);
            let read: Vec<_> =
                read(&bytes(std::slice::from_ref(&record))[..]).collect::<Result<_, _>>().unwrap();
            assert_eq!(read, [record]);
        }
    }
}

/// Far from every setup that is drawn with forty pieces: no two of a contest alike, and games that are decided.
#[test]
fn barrage_is_played_out() {
    let plan = plan("player=engine nodes=200", "player=engine nodes=200", "isf barrage=on plies=1000", 12);
    let records = records(&plan, 2);
    let setups: HashSet<&String> = records.iter().flat_map(|record| record.setups.values()).collect();
    assert_eq!(setups.len(), 24);
    for record in &records {
        verify(record).unwrap();
        assert_eq!(record.outcome.fault, None);
        assert!(record.setups.values().all(|setup| setup.matches('.').count() == 32));
    }
    assert!(records.iter().filter(|record| record.outcome.winner != Winner::Draw).count() >= 9);
}

#[test]
fn networks_play_under_every_kind_of_rules() {
    let net = concat!(env!("CARGO_MANIFEST_DIR"), "/../../crates/engine/src/policy/self_play.net");
    let drawn = format!("player=network net={net} temperature=1");
    let greedy = format!("player=network net={net}");
    for rules in ["isf", "evaluator", "isf barrage=on silent=on", "gameboard rescue=on"] {
        let plan = plan(&drawn, &greedy, &format!("{rules} plies=150"), 2);
        let games = records(&plan, 2);
        assert_eq!(bytes(&games), bytes(&records(&plan, 1)));
        for record in &games {
            verify(record).unwrap();
            assert_eq!(record.outcome.fault, None);
            assert!(record.players.values().all(|player| player.net.as_deref() == Some("self_play.net")));
        }
        let mut other = plan;
        other.house.seed = 12;
        let other = records(&other, 2);
        assert!(games.iter().zip(&other).any(|(one, other)| one.moves != other.moves));
    }
}

#[test]
fn tampering_is_found() {
    let plan = plan("player=random", "player=random", "isf plies=400", 1);
    let mut plan = plan;
    plan.house.clocks = true;
    let honest = plan.play_one(0).unwrap();
    verify(&honest).unwrap();
    let strike = honest.moves.iter().position(|text| text.contains("=W")).unwrap();
    let found = |change: &dyn Fn(&mut Record)| {
        let mut record = honest.clone();
        change(&mut record);
        format!("{:#}", verify(&record).unwrap_err())
    };
    let lost = honest.moves[strike].replace("=W", "=L");
    assert!(found(&|record| record.moves[strike].clone_from(&lost)).contains("the result is"));
    assert!(found(&|record| record.moves[0] = "a1a2".to_owned()).contains("not legal"));
    assert!(found(&|record| record.moves[1] = "chess".to_owned()).contains("no action"));
    assert!(found(&|record| drop(record.moves.pop())).contains("not ended"));
    assert!(found(&|record| record.moves.push("a1a2".to_owned())).contains("over before"));
    assert!(found(&|record| record.outcome.reason = EndReason::Fault).contains("it ended"));
    assert!(found(&|record| record.outcome.winner = Winner::None).contains("it ended"));
    assert!(found(&|record| record.plies += 1).contains("plies are noted"));
    assert!(found(&|record| record.strikes += 1).contains("strikes are noted"));
    assert!(found(&|record| record.nodes.truncate(3)).contains("counts of nodes"));
    assert!(found(&|record| record.clocks.truncate(3)).contains("clocks"));
    assert!(found(&|record| record.setups[Side::Red] = "?".to_owned()).contains("not the whole army"));
    assert!(found(&|record| record.rules = "isf twosquares".to_owned()).contains("rule system"));
}

#[test]
fn a_fault_is_its_players_loss() {
    let plan = plan("player=random", "player=random", "isf plies=40", 1);
    let mut record = plan.play_one(0).unwrap();
    record.moves.truncate(7);
    record.nodes.truncate(7);
    record.plies = 7;
    record.strikes = record.moves.iter().filter(|text| text.contains('=')).count() as u32;
    record.outcome = Outcome::of_fault(Side::Blue, "illegal: it finds no action".to_owned());
    verify(&record).unwrap();
    record.outcome = Outcome::of_fault(Side::Red, "illegal: it finds no action".to_owned());
    verify(&record).unwrap();
    // Nobody but an arena hears of a fault out of turn.
    record.players[Side::Red].told = None;
    assert!(verify(&record).unwrap_err().to_string().contains("the other side's"));
}

#[test]
fn what_players_decide_ends_a_game_that_no_rule_has_ended() {
    let plan = plan("player=random", "player=random", "isf plies=12", 1);
    let honest = plan.play_one(0).unwrap();
    let decided =
        |winner, decision| Record { outcome: Outcome::of_decision(winner, decision), ..honest.clone() };
    let resigned = decided(Some(Side::Red), Decision::Resigned);
    assert!(format!("{:#}", verify(&resigned).unwrap_err()).contains("it ended"));
    let longer = |record: Record| Record { rules: "isf".to_owned(), ..record };
    verify(&longer(resigned)).unwrap();
    verify(&longer(decided(None, Decision::Agreed))).unwrap();
    assert!(verify(&longer(decided(Some(Side::Blue), Decision::Agreed))).is_err());
    assert!(verify(&longer(honest.clone())).unwrap_err().to_string().contains("not ended"));
}

#[test]
fn pairs_share_setups_and_swap_colours() {
    let plan = Plan { paired: true, ..plan("player=random", "player=engine nodes=5", "isf plies=6", 2) };
    let games = records(&plan, 2);
    for pair in games.chunks(2) {
        assert_eq!(pair[0].setups, pair[1].setups);
        assert_eq!(pair[0].pair, pair[1].pair);
        assert_eq!((pair[0].names(), pair[1].names()), (["a", "b"], ["b", "a"]));
    }
    assert_ne!(games[0].setups, games[2].setups);
    assert_ne!(games[0].setups[Side::Red].parse::<Setup>(), games[0].setups[Side::Blue].parse());
}

#[test]
fn shards_make_up_the_match() {
    for (paired, rounds) in [(true, 3), (false, 5)] {
        let whole = Plan { paired, ..plan("player=random", "player=engine nodes=5", "isf plies=6", rounds) };
        let all = records(&whole, 1);
        for count in [2, 3, 8] {
            let shards = (0..count).map(|index| Plan { shard: Shard { index, count }, ..whole.clone() });
            let mut played: Vec<Record> = shards.flat_map(|shard| records(&shard, 2)).collect();
            played.sort_by_key(|record| record.game);
            assert!(played.iter().all(|record| record.shard.is_some_and(|shard| shard.count == count)));
            for record in &mut played {
                record.shard = None;
            }
            assert_eq!(played, all, "{count} shards");
        }
    }
}

/// What is recorded of a player's candidates is what it was asked to say, and no more where anybody was asked.
#[test]
fn candidates_are_recorded_as_they_are_reported() {
    let counts = |a: &str, b: &str| -> Vec<usize> {
        let game = plan(a, b, "isf plies=8", 1).play_one(0).unwrap();
        game.candidates.iter().map(|candidates| candidates.split_whitespace().count() / 2).collect()
    };
    let (many, plain) = ("player=engine nodes=500 candidates=3", "player=engine nodes=500");
    assert_eq!(counts(many, plain), [3, 0, 3, 0, 3, 0, 3, 0]);
    // Untold, the action with its expected score, where there was a search.
    assert_eq!(counts(plain, "player=random"), [1, 0, 1, 0, 1, 0, 1, 0]);
    assert_eq!(counts("player=engine nodes=500 random=1", plain), [0, 1, 0, 1, 0, 1, 0, 1]);
    let behind = plan(&format!("{many} mirror=on"), plain, "isf plies=40", 1).play_one(0).unwrap();
    verify(&behind).unwrap();
    let first = |(said, moved): (&String, &String)| said.is_empty() || said.starts_with(moved.as_str());
    let moves = behind.candidates.iter().zip(&behind.moves).filter(|(_, moved)| !moved.contains('x'));
    assert!(moves.clone().filter(|pair| first(*pair)).count() * 4 > moves.count() * 3);
}

/// Runs the arena with the file behind the arguments.
fn tool(arguments: &[&str], path: &PathBuf) -> Output {
    arena(arguments).arg(path).output().unwrap()
}

const MATCH: [&str; 21] = [
    "match",
    "--games",
    "6",
    "--concurrency",
    "1",
    "--no-clocks",
    "--seed",
    "5",
    "--max-plies",
    "50",
    "--each",
    "nodes=20",
    "--engine",
    "player=random",
    "name=a",
    "--engine",
    "player=engine",
    "name=b",
    "--rules",
    "isf",
    "--out",
];

#[test]
fn a_broken_off_match_goes_on_where_it_stopped() {
    let (whole, part) = (file("inside-whole.jsonl"), file("inside-part.jsonl"));
    assert!(tool(&MATCH, &whole).status.success());
    let bytes = std::fs::read(&whole).unwrap();
    let ends: Vec<usize> = (0..bytes.len()).filter(|&at| bytes[at] == b'\n').collect();
    assert_eq!(ends.len(), 6);
    std::fs::write(&part, &bytes[..ends[2] + 40]).unwrap();
    assert!(!tool(&MATCH, &part).status.success(), "a file that is there is not to be written over");
    let resume = [&["match", "--resume"], &MATCH[1..]].concat();
    let resumed = tool(&resume, &part);
    assert!(resumed.status.success(), "{resumed:?}");
    assert_eq!(std::fs::read(&part).unwrap(), bytes);
    assert!(String::from_utf8(resumed.stdout).unwrap().contains("a against b: won "));
    for (old, new, difference) in [("5", "6", "it has seed 5"), ("nodes=20", "nodes=21", "the settings of")] {
        let other: Vec<&str> = resume.iter().map(|word| if *word == old { new } else { word }).collect();
        let refused = String::from_utf8(tool(&other, &part).stderr).unwrap();
        assert!(refused.contains("game 0 is of another match") && refused.contains(difference), "{refused}");
    }
}

#[test]
fn a_broken_off_shard_goes_on_and_keeps_to_its_games() {
    let path = file("inside-shard.jsonl");
    let of = |shard| [&["match", "--resume", "--shard", shard], &MATCH[1..]].concat();
    assert!(tool(&of("2/2"), &path).status.success());
    let bytes = std::fs::read(&path).unwrap();
    let lines: Vec<&[u8]> = bytes.split_inclusive(|&byte| byte == b'\n').collect();
    assert_eq!(lines.len(), 2);
    std::fs::write(&path, &bytes[..lines[0].len() + 40]).unwrap();
    assert!(tool(&of("2/2"), &path).status.success());
    assert_eq!(std::fs::read(&path).unwrap(), bytes);
    let refused = String::from_utf8(tool(&of("1/2"), &path).stderr).unwrap();
    assert!(refused.contains("it is of shard 2/2"), "{refused}");
}

#[test]
fn drawn_rules_are_played_recorded_and_gone_on_with() {
    let path = file("inside-rules.jsonl");
    let words: Vec<&str> = MATCH.iter().map(|word| if *word == "isf" { "random" } else { word }).collect();
    assert!(tool(&words, &path).status.success());
    let bytes = std::fs::read(&path).unwrap();
    let games: Vec<Record> = read(&bytes[..]).collect::<Result<_, _>>().unwrap();
    for game in &games {
        verify(game).unwrap();
    }
    assert!(games.chunks(2).all(|pair| pair[0].rules == pair[1].rules));
    assert_eq!(games.iter().map(|game| &game.rules).collect::<HashSet<_>>().len(), 3);
    std::fs::write(&path, &bytes[..bytes.len() - 9]).unwrap();
    assert!(tool(&[&["match", "--resume"], &words[1..]].concat(), &path).status.success());
    assert_eq!(std::fs::read(&path).unwrap(), bytes);
}

#[test]
fn shards_merge_under_drawn_rules_and_not_under_two() {
    let play = |rules: &'static str, shard: &str, name: &str| {
        let path = file(name);
        let words: Vec<&str> = MATCH.iter().map(|word| if *word == "isf" { rules } else { word }).collect();
        assert!(tool(&[&["match", "--shard", shard], &words[1..]].concat(), &path).status.success());
        path
    };
    let merge = |files: [&PathBuf; 2]| {
        let out = file("inside-merged.jsonl");
        (arena(&["merge", "--out"]).arg(&out).args(files).output().unwrap(), out)
    };
    let drawn = ["1/2", "2/2"].map(|shard| play("random", shard, &format!("drawn-{}.jsonl", &shard[..1])));
    let (merged, out) = merge(drawn.each_ref());
    // The second has but one round, and so one rule system.
    assert!(merged.status.success() && std::fs::read_to_string(out).unwrap().lines().count() == 6);
    let one = play("isf", "1/2", "of-isf.jsonl");
    let other = play("gravon", "2/2", "of-gravon.jsonl");
    let (refused, out) = merge([&one, &other]);
    let error = String::from_utf8(refused.stderr).unwrap();
    assert!(
        error.contains("of-gravon.jsonl has other rules than a file before it") && !out.exists(),
        "{error}"
    );
}

#[test]
fn the_arena_verifies_and_sums_up() {
    let path = file("inside-verified.jsonl");
    assert!(tool(&MATCH, &path).status.success());
    let verified = tool(&["verify"], &path);
    assert!(verified.status.success());
    assert_eq!(verified.stdout, b"6 games, 300 plies replayed, 0 wrong\n");
    let stats = String::from_utf8(tool(&["stats"], &path).stdout).unwrap();
    for part in [
        "games: 6, 6 of them different; red won 0, drawn 6, lost 0",
        "ends: draw plies 6",
        "plies a game: 50.0",
        "score 50.0% (",
        "b: 2",
        "nodes an action",
    ] {
        assert!(stats.contains(part), "{part} in {stats}");
    }
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replacen("\"plies\":50", "\"plies\":51", 1)).unwrap();
    let wrong = tool(&["verify"], &path);
    assert!(!wrong.status.success());
    assert!(String::from_utf8(wrong.stdout).unwrap().ends_with("1 wrong\n"));
    let first = text.lines().next().unwrap();
    let again = first.replacen("\"game\":", "\"game\":1", 1);
    std::fs::write(&path, format!("{first}\n{again}\n")).unwrap();
    let stats = String::from_utf8(tool(&["stats"], &path).stdout).unwrap();
    assert!(stats.contains("games: 2, 1 of them different"), "{stats}");
}

#[test]
fn every_limit_and_option_of_a_player_plays() {
    for (words, more) in [
        ("player=engine movetime=2", &[][..]),
        ("player=engine depth=1", &[]),
        ("player=engine tc=5+0.1", &[]),
        ("player=engine level=3 random=0.1 rescue=ignore types=ignore nodes=20", &[]),
        ("player=engine nodes=20 setups=shuffled", &["--no-pairs"]),
        ("player=engine nodes=20", &["--own-setups"]),
        ("player=random mirror=random", &["--own-setups"]),
    ] {
        let path = file("inside-option.jsonl");
        let mut command = arena(&["match", "--games", "2", "--max-plies", "30", "--margin", "60000"]);
        command.args(more).args(["--engine", "player=random", "name=other", "--engine"]);
        let played = command.args(words.split(' ')).arg("--out").arg(&path).output().unwrap();
        assert!(played.status.success(), "{words}: {played:?}");
        for record in outflank_record::open(&path).unwrap() {
            let record = record.unwrap();
            verify(&record).unwrap();
            assert_eq!((record.plies, record.outcome.fault), (30, None), "{words}");
        }
    }
    for (words, complaint) in [
        (&["setups=drawn", "--own-setups"][..], "setups= is for setups that the arena draws"),
        (&["--rules", "random", "--book", "nowhere.txt"], "a book is for one rule system"),
        (&["candidates=18446744073709551615"], "candidates: it takes a whole number"),
        (&["cmd=x"], "players have no \"cmd\""),
    ] {
        let mut command = arena(&["match", "--engine", "player=random", "--engine", "player=engine"]);
        let refused = command.args(words).output().unwrap();
        let error = String::from_utf8_lossy(&refused.stderr);
        assert!(!refused.status.success() && error.contains(complaint), "{words:?}: {error}");
    }
}

#[test]
fn decisions_fit_their_winners() {
    let plan = plan("player=random", "player=random", "isf plies=12", 1);
    let open = Record { rules: "isf".to_owned(), ..plan.play_one(0).unwrap() };
    let verified = |winner, decision| {
        verify(&Record { outcome: Outcome::of_decision(winner, decision), ..open.clone() })
    };
    for decision in Decision::ALL {
        let (won, drawn) = (verified(Some(Side::Blue), decision), verified(None, decision));
        let expected = match decision {
            Decision::Resigned | Decision::Time | Decision::Absent | Decision::TimeAbsent => (true, false),
            Decision::Agreed | Decision::BothAbsent => (false, true),
            Decision::GameTime => (true, true),
        };
        assert_eq!((won.is_ok(), drawn.is_ok()), expected, "{decision:?}");
    }
}
