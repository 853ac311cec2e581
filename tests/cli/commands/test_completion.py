"""`satdoku completion` prints a script for a shell, or installs it once."""

import shutil
import subprocess
from pathlib import Path
from shlex import quote

import pytest

from tests.commands import require_failure, run
from tests.each import for_each


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "a home's"
    path.mkdir()
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "ZDOTDIR", "SHELL"):
        monkeypatch.delenv(name, raising=False)
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(path))
    return path


def files_of(home: Path) -> dict[str, str]:
    found = (path for path in home.rglob("*") if path.is_file())
    return {path.relative_to(home).as_posix(): path.read_text("utf-8") for path in found}


@for_each(
    "shell, script, reader",
    [
        ("bash", ".local/share/satdoku/completion.bash", ".bashrc"),
        ("zsh", ".local/share/satdoku/completion.zsh", ".zshrc"),
        ("fish", ".config/fish/completions/satdoku.fish", ""),
    ],
)
def test_installing_twice_is_installing_once(
    shell: str, script: str, reader: str, home: Path
) -> None:
    if reader:
        (home / reader).write_text("alias l=ls")  # without a line end
    first = run("completion", "install", "--shell", shell)
    assert first.code == 0
    found = files_of(home)
    assert found[script] == run("completion", "--shell", shell).stdout
    assert f"{home / script} is written" in first.stderr
    if reader:
        kept, added = found[reader].splitlines()
        assert kept == "alias l=ls"
        assert "completion of satdoku" in added
        assert f"{home / reader} has a further line" in first.stderr
    second = run("completion", "install", "--shell", shell)
    assert files_of(home) == found
    assert "is up to date" in second.stderr
    assert "further line" not in second.stderr
    # What an older version wrote is replaced.
    (home / script).write_text("old")
    assert "is written" in run("completion", "install", "--shell", shell).stderr
    assert files_of(home) == found


def test_bash_reads_what_was_installed(home: Path) -> None:
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("bash is not installed")
    run("completion", "install", "--shell", "bash", "-q")
    ask = f". {quote(str(home / '.bashrc'))}; complete -p satdoku"
    done = subprocess.run([bash, "--norc", "-c", ask], capture_output=True, text=True)
    assert "satdoku" in done.stdout, done.stderr


def test_the_shell_is_that_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    require_failure(run("completion"), "$SHELL is not set", "--shell", code=2)
    monkeypatch.setenv("SHELL", "/bin/tcsh")
    require_failure(run("completion", "install"), "$SHELL is tcsh", code=2)
    monkeypatch.setenv("SHELL", "/usr/bin/fish")
    assert run("completion").stdout == run("completion", "--shell", "fish").stdout


def test_a_folder_that_cannot_be_written_is_named(home: Path) -> None:
    (home / ".local").write_text("no folder")
    require_failure(run("completion", "install", "--shell", "bash"), "cannot be written")


def test_a_home_that_is_not_known_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", unknown)
    require_failure(run("completion", "install", "--shell", "fish"), "set HOME to it")
