//! Contests, their records, and what verifying them finds.

use outflank::rules::{Setup, Side};
use outflank_record::{Decision, EndReason, Outcome, Record, Winner, read, verify};
use outflank_selfplay::contest::Contest;
use outflank_selfplay::player::Told;
use outflank_selfplay::rules::Rules;
use outflank_selfplay::shard::Shard;
use std::collections::HashSet;
use std::path::PathBuf;
use std::process::{Command, Output};

fn contest(a: &str, b: &str, rules: &str, games: u64) -> Contest {
    let config = |text: &str, name| text.parse::<Told>().unwrap().config(name, None, None);
    let rules = Rules::parse(rules, 0).unwrap();
    let players = [config(a, "a"), config(b, "b")];
    Contest { games, pairs: false, rules, seed: 11, players, clocks: false }
}

fn records(contest: &Contest, threads: usize) -> Vec<Record> {
    let mut records = Vec::new();
    let keep = |record| {
        records.push(record);
        Ok(())
    };
    contest.play(threads, &HashSet::new(), keep).unwrap();
    records
}

fn bytes(records: &[Record]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for record in records {
        record.write(&mut bytes).unwrap();
    }
    bytes
}

/// A file of this test run's own.
fn file(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_file(&path);
    path
}

#[test]
fn threads_do_not_change_a_byte() {
    let contest = contest("nodes=60", "player=random", "isf plies=60", 6);
    let alone = records(&contest, 1);
    assert_eq!(alone.iter().map(|record| record.game).collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5]);
    assert!(alone.iter().all(|record| record.clocks.is_empty() && record.outcome.fault.is_none()));
    assert_eq!(bytes(&alone), bytes(&records(&contest, 4)));
    let other = Contest { seed: 12, ..contest };
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
        let contest = contest("player=random", "player=random", &format!("{rules} plies=2000"), 3);
        for record in records(&contest, 2) {
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
    let contest = contest("nodes=200", "nodes=200", "isf barrage=on plies=1000", 12);
    let records = records(&contest, 2);
    let setups: HashSet<&String> = records.iter().flat_map(|record| record.setups.values()).collect();
    assert_eq!(setups.len(), 24);
    for record in &records {
        verify(record).unwrap();
        assert_eq!(record.outcome.fault, None);
        assert!(record.setups.values().all(|setup| setup.matches('.').count() == 32));
    }
    assert!(records.iter().filter(|record| record.outcome.winner != Winner::Draw).count() >= 9);
}

/// The network is random, so how it plays means nothing; that every action is legal and follows from the seed does.
#[test]
fn a_policy_network_plays_under_every_kind_of_rules() {
    let net = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/policy/fixture.net");
    let drawn = format!("player=policy,net={net},temperature=1");
    let greedy = format!("player=policy,net={net}");
    for rules in ["isf", "evaluator", "isf barrage=on silent=on", "gameboard rescue=on"] {
        let contest = contest(&drawn, &greedy, &format!("{rules} plies=150"), 2);
        let games = records(&contest, 2);
        assert_eq!(bytes(&games), bytes(&records(&contest, 1)));
        for record in &games {
            verify(record).unwrap();
            assert_eq!(record.outcome.fault, None);
            assert!(record.players.values().all(|player| player.net.as_deref() == Some("fixture.net")));
        }
        let other = records(&Contest { seed: 12, ..contest }, 2);
        assert!(games.iter().zip(&other).any(|(one, other)| one.moves != other.moves));
    }
}

#[test]
fn tampering_is_found() {
    let contest = contest("player=random", "player=random", "isf plies=400", 1);
    let honest = Contest { clocks: true, ..contest }.game(0).play().unwrap();
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
    assert!(found(&|record| record.plies += 1).contains("plies are told"));
    assert!(found(&|record| record.strikes += 1).contains("strikes are told"));
    assert!(found(&|record| record.nodes.truncate(3)).contains("counts of nodes"));
    assert!(found(&|record| record.clocks.truncate(3)).contains("clocks"));
    assert!(found(&|record| record.setups[Side::Red] = "?".to_owned()).contains("not the whole army"));
    assert!(found(&|record| record.rules = "isf twosquares".to_owned()).contains("rule system"));
}

