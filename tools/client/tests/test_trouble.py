"""Engines that die, hang and babble."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import outflank
import pytest
from conftest import RED, TIMEOUT
from outflank import (
    EngineTerminatedError,
    EngineTimeoutError,
    Limit,
    ProtocolError,
    SimpleEngine,
)

# A fake engine: it answers the words of its table, in Python expressions, and `isready` by `readyok`.
FAKE = """
import os, sys, time
table = {"sei": "id name Fake\\nprotocol 1\\nseiok", "isready": "readyok", "rules": "rules preset=isf", %s}
print("started", file=sys.stderr, flush=True)
for line in sys.stdin:
    word = line.split()[0]
    said = table.get(word, "")
    if said == "die":
        print("oh no", file=sys.stderr, flush=True)
        os._exit(3)
    if said == "hang":
        time.sleep(600)
    if said == "deaf":
        os.close(1)
        time.sleep(600)
    if said:
        print(said, flush=True)
"""


def fake(tmp_path: Path, table: str = "", timeout: float = TIMEOUT, restart: bool = False) -> SimpleEngine:
    script = tmp_path / "fake.py"
    script.write_text(FAKE % table, encoding="utf-8")
    return SimpleEngine.popen([sys.executable, str(script)], timeout=timeout, restart=restart)


def test_a_silent_engine_is_timed_out_and_killed(tmp_path: Path) -> None:
    engine = fake(tmp_path, '"legal": "hang"')
    with engine:
        assert engine.ping() < TIMEOUT
        engine.engine.timeout = 0.3
        with pytest.raises(EngineTimeoutError, match="legal"):
            engine.legal()
        with pytest.raises(EngineTerminatedError):
            engine.ping()
        assert not engine.alive


def test_a_time_out_is_a_timeout_error_of_python_too() -> None:
    assert issubclass(EngineTimeoutError, TimeoutError)


def test_after_a_time_out_the_next_call_starts_it_again(tmp_path: Path) -> None:
    with fake(tmp_path, '"legal": "hang"', restart=True) as engine:
        engine.engine.timeout = 0.3
        with pytest.raises(EngineTimeoutError):
            engine.legal()
        engine.engine.timeout = TIMEOUT
        engine.ping()
        assert engine.restarts == 1


@pytest.mark.parametrize("limit, timeout", [(Limit(time=0.01), None), (Limit(nodes=10), 0.3)])
def test_a_search_without_an_answer_is_timed_out(tmp_path: Path, limit: Limit, timeout: float | None) -> None:
    with fake(tmp_path) as engine:
        if timeout is None:
            engine.engine.timeout = 0.3
        begun = time.monotonic()
        with pytest.raises(EngineTimeoutError):
            engine.play(limit, timeout=timeout)
        assert time.monotonic() - begun < TIMEOUT


def test_a_search_that_does_not_stop_is_timed_out(tmp_path: Path) -> None:
    with fake(tmp_path) as engine:
        engine.engine.timeout = 0.3
        analysis = engine.analyse(Limit(infinite=True)).__enter__()
        with pytest.raises(EngineTimeoutError):
            analysis.stop()


@pytest.mark.parametrize("command", ["true", "cat"])
def test_programs_that_do_not_speak_the_protocol(command: str) -> None:
    with pytest.raises((EngineTerminatedError, EngineTimeoutError, ProtocolError)):
        SimpleEngine.popen(command, timeout=0.5)


def test_another_version_of_the_protocol_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ProtocolError, match="protocol 1"):
        fake(tmp_path, '"sei": "protocol 2\\nseiok"')


@pytest.mark.parametrize("answer", ["info depth x", "bestmove z9", "info pv a4a5a6"])
def test_answers_that_cannot_be_read_are_protocol_errors(tmp_path: Path, answer: str) -> None:
    with fake(tmp_path, f'"go": "{answer}\\nbestmove none"') as engine:
        with pytest.raises(ProtocolError):
            engine.play(Limit(nodes=1), timeout=TIMEOUT)


def test_what_is_lacking_in_answers_is_a_protocol_error(tmp_path: Path) -> None:
    table = '"belief": "belief a1 moved F 1", "status": "status idle", "d": "nothing", "option": "option name"'
    with fake(tmp_path, table) as engine:
        for question in (engine.belief, engine.status, engine.board, engine.legal, engine.history):
            engine.engine.timeout = 2.0
            with pytest.raises((ProtocolError, EngineTimeoutError)):
                question()


def test_words_that_nobody_knows_are_passed_over(tmp_path: Path) -> None:
    with fake(tmp_path, '"go": "novel 5\\ninfo depth 1 novelty 3 nodes 5 pv a4a5\\nbestmove a4a5 ponder"') as engine:
        choice = engine.play(Limit(nodes=1), timeout=TIMEOUT)
        assert str(choice.move) == "a4a5" and choice.info and (choice.info.depth, choice.info.nodes) == (1, 5)


def test_resigning_and_having_no_move(tmp_path: Path) -> None:
    with fake(tmp_path, '"go": "bestmove resign"') as engine:
        choice = engine.play(Limit(nodes=1), timeout=TIMEOUT)
        assert choice.resigned and choice.move is None
    with fake(tmp_path, '"go": "error no-setup tell it\\nbestmove none"') as engine:
        with pytest.raises(outflank.NoSetupError, match="tell it"):
            engine.play(Limit(nodes=1), timeout=TIMEOUT)
        engine.ping()


def test_a_dying_engine_tells_its_status_and_last_words(tmp_path: Path) -> None:
    with fake(tmp_path, '"legal": "die"') as engine:
        with pytest.raises(EngineTerminatedError, match="oh no") as caught:
            engine.legal()
        assert caught.value.returncode == 3
        with pytest.raises(EngineTerminatedError):
            engine.legal()


def test_an_engine_that_dies_of_the_same_line_again_is_given_up(tmp_path: Path) -> None:
    with fake(tmp_path, '"legal": "die"', restart=True) as engine:
        with pytest.raises(EngineTerminatedError):
            engine.legal()
        assert engine.restarts == 1
        engine.ping()
        assert engine.restarts == 2


def test_an_engine_that_closes_its_output_counts_as_dead(tmp_path: Path) -> None:
    with fake(tmp_path, '"legal": "deaf"') as engine:
        with pytest.raises(EngineTerminatedError):
            engine.legal()


def kill(engine: SimpleEngine) -> None:
    assert engine.pid is not None
    os.kill(engine.pid, signal.SIGKILL)


def test_a_kill_without_restart_raises(game: SimpleEngine) -> None:
    kill(game)
    with pytest.raises(EngineTerminatedError) as caught:
        game.legal()
    assert caught.value.returncode == -signal.SIGKILL


def test_a_search_goes_on_in_the_next_process() -> None:
    with SimpleEngine.popen(timeout=TIMEOUT, restart=True, options={"MultiPV": 2}) as engine:
        engine.new_game("gravon", "red")
        engine.setup("red", RED)
        engine.observe("a4a5", "a7a6", "a5xa6=W43", "b7b6")
        engine.undo(2)
        engine.observe("a5a4", "j7j6")
        with engine.analyse(Limit(infinite=True)) as analysis:
            next(analysis)
            kill(engine)
            lines = {next(analysis).multipv for _ in range(6)}
        assert engine.restarts == 1 and lines == {1, 2}
        assert analysis.result and analysis.result.move in engine.legal()
        assert " ".join(map(str, engine.history())) == "a4a5 a7a6 a5a4 j7j6"
        assert engine.rules().preset == "gravon"


def test_positions_and_reported_ends_are_replayed_too() -> None:
    with SimpleEngine.popen(timeout=TIMEOUT, restart=True) as engine:
        engine.position("?8?/9?/10/10/2__2__2/2__2__2/E9/10/10/9M r r 22,6? 12 200", ["a4a5", "j9j8"])
        engine.undo()
        engine.observe("j9i9")
        before = engine.board()
        kill(engine)
        assert engine.board() == before
        engine.game_over("blue")
        kill(engine)
        assert engine.status().over and engine.legal() == []
        engine.undo(0)
        kill(engine)
        assert len(engine.legal()) == 3
        assert engine.restarts == 3


@pytest.mark.parametrize("call", ["observe", "position"])
def test_an_engine_that_was_started_again_knows_that_a_line_failed(call: str) -> None:
    with SimpleEngine.popen(timeout=TIMEOUT, restart=True) as engine:
        engine.new_game("isf", "red")
        engine.setup("red", RED)
        engine.setup("blue")
        engine.observe("a4a5", "a7a6")
        with pytest.raises(outflank.RepliedError):
            engine.observe("nonsense") if call == "observe" else engine.position("nonsense")
        for _ in range(2):
            kill(engine)
            with pytest.raises(outflank.DesyncedError):
                engine.play(Limit(nodes=10))
        engine.undo(0)
        kill(engine)
        assert engine.play(Limit(nodes=10)).move in engine.legal()
        assert [str(ply) for ply in engine.history()] == ["a4a5", "a7a6"]
        assert engine.restarts == 3


def test_plies_that_nobody_answered_for_are_not_forgotten(tmp_path: Path) -> None:
    with fake(tmp_path, '"play": "die"', restart=True) as engine:
        with pytest.raises(EngineTerminatedError):
            engine.observe("a4a5")
        assert engine.engine._game.desynced


def test_whoever_waits_when_it_is_closed_gets_an_error(tmp_path: Path) -> None:
    for round in range(12):
        engine = fake(tmp_path, '"legal": "hang"' if round % 4 == 1 else "")
        errors: list[str] = []

        def ask() -> None:
            try:
                while True:
                    engine.legal() if round % 4 == 1 else engine.ping()
            except EngineTerminatedError as error:
                errors.append(str(error))

        threads = [threading.Thread(target=ask, daemon=True) for _ in range(8)]
        for thread in threads:
            thread.start()
        time.sleep(0.02 * (round % 3))
        engine.close()
        for thread in threads:
            thread.join(TIMEOUT)
        assert len(errors) == len(threads) and not any(thread.is_alive() for thread in threads)


FLOOD = """
import resource, sys
for line in sys.stdin:
    if line.split()[0] == %r:
        while True:
            print(%s, file=%s)
    print("protocol 1\\nseiok" if line == "sei\\n" else "readyok", flush=True)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a program's own most memory")
