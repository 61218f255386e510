//! `outflank-arena merge`.

use crate::arguments::Merge;
use anyhow::{Context, anyhow, bail, ensure};
use outflank_arena::coverage::Coverage;
use outflank_arena::standings::Standings;
use outflank_record::console::print;
use outflank_record::{Duplicates, Record, WholeFile, open};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Puts the records of a whole match into one file, by their numbers, and prints its table.
pub(crate) fn run(merge: &Merge) -> anyhow::Result<()> {
    let exists = || anyhow!("{} is not overwritten", merge.out.display());
    ensure!(!merge.out.exists(), exists());
    let merged = gather(merge)?;
    let mut standings = Standings::default();
    merged.values().try_for_each(|record| standings.add(record))?;
    let written = write(merged.values(), &merge.out);
    let kept = written.and_then(|file| match file.put_new() {
        Err(_) if merge.out.exists() => Err(exists()),
        kept => kept,
    });
    let printed = print(&standings);
    kept.and(printed)
}

/// All games of the match by their numbers.
fn gather(merge: &Merge) -> anyhow::Result<BTreeMap<u64, Record>> {
    let (mut merged, mut duplicates, mut coverage) =
        (BTreeMap::new(), Duplicates::default(), Coverage::default());
    let (mut seed, mut only) = (None, None);
    for path in &merge.files {
        let mut rules = BTreeSet::new();
        for record in open(path)? {
            let mut record = record?;
            let place = || format!("{}: game {}", path.display(), record.game);
            let same = *seed.get_or_insert(record.seed) == record.seed;
            ensure!(same, "{} has another seed than the first", place());
            rules.insert(record.rules.clone());
            coverage.add(&record).with_context(place)?;
            duplicates.add(&record);
            record.shard = None;
            let (number, place) = (record.game, place());
            let other = merged.insert(number, record);
            // Between other players it is no double, and yet there is no place for both.
            let doubled = other.is_none_or(|other| other.names() == merged[&number].names());
            ensure!(doubled, "{place} is there twice, between different players");
        }
        // Where a file has several, they were drawn.
        if let (1, Some(rules)) = (rules.len(), rules.pop_first()) {
            let same = *only.get_or_insert_with(|| rules.clone()) == rules;
            ensure!(same, "{} has other rules than a file before it", path.display());
        }
    }
    duplicates.check()?;
    match coverage.missing() {
        None => Ok(merged),
        Some(missing) => bail!("the match is not whole; missing: {missing}"),
    }
}

/// A file that holds the records, and is gone unless it is kept.
fn write<'a>(records: impl Iterator<Item = &'a Record>, out: &Path) -> anyhow::Result<WholeFile> {
    let mut file = WholeFile::new(out)?;
    for record in records {
        record.write(&mut file)?;
    }
    Ok(file)
}