#[test]
fn a_fault_is_the_movers_loss() {
    let contest = contest("player=random", "player=random", "isf plies=40", 1);
    let mut record = contest.game(0).play().unwrap();
    record.moves.truncate(7);
    record.nodes.truncate(7);
    record.plies = 7;
    record.strikes = record.moves.iter().filter(|text| text.contains('=')).count() as u32;
    record.outcome = Outcome::of_fault(outflank::rules::Side::Blue, "no action offered".to_owned());
    verify(&record).unwrap();
    record.outcome = Outcome::of_fault(outflank::rules::Side::Red, "no action offered".to_owned());
    assert!(verify(&record).unwrap_err().to_string().contains("the other side's"));
}

#[test]
fn what_players_decide_ends_a_game_that_no_rule_has_ended() {
    let contest = contest("player=random", "player=random", "isf plies=12", 1);
    let honest = contest.game(0).play().unwrap();
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
    let contest = Contest { pairs: true, ..contest("player=random", "nodes=5", "isf plies=6", 4) };
    let games = records(&contest, 2);
    for pair in games.chunks(2) {
        assert_eq!(pair[0].setups, pair[1].setups);
        assert_eq!(pair[0].pair, pair[1].pair);
        assert_eq!((pair[0].names(), pair[1].names()), (["a", "b"], ["b", "a"]));
    }
    assert_ne!(games[0].setups, games[2].setups);
    assert_ne!(games[0].setups[Side::Red].parse::<Setup>(), games[0].setups[Side::Blue].parse());
}

#[test]
fn shards_make_up_the_contest() {
    for (pairs, games) in [(true, 6), (false, 5)] {
        let contest = Contest { pairs, ..contest("player=random", "nodes=5", "isf plies=6", games) };
        let whole = records(&contest, 1);
        for count in [2, 3, 8] {
            let mut played = Vec::new();
            for index in 0..count {
                let (shard, before) = (Shard { index, count }, played.len());
                let keep = |record| {
                    played.push(record);
                    Ok(())
                };
                contest.play_share(shard, 2, &HashSet::new(), keep).unwrap();
                let done = played[before..].iter().map(|record| record.game).collect();
                assert_eq!(contest.left(shard, &HashSet::new()), (played.len() - before) as u64);
                assert_eq!(contest.left(shard, &done), 0);
                for record in &mut played[before..] {
                    assert_eq!(record.shard.take(), shard.record(games));
                }
            }
            played.sort_by_key(|record| record.game);
            assert_eq!(played, whole, "{count} shards");
        }
    }
}