@pytest.mark.parametrize(
    ("word", "said", "where"),
    [
        ("sei", "'x'", "sys.stdout"),
        ("sei", "'x' * 1000", "sys.stdout"),
        ("sei", "'x' * (1 << 20), end=''", "sys.stdout"),
        ("go", "'info depth 1'", "sys.stdout"),
    ],
)
def test_a_flood_is_cut_off(tmp_path: Path, word: str, said: str, where: str) -> None:
    script = tmp_path / "flood.py"
    script.write_text(FLOOD % (word, said, where), encoding="utf-8")
    watch = tmp_path / "watch.py"
    watch.write_text(WATCH, encoding="utf-8")
    done = subprocess.run([sys.executable, str(watch), str(script)], capture_output=True, text=True, check=True)
    most, error = done.stdout.split(maxsplit=1)
    assert error.strip() == "ProtocolError", done.stdout
    assert int(most) < 250, "megabytes"


# Its own process, so that the memory that it has is that of the client alone.
WATCH = """
import sys, time
import outflank

try:
    engine = outflank.SimpleEngine.popen([sys.executable, sys.argv[1]], timeout=100)
    with engine.analyse(outflank.Limit(infinite=True)) as analysis:
        while engine.alive:
            time.sleep(0.01)
        analysis.wait()
    error = None
except outflank.EngineError as caught:
    error = caught
# The most memory since this program began; `ru_maxrss` counts what its parent had, too.
with open("/proc/self/status") as status:
    most = next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
print(most >> 10, type(error).__name__)
"""


def test_a_call_that_is_cancelled_does_not_confuse_the_next(tmp_path: Path) -> None:
    async def run() -> None:
        script = tmp_path / "fake.py"
        script.write_text(FAKE % '"legal": "hang"', encoding="utf-8")
        async with await outflank.popen([sys.executable, str(script)], timeout=TIMEOUT, restart=True) as engine:
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(engine.legal(), 0.2)
            assert await engine.ping() >= 0
            assert engine.restarts == 1

    asyncio.run(run())
