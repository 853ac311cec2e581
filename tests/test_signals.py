"""No signal is lost, and none takes the process down, wherever it comes."""

import subprocess
import sys

import pytest

from tests.crossing import crossed

# Each program meets its signal at one place on purpose, then waits for input that does not come, as
# commands do: only a signal that is one to the system, too, ends that. It prints what reached it.
_FRAME = """
import os, signal, sys, weakref
from satdoku.signals import Signals, TerminatedError

def meet():
    os.kill(os.getpid(), signal.{signal})

{place}

try:
    Signals({{"SIGINT": KeyboardInterrupt, "SIGTERM": TerminatedError}})
    run()
    os.read(os.pipe()[0], 1)
except TerminatedError:
    print("terminated")
except KeyboardInterrupt:
    print("interrupted")
"""

_PLACES = {
    "while handlers are set": """
set_handler = signal.signal
def set_and_meet(number, handler):
    set_handler(number, handler)
    if number == signal.SIGTERM:  # the last of them
        try:
            meet()
        except KeyboardInterrupt:
            print("too early")
signal.signal = set_and_meet
def run():
    pass
""",
    "anywhere": "def run():\n    meet()",
    "finalizer": "class Holder:\n    def __del__(self):\n        meet()\ndef run():\n    Holder()",
    "weak reference": """
class Held: pass
def run():
    held = Held()
    weakref.finalize(held, meet)
    del held
""",
    "generator that is put away": """
def numbers():
    try:
        yield 1
    finally:
        meet()
def run():
    next(numbers())
""",
    "solver that is deleted": """
import pysolvers
delete = pysolvers.minicard_del
def delete_and_meet(solver):
    delete(solver)
    meet()
pysolvers.minicard_del = delete_and_meet
from pysat.solvers import Minicard
def run():
    solver = Minicard([[1]])
    solver.delete()
    del solver
""",
    "solver that is forgotten": """
import pysolvers
delete = pysolvers.minicard_del
def delete_and_meet(solver):
    delete(solver)
    meet()
pysolvers.minicard_del = delete_and_meet
from pysat.solvers import Solver
def run():
    Solver("minicard", bootstrap_with=[[1]])
""",
    "solver that is made": """
import pysolvers
new = pysolvers.minicard_new
def new_and_meet():
    solver = new()
    meet()
    return solver
pysolvers.minicard_new = new_and_meet
from pysat.solvers import Minicard
def run():
    Minicard()
""",
    "finalizer, and then just before the input": """
send = signal.pthread_kill
come_too_early = []
def pthread_kill(thread, number):
    if come_too_early:
        send(thread, number)
    else:
        come_too_early.append(number)
signal.pthread_kill = pthread_kill
class Holder:
    def __del__(self):
        meet()
def run():
    Holder()
""",
    "import": """
import pathlib
met = pathlib.Path(sys.argv[1]) / "met.py"
met.write_text("import __main__; __main__.meet(); whole = 1")
sys.path.insert(0, sys.argv[1])
def run():
    import met
    assert met.whole
""",
}


@crossed(2, place=_PLACES, name=["SIGINT", "SIGTERM"])
def test_a_signal_is_heard_wherever_it_comes(place: str, name: str, tmp_path: object) -> None:
    if sys.platform == "win32":
        pytest.skip("sends signals to itself")
    program = _FRAME.format(signal=name, place=_PLACES[place])
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path)], capture_output=True, text=True, timeout=60
    )
    heard = {"SIGINT": "interrupted\n", "SIGTERM": "terminated\n"}[name]
    assert (done.returncode, done.stdout, done.stderr) == (0, heard, "")
