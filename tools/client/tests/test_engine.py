"""The methods of the engine, against the program itself."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading

import outflank
import pytest
from conftest import BLUE, RED, TIMEOUT
from outflank import Info, Limit, Move, Option, Ply, Rank, RuleSystem, Side, SimpleEngine, Square


def test_it_names_itself_and_its_options(engine: SimpleEngine) -> None:
    assert engine.id["name"] == "Outflank"
    assert engine.options["Hash"] == Option("Hash", "spin", "16", 1, 4096)
    assert engine.options["Ponder"].kind == "check"
    assert engine.alive and engine.pid and engine.restarts == 0
    assert engine.ping() >= 0


def test_configure_takes_options_by_mapping_and_by_name(engine: SimpleEngine) -> None:
    engine.configure({"Seed": 5, "multipv": 2}, Ponder=True)
    assert engine.status().seed == "5"
    engine.configure()


def test_rules_are_asked_and_set(engine: SimpleEngine) -> None:
    assert engine.rules().preset == "isf"
    rules = engine.rules("gravon silent=on")
    assert rules.preset == "gravon" and rules.on("silent") and not rules.on("rescue")
    assert rules.keys["twosquares"] == "5"
    engine.new_game(rules, Side.BLUE)
    assert engine.rules() == rules
    system = RuleSystem.parse("wiki quiet=20 barrage=on")
    engine.new_game(system)
    assert RuleSystem.parse(engine.rules()) == system and str(system) == "wiki quiet=20 barrage=on"
    engine.new_game(rules, Side.BLUE)
    assert engine.status().ours is Side.BLUE


def test_a_game_is_reported_taken_back_and_ended(game: SimpleEngine) -> None:
    assert game.observe() == ()
    assert game.observe("a4a5", Move.parse("a7a6")) == ()
    assert game.observe(Ply.parse("a5xa6=W43"), "b7b6") == ()
    assert [str(ply) for ply in game.history()] == ["a4a5", "a7a6", "a5xa6=W43", "b7b6"]
    game.undo(2)
    assert game.status().ply == 2
    status = game.status()
    assert (status.turn, status.ours, status.over, status.thinking) == (Side.RED, Side.RED, False, False)
    assert game.game_over(None) == ()
    assert game.status().winner == "told" and game.legal() == []
    game.undo(0)
    assert len(game.legal()) == 14
    game.observe("e4xe7=W2F")
    assert (game.status().winner, game.status().reason) == (Side.RED, "flag")


def test_a_number_is_a_limit_in_seconds(game: SimpleEngine) -> None:
    assert game.play(0.05).move in game.legal()
    assert game.play(1e-3).move in game.legal()
    for wrong in ("1", True, [1]):
        with pytest.raises(TypeError, match="a limit is a Limit"):
            game.play(wrong)  # type: ignore[arg-type]


def test_the_end_scores_the_belief_if_the_board_is_revealed(engine: SimpleEngine) -> None:
    engine.new_game("isf")
    engine.setup("red", RED)
    engine.setup("blue", BLUE)
    board = engine.board()
    assert board.viewer is None
    engine.new_game("isf", "red")
    engine.setup("red", RED)
    answers = engine.game_over("red", reveal=board)
    assert len(answers) == 2 and answers[-1].startswith("belief of blue")


def test_enemy_moves_that_break_a_repetition_rule_are_warned_of(engine: SimpleEngine) -> None:
    engine.new_game("isf", "red")
    engine.setup("red", RED)
    warnings = engine.observe(*"a4a5 j7j6 b4b5 j6j7 a5a4 j7j6 b5b4 j6j7".split())
    assert [(str(warning.move), warning.key) for warning in warnings] == [("j6j7", "twosquares")]


def test_legal_moves_are_objects(game: SimpleEngine) -> None:
    moves = game.legal()
    assert len(moves) == 10 and [str(move) for move in moves if move.strike] == ["e4xe7", "f4xf7"]


def test_play_searches_within_its_limits(game: SimpleEngine) -> None:
    choice = game.play(Limit(nodes=400))
    assert choice.move in game.legal() and not choice.resigned
    assert choice.info and choice.info.nodes == 400 and choice.info.depth
    assert choice.info.wdl and sum(choice.info.wdl) == 1000 and choice.info.pv[0] == choice.move
    assert choice.info.score and 0.4 < choice.info.score < 0.6
    only = [Move.parse("a4a5")]
    assert game.play(Limit(depth=1), searchmoves=only).move == only[0]
    assert game.play(Limit(red_clock=0.5, blue_clock=0.5, red_increment=0.01, blue_increment=0.01)).move
    assert game.play(Limit(time=0.03)).move
    assert game.history() == []


def test_limits_say_how_long_a_search_may_take() -> None:
    assert Limit().longest() == 1.0 and Limit(nodes=5).longest() is None and Limit(infinite=True).longest() is None
    assert Limit(time=2.5).longest() == 2.5 and Limit(red_clock=3, blue_clock=5).longest() == 5
    assert Limit(red_clock=3, blue_clock=5).longest(Side.RED) == 3
    words = Limit(time=0.25, nodes=7, depth=3, red_clock=1, blue_clock=2, infinite=True).words()
    assert words == "movetime 250 rtime 1000 btime 2000 nodes 7 depth 3 infinite"


def test_analyse_streams_reports(game: SimpleEngine) -> None:
    analysis = game.analyse(Limit(nodes=2000))
    reports = list(analysis)
    assert [info.depth for info in reports] == sorted(info.depth or 0 for info in reports)
    assert analysis.result and analysis.result.move and analysis.result.info == analysis.last == reports[-1]
    assert list(analysis) == [] and analysis.wait() == analysis.result


def test_questions_are_answered_while_it_thinks(game: SimpleEngine) -> None:
    with game.analyse(Limit(infinite=True)) as analysis:
        assert next(analysis).depth == 1
        for _ in range(20):
            assert game.status().thinking
            assert len(game.belief()) == 40
            assert len(game.legal()) == 10
            assert game.history() == []
            game.ping()
        assert game.board().ply == 0
    assert analysis.result and analysis.result.move
    assert not game.status().thinking


def test_what_changes_the_game_ends_the_search_first(game: SimpleEngine) -> None:
    analysis = game.analyse(Limit(infinite=True))
    next(analysis)
    game.observe("a4a5")
    assert analysis.wait().move
    assert [str(ply) for ply in game.history()] == ["a4a5"]


def test_another_thread_can_stop_a_search(game: SimpleEngine) -> None:
    timer = threading.Timer(0.3, game.stop)
    timer.start()
    assert game.play(Limit(infinite=True), timeout=TIMEOUT).move
    timer.join()
    game.stop()


def test_levels_say_so_in_a_report_that_is_no_line(game: SimpleEngine) -> None:
    game.configure(Level=1)
    reports = list(game.analyse(Limit(nodes=50)))
    assert reports[0].text and "level 1" in reports[0].text
    assert all(info.text is None for info in reports[1:])


def test_belief_comes_as_objects_lists_and_arrays(game: SimpleEngine) -> None:
    game.observe("a4a5", "a7a6")
    belief = game.belief()
    assert len(belief) == 40 and belief[0].place == Square.parse("a6")
    assert sum(belief[0].ppm.values()) == 1_000_000
    moved = belief.at("a6")
    assert moved.moved and moved["F"] == 0 == moved[Rank.BOMB]
    assert moved[moved.likeliest] == max(moved.probabilities())
    assert len(moved.possible) == 10 and moved.probabilities()[Rank.CAPTAIN.index] == moved["6"]
    lists = belief.lists()
    assert (len(lists), len(lists[0]), len(lists[0][0])) == (10, 10, 12)
    assert lists[5][0] == moved.probabilities() and lists[0][0] == [0.0] * 12
    assert abs(sum(sum(sum(cell) for cell in row) for row in lists) - 40) < 1e-9
    numpy = pytest.importorskip("numpy")
    assert belief.array().shape == (10, 10, 12) and numpy.allclose(belief.array().sum(), 40)
    assert belief.ranks("M")[Square.parse("a6")] == moved["M"]
    with pytest.raises(KeyError):
        belief.at("b5")
    assert game.belief_at("a5").probabilities()[Rank.SERGEANT.index] < 1
    assert {piece.place for piece in game.belief("ours")} == set(game.board().side(Side.RED))


def test_the_unknown_dead_have_beliefs_too(game: SimpleEngine) -> None:
    game.new_game("isf silent=on", "red")
    game.setup("red", RED)
    game.observe("a4a5", "a7a6", "a5xa6=W4?", "b7b6")
    dead = game.belief("dead")
    assert [piece.place for piece in dead] == ["dead1"] and dead[0]["M"] == 0
    assert game.belief().at("dead1") == dead[0]
    assert set(game.sample(1)[0]) == {piece.place for piece in game.belief()}


def test_samples_are_whole_armies(game: SimpleEngine) -> None:
    for army in game.sample(5):
        assert len(army) == 40 and sorted(army.values()).count(Rank.BOMB) == 6
    with pytest.raises(outflank.RepliedError):
        game.sample(0)


def test_explanations_of_squares_and_moves(game: SimpleEngine) -> None:
    game.observe("a4a5", "a7a6")
    why = game.explain("a6")
    assert why.notes[1] == "piece a6 is one of S23456789M; it has moved"
    assert set(why.likelihoods) >= {"place", "history"} and len(why.likelihoods["place"]) == 10
    believed = game.belief_at("a6")
    assert why.believed == {rank: pytest.approx(believed[rank]) for rank in why.believed}
    assert believed.likeliest in why.believed
    assert str(why).splitlines()[0].startswith("why piece a6")
    strike = game.explain(Move.parse("a5xa6"))
    assert sum(strike.chances.values()) == pytest.approx(1)
    assert set(strike.evaluation) == {"now", "win", "loss", "tie"}
    assert set(strike.searched) == {"this", "best"} and strike.best in game.legal()
    assert set(game.explain("b4b5").evaluation) == {"now", "after"}
    assert game.explain(Square.parse("d10")).notes
    with pytest.raises(outflank.EmptySquareError):
        game.explain("b5")
    assert game.ping() >= 0


def test_other_questions(game: SimpleEngine) -> None:
    assert game.evaluate()["total"] == sum(n for part, n in game.evaluate().items() if part != "total")
    first, second = game.propose_setup(), game.propose_setup()
    assert len(first) == len(second) == 40 and first != second
    assert game.command("d 9")[-1].startswith("spn ")
    assert game.setup("blue") == "?" and game.setup("blue", BLUE) == BLUE
    assert game.perft(3) == 1364


def test_asyncio_runs_several_engines_side_by_side() -> None:
    async def think(side: Side) -> outflank.PlayResult:
        async with await outflank.popen(timeout=TIMEOUT) as engine:
            await engine.new_game("isf barrage=on", side)
            await engine.setup(side, "auto")
            await engine.setup(side.other, "?.......?.?........?....?...?.?........?")
            if side is Side.BLUE:
                await engine.observe("a1b1")
            seen: list[Info] = []
            async with engine.analyse(Limit(infinite=True)) as analysis:
                async for info in analysis:
                    seen.append(info)
                    if len(await engine.belief()) == 8 and len(seen) > 1:
                        break
            assert analysis.result and analysis.result.move
            return await engine.play(Limit(nodes=100))

    async def both() -> list[outflank.PlayResult]:
        return list(await asyncio.gather(*map(think, Side)))

    assert all(choice.move for choice in asyncio.run(both()))


def test_a_closed_engine_says_so(engine: SimpleEngine) -> None:
    engine.close()
    engine.close()
    with pytest.raises(outflank.EngineTerminatedError):
        engine.ping()


def test_nothing_but_the_standard_library_is_imported() -> None:
    code = "import sys, outflank; print([name for name in ('numpy', 'matplotlib') if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "[]"


def test_a_program_that_cannot_be_started_and_one_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(OSError):
        SimpleEngine.popen("no-such-program")
    monkeypatch.delenv("OUTFLANK_ENGINE", raising=False)
    monkeypatch.setattr("shutil.which", lambda *_, **__: None)
    with pytest.raises(FileNotFoundError, match="OUTFLANK_ENGINE"):
        SimpleEngine.popen()
