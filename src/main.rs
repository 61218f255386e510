//! The engine binary.

fn main() -> anyhow::Result<()> {
    env_logger::init();
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args.split_first() {
        Some((mode, rest)) if mode == "evaluator" => outflank::evaluator::run(rest),
        Some(_) | None => Ok(()),
    }
}
