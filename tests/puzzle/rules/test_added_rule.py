"""A rule that is added gets its tests by itself: one class, and nothing else is written."""

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[2]


def test_a_rule_that_is_added_is_tested_and_passes() -> None:
    """In a process of its own, whose registry has one more rule."""
    command = [sys.executable, "-m", "pytest", "-v", "-p", "no:cacheprovider"]
    plugin = ["-p", "tests.puzzle.rules.corners", "-k", "corners or says"]
    files = [str(HERE / name) for name in ("test_every_rule.py", "test_sentences.py")]
    done = subprocess.run(
        [*command, *plugin, *files], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-2000:]
    own = [line for line in done.stdout.splitlines() if "[corners" in line]
    # Each of what every rule is asked in `test_every_rule.py`.
    asked = (HERE / "test_every_rule.py").read_text().count("\n@every_rule\ndef ")
    assert len(own) >= asked > 5