#[test]
fn a_broken_off_shard_goes_on_and_keeps_to_its_games() {
    let path = file("shard.jsonl");
    let of = |shard| [&["play", "--resume", "--shard", shard], &PLAY[1..]].concat();
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

/// Runs the tool.
fn tool(arguments: &[&str], path: &PathBuf) -> Output {
    Command::new(env!("CARGO_BIN_EXE_outflank-selfplay")).args(arguments).arg(path).output().unwrap()
}

const PLAY: [&str; 14] = [
    "play",
    "--games",
    "6",
    "--pairs",
    "--threads",
    "3",
    "--no-clocks",
    "--seed",
    "5",
    "--max-plies",
    "50",
    "--a=player=random",
    "--b=nodes=20",
    "--out",
];

#[test]
fn a_broken_off_contest_goes_on_where_it_stopped() {
    let (whole, part) = (file("whole.jsonl"), file("part.jsonl"));
    assert!(tool(&PLAY, &whole).status.success());
    let bytes = std::fs::read(&whole).unwrap();
    let ends: Vec<usize> = (0..bytes.len()).filter(|&at| bytes[at] == b'\n').collect();
    assert_eq!(ends.len(), 6);
    std::fs::write(&part, &bytes[..ends[2] + 40]).unwrap();
    assert!(!tool(&PLAY, &part).status.success(), "a file that is there is not to be written over");
    let resume = [&["play", "--resume"], &PLAY[1..]].concat();
    let resumed = tool(&resume, &part);
    assert!(resumed.status.success(), "{resumed:?}");
    assert_eq!(std::fs::read(&part).unwrap(), bytes);
    assert!(String::from_utf8(resumed.stdout).unwrap().starts_with("a against b: 6 games, 6 distinct\n"));
    let other: Vec<&str> = resume.iter().map(|word| if *word == "5" { "6" } else { word }).collect();
    let refused = String::from_utf8(tool(&other, &part).stderr).unwrap();
    assert!(refused.contains("game 0") && refused.contains("it has seed 5"), "{refused}");
}

#[test]
fn the_tool_verifies_and_sums_up() {
    let path = file("verified.jsonl");
    assert!(tool(&PLAY, &path).status.success());
    let verified = tool(&["verify"], &path);
    assert!(verified.status.success());
    assert_eq!(verified.stdout, b"6 games, 300 plies replayed, 0 wrong\n");
    let stats = String::from_utf8(tool(&["stats"], &path).stdout).unwrap();
    for part in ["ends: plies 6", "50.0 plies a game", "score 50.0%", "b: 2", "nodes an action"] {
        assert!(stats.contains(part), "{part} in {stats}");
    }
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replacen("\"plies\":50", "\"plies\":51", 1)).unwrap();
    let wrong = tool(&["verify"], &path);
    assert!(!wrong.status.success());
    assert!(String::from_utf8(wrong.stdout).unwrap().ends_with("1 wrong\n"));
}

#[test]
fn players_keep_setups_of_their_own_when_they_change_colours() {
    let plain = Contest { pairs: true, ..contest("", "", "isf", 8) };
    let own = Contest { pairs: true, ..contest("setups=book", "setups=drawn", "isf", 8) };
    for pair in 0..4 {
        let [setups, again] = [0, 1].map(|game| plain.game(2 * pair + game).setups());
        assert_eq!(setups, again);
        let [setups, turned] = [0, 1].map(|game| own.game(2 * pair + game).setups());
        assert_eq!(setups.swapped(), turned);
        assert_ne!(setups, turned);
    }
}

#[test]
fn decisions_fit_their_winners() {
    let contest = contest("player=random", "player=random", "isf plies=12", 1);
    let open = Record { rules: "isf".to_owned(), ..contest.game(0).play().unwrap() };
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

#[test]
fn a_population_of_setups_goes_on_where_it_stopped() {
    let [whole, parts] = ["whole.txt", "parts.txt"].map(file);
    let rounds = |count: &str, path: &PathBuf| {
        let options =
            ["--size", "8", "--player", "player=random", "--max-plies", "200", "--replaced", "0.25"];
        let output = tool(&[&["setups", "--rounds", count][..], &options, &["--out"]].concat(), path);
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let told = rounds("3", &whole);
    assert_eq!((told.lines().count(), told.starts_with("round 1: merit ")), (3, true), "{told}");
    rounds("1", &parts);
    assert_eq!(rounds("3", &parts).lines().count(), 2);
    let [whole, parts] = [whole, parts].map(|path| std::fs::read_to_string(path).unwrap());
    assert_eq!(whole, parts);
    assert!(whole.starts_with("# round 3\n") && whole.lines().count() == 9);
}

#[test]
fn setups_are_not_improved_for_barrage_nor_from_nonsense() {
    let path = file("refused.txt");
    let refused = |options: &[&str]| {
        let output =
            tool(&[&["setups", "--player", "player=random"][..], options, &["--out"]].concat(), &path);
        assert!(!output.status.success() && !path.exists(), "{output:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(refused(&["--rules", "isf barrage=on"]).contains("not for barrage"));
    assert!(refused(&["--replaced", "0.7"]).contains("a share of 0 to 0.5"));
    assert!(refused(&["--from", "nowhere.txt"]).contains("nowhere.txt"));
}
