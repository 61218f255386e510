//! The command that writes down hidden pieces of recorded games for the learner of the history model.
//!
//! The file, little-endian: the number of features (u32); then by moment: the game, counted from 0 over all files
//! (u32), its data set (u16), the ply (u16), how many of each rank are hidden (12 bytes), how many pieces (u16); then
//! by piece: the true rank (u8), whether it has moved (u8), its possible ranks (u16), its features in 1/256 (i16
//! each).

use outflank::belief::history::features::{ArmyFeatures, FEATURES, write};
use outflank::rng::Rng;
use outflank::rules::Side;
use outflank_record::console::complain;
use outflank_record::{Record, Replay, WholeFile, ensure_free};
use std::io::Write;
use std::path::PathBuf;

/// What to write down.
#[derive(clap::Args)]
pub struct Options {
    /// Records of games, one a line; each file is a data set
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Where it goes
    #[arg(long)]
    out: PathBuf,
    /// Replace a file that is there
    #[arg(long)]
    force: bool,
    /// About how many moments of each game
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    moments: u32,
    /// Take every N-th game only
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    each: u64,
    /// Seed of the moments
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Hands every record of some files to a function.
pub type EachRecord<'a> =
    &'a dyn Fn(&[PathBuf], &mut dyn FnMut(&Record) -> anyhow::Result<()>) -> anyhow::Result<()>;

impl Options {
    /// Writes the file.
    ///
    /// # Errors
    /// If a record cannot be replayed or the file not be written.
    pub fn run(&self, each_record: EachRecord) -> anyhow::Result<()> {
        ensure_free(&self.out, self.force)?;
        let mut out = WholeFile::new(&self.out)?;
        out.write_all(&(FEATURES as u32).to_le_bytes())?;
        let (mut game, mut rng) = (0, Rng::new(self.seed));
        for (data_set, file) in self.files.iter().enumerate() {
            let mut seen = 0;
            each_record(std::slice::from_ref(file), &mut |record| {
                seen += 1;
                if (seen - 1) % self.each == 0 && !record.ruleset()?.barrage {
                    self.game(record, (game, data_set as u16), &mut rng, &mut out)?;
                    game += 1;
                }
                Ok(())
            })?;
        }
        complain(format_args!("{game} games, {FEATURES} features"));
        out.put_out(self.force)
    }

    fn game(
        &self,
        record: &Record,
        name: (u32, u16),
        rng: &mut Rng,
        out: &mut impl Write,
    ) -> anyhow::Result<()> {
        let chance = f64::from(self.moments) / record.moves.len().max(1) as f64;
        let mut replay = Replay::new(record)?;
        while replay.step()?.is_some() {
            for viewer in Side::BOTH {
                if replay.is_running() && rng.below(1 << 20) < (chance * f64::from(1 << 20)) as usize {
                    moment(&replay, viewer, name, out)?;
                }
            }
        }
        Ok(())
    }
}

fn moment(
    replay: &Replay,
    viewer: Side,
    (game, data_set): (u32, u16),
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let view = replay.view(viewer);
    let pieces = view.hidden_army();
    let mut left = *view.position().rules().army().counts();
    for rank in pieces.iter().filter_map(|(_, piece)| piece.ranks.single()) {
        left[rank] -= 1;
    }
    let hidden: Vec<_> = pieces.iter().filter(|(_, piece)| piece.ranks.len() > 1).collect();
    if hidden.len() < 2 {
        return Ok(());
    }
    let army = ArmyFeatures::new(view, &pieces);
    out.write_all(&game.to_le_bytes())?;
    out.write_all(&data_set.to_le_bytes())?;
    out.write_all(&(replay.ply().min(65_535) as u16).to_le_bytes())?;
    out.write_all(left.as_array())?;
    out.write_all(&(hidden.len() as u16).to_le_bytes())?;
    let mut numbers = vec![0.0; FEATURES];
    for (id, piece) in hidden {
        write(view, &army, *id, piece, &mut numbers);
        out.write_all(&[replay.truth(*id)?.index() as u8, u8::from(piece.moved)])?;
        out.write_all(&piece.ranks.bits().to_le_bytes())?;
        for number in &numbers {
            out.write_all(&((number * 256.0).round() as i16).to_le_bytes())?;
        }
    }
    Ok(())
}
