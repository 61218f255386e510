//! Files of records: locked, whole, and of one match.

use super::{HONEST, Running, arena, fail, file, limited, output, small_match, succeed};
use outflank_record::RecordFile;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};

#[test]
fn of_two_arenas_on_one_file_the_second_is_refused() {
    let out = file("two-arenas.jsonl");
    let mut first = arena(&["match", "--games", "2", "--patience", "600000", "--engine", *HONEST, "nodes=1"]);
    first.args(["--engine", *HONEST, "name=hangs", "nodes=1", "args=hang", "--out"]).arg(&out);
    let first = Running(first.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap());
    let deadline = Instant::now() + Duration::from_secs(60);
    while !out.exists() {
        assert!(Instant::now() < deadline);
        sleep(Duration::from_millis(5));
    }
    // Made and locked are two steps.
    sleep(Duration::from_millis(100));
    let errors = fail(&mut small_match(&["--games", "2", "--resume"], &out));
    assert!(errors.ends_with("two-arenas.jsonl: another process is writing to it\n"), "{errors}");
    assert_eq!(errors.lines().count(), 1, "{errors}");
    drop(first);
    succeed(&mut small_match(&["--games", "2", "--resume"], &out));
}

#[test]
fn two_arenas_that_start_together_damage_nothing() {
    let out = file("together.jsonl");
    let start = || small_match(&["--games", "6", "--resume"], &out).stderr(Stdio::null()).spawn().unwrap();
    let mut both = [start(), start()];
    let ended = [0, 1].map(|index| both[index].wait().unwrap().success());
    assert!(ended.contains(&true));
    succeed(&mut small_match(&["--games", "6", "--resume"], &out));
    let verified = succeed(arena(&["verify"]).arg(&out));
    assert_eq!(verified, "6 games, 240 plies replayed, 0 wrong\n");
}

#[test]
fn doubled_games_are_named_and_fail() {
    let out = file("doubled.jsonl");
    succeed(&mut small_match(&["--games", "4"], &out));
    let text = fs::read_to_string(&out).unwrap();
    fs::write(&out, format!("{text}{text}")).unwrap();
    for command in ["verify", "stats"] {
        let errors = fail(arena(&[command]).arg(&out));
        assert!(errors.contains("games 0, 1, 2 and 3 are there twice"), "{command}: {errors}");
    }
    let merged = file("doubled-merged.jsonl");
    let errors = fail(arena(&["merge", "--out"]).arg(&merged).arg(&out));
    assert!(errors.contains("games 0, 1, 2 and 3 are there twice") && !merged.exists(), "{errors}");
    let errors = fail(&mut small_match(&["--games", "4", "--resume"], &out));
    assert!(errors.contains("is there twice"), "{errors}");
}

#[test]
fn what_is_no_regular_file_is_not_resumed() {
    for special in ["/dev/full", "/dev/null", "/dev/zero", "/proc"] {
        let errors = fail(&mut small_match(&["--games", "2", "--resume"], Path::new(special)));
        assert!(errors.contains(&format!("{special} is no regular file")), "{errors}");
    }
}

/// Three shards of a match of six rounds.
fn shards(name: &str) -> [PathBuf; 3] {
    [1, 2, 3].map(|shard| {
        let out = file(&format!("{name}-{shard}.jsonl"));
        succeed(&mut small_match(&["--games", "12", "--shard", &format!("{shard}/3")], &out));
        out
    })
}

/// The files of a folder whose names say that they are not finished.
fn unfinished(beside: &Path) -> usize {
    let names = fs::read_dir(beside.parent().unwrap()).unwrap().map(|entry| entry.unwrap().file_name());
    names.filter(|name| name.to_string_lossy().starts_with(".outflank-")).count()
}

#[test]
fn a_merge_without_all_shards_fails_and_leaves_nothing() {
    let [one, two, three] = &shards("lacking");
    let out = file("lacking.jsonl");
    let merge = |files: &[&PathBuf]| output(arena(&["merge", "--out"]).arg(&out).args(files));
    for (files, missing) in [
        ([one, two], "missing: shard 3/3; 4 of 12 games: 4 to 5, 10 to 11"),
        ([one, three], "missing: shard 2/3; 4 of 12 games: 2 to 3, 8 to 9"),
        ([two, three], "missing: shard 1/3; 4 of 12 games: 0 to 1, 6 to 7"),
    ] {
        let (success, table, errors) = merge(&files);
        assert!(!success && table.is_empty() && errors.contains(missing), "{errors}");
        assert!(!out.exists());
    }
    // A shard that was broken off, at the very end of the match.
    let text = fs::read_to_string(three).unwrap();
    let cut = file("lacking-cut.jsonl");
    fs::write(&cut, text.lines().take(3).collect::<Vec<_>>().join("\n") + "\n").unwrap();
    let (success, _, errors) = merge(&[one, two, &cut]);
    assert!(!success && errors.contains("missing: 1 of 12 games: "), "{errors}");
    fs::write(&cut, "{\"game\":").unwrap();
    assert!(!merge(&[one, two, &cut]).0 && !out.exists());
    let (success, table, errors) = merge(&[one, two, three]);
    assert!(success && table.contains("a against b"), "{errors}");
    assert!(!fs::read_to_string(&out).unwrap().contains("shard"));
    assert_eq!(unfinished(&out), 0);
}

