"""A rule that is added gets its tests by itself: one class, and nothing else is written."""

import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[2]


def test_a_rule_that_is_added_is_tested_and_passes() -> None:
    """In a process of its own, whose registry has one more rule."""
    command = [sys.executable, "-m", "pytest", "-v", "-p", "no:cacheprovider"]
    plugin = ["-p", "tests.puzzle.rules.corners", "-k", "not pairs"]
    tests = HERE / "test_every_rule.py"
    done = subprocess.run(
        [*command, *plugin, str(tests)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-2000:]
    # Each of what every rule is asked there.
    asked = re.findall(r"\n@every_rule\ndef (\w+)", tests.read_text())
    assert len(asked) > 5
    for name in asked:
        assert re.search(rf"{name}(\[\S+\])? PASSED", done.stdout), name


def test_every_command_knows_a_rule_that_is_added() -> None:
    script = (
        "from tests.puzzle.rules import corners; from tests.walking import walk; "
        "corners.pytest_configure(); walk('corners')"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