#[test]
fn a_shard_cannot_decide_a_test() {
    let [one, two, three] = &shards("undecided");
    let stats = |path: &Path| output(arena(&["stats"]).arg(path).args(["--sprt", "elo1=300"]));
    for shard in [one, two, three] {
        let (success, table, errors) = stats(shard);
        assert!(!success && table.contains("a against b"), "{table}");
        assert!(
            errors.contains("a shard cannot decide a test") && errors.contains("missing: shard "),
            "{errors}"
        );
    }
    let out = file("undecided.jsonl");
    succeed(arena(&["merge", "--out"]).arg(&out).args([one, two, three]));
    assert!(stats(&out).0);
}

#[test]
fn numbers_of_games_that_nobody_means_are_refused_at_once() {
    for games in ["0", "18446744073709551614"] {
        let out = file("no-games.jsonl");
        let errors = fail(&mut small_match(&["--games", games], &out));
        assert!(errors.contains("is not in 1..=") && !out.exists(), "{errors}");
    }
    // As many rounds as one may ask for, but six games each.
    let mut many =
        arena(&["match", "--games", "1000000000000", "--engine", *HONEST, "--engine", *HONEST, "name=b"]);
    let errors = fail(many.args(["--engine", *HONEST, "name=c"]));
    assert!(errors.contains("a match has at most"), "{errors}");
}

/// So large a plan once took 8 GB before the first game.
#[test]
fn a_plan_takes_no_memory_for_games_that_have_not_begun() {
    let mut sprt = arena(&["match", "--games", "1000000000", "--concurrency", "1", "--max-plies", "10"]);
    sprt.args([
        "--margin", "20000", "--engine", *HONEST, "nodes=1", "--engine", *HONEST, "name=b", "nodes=1",
    ]);
    sprt.args(["--sprt", "elo0=-300", "elo1=-200", "alpha=0.4", "beta=0.4"]);
    let table = succeed(&mut limited("ulimit -v 2000000", &sprt));
    assert!(table.contains("accepted"), "{table}");
}

/// A file that may not grow further is met as a full disk is.
#[test]
fn a_full_disk_is_named_and_the_table_printed() {
    let out = file("full.jsonl");
    let whole = small_match(&["--games", "40", "--concurrency", "1"], &out);
    let (success, table, errors) = output(&mut limited("ulimit -f 12", &whole));
    assert!(!success && errors.contains("full.jsonl: ") && !errors.contains("panicked"), "{errors}");
    let kept = fs::read_to_string(&out).unwrap();
    let games = kept.lines().count();
    assert!(kept.ends_with('\n') && (1..40).contains(&games), "{games}");
    let row = table.lines().find(|line| line.starts_with("a ")).unwrap();
    assert_eq!(row.split_whitespace().nth(1), Some(games.to_string().as_str()), "{table}");
    succeed(&mut small_match(&["--games", "40", "--resume"], &out));
    let merged = file("full-merged.jsonl");
    let mut merge = arena(&["merge", "--out"]);
    merge.arg(&merged).arg(&out);
    let (success, table, errors) = output(&mut limited("ulimit -f 12", &merge));
    assert!(!success && errors.contains("full-merged.jsonl: ") && table.contains("a against b"), "{errors}");
    assert!(!merged.exists());
    assert_eq!(unfinished(&merged), 0);
}

#[test]
fn records_are_appended_and_never_written_over() {
    let out = file("appended.jsonl");
    succeed(&mut small_match(&["--games", "2"], &out));
    let bytes = fs::read(&out).unwrap();
    let record = fs::read_to_string(&out).unwrap().lines().next().unwrap().parse().unwrap();
    let mut file = RecordFile::resume(&out, |_| Ok(())).unwrap();
    // Whoever writes without asking for the lock loses nothing.
    let mut other = fs::OpenOptions::new().append(true).open(&out).unwrap();
    std::io::Write::write_all(&mut other, b"\n\n\n").unwrap();
    file.append(&record).unwrap();
    let after = fs::read(&out).unwrap();
    assert!(after.starts_with(&bytes) && after[bytes.len()..].starts_with(b"\n\n\n{"));
}

#[test]
fn endless_input_is_refused() {
    for command in ["verify", "stats"] {
        let errors = fail(&mut arena(&[command, "/dev/zero"]));
        assert!(errors.contains("/dev/zero: line 1: it is longer than"), "{errors}");
    }
}
