"""Makes a release of the last commit in dist/: a source distribution, wheels, and their checks.

    pip install -r tools/requirements.txt
    python tools/release.py                       everything
    python tools/release.py --only any --only manylinux2014_x86_64
    python tools/release.py --tag v1.2.3          refuse what may not be published under that tag
    python tools/release.py --try dist            install the wheel of this machine, and try it

Two runs on one commit write the same bytes. The time of all files is that of the commit, or
SOURCE_DATE_EPOCH. SATDOKU_HOME is the address of the project, as setup.py says.
"""

import argparse
import gzip
import io
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import venv
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
LIBRARY = "satdoku/lanes/lanes.so"
PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"


class Target(NamedTuple):
    """What zig calls a platform, and the kind of file that its library is."""

    zig: str
    kind: str


TARGETS = {
    "any": Target("", ""),
    "manylinux2014_x86_64": Target("x86_64-linux-gnu.2.17", "ELF x86-64"),
    "manylinux2014_aarch64": Target("aarch64-linux-gnu.2.17", "ELF arm64"),
    "musllinux_1_2_x86_64": Target("x86_64-linux-musl", "ELF x86-64"),
    "musllinux_1_2_aarch64": Target("aarch64-linux-musl", "ELF arm64"),
    "macosx_11_0_x86_64": Target("x86_64-macos.11.0", "Mach-O x86-64"),
    "macosx_11_0_arm64": Target("aarch64-macos.11.0", "Mach-O arm64"),
    "win_amd64": Target("x86_64-windows-gnu", "PE x86-64"),
}
"""The wheels of a release, by their platform tags; `any` has no library."""

NEEDED = {
    "AVX-512": {"avx512f", "avx512bw", "avx512vl", "bmi1", "popcnt"},
    "AVX2": {"avx2", "bmi1", "popcnt"},
    "SSE2": {"sse2"},
}
"""What Linux calls the instructions of each engine that setup.py compiles, the widest first."""


class RefusedError(Exception):
    """What was made, or is to be made, may not be published."""


def engines_for(cpuinfo: str) -> list[str]:
    """Return the engines that a processor can run by Linux's description; none if it says little.

    >>> engines_for("flags : fpu sse2 avx2 bmi1 popcnt")
    ['AVX2', 'SSE2']
    """
    found = re.search(r"^flags\s*:(.*)", cpuinfo, re.MULTILINE)
    has = set(found[1].split()) if found else set()
    return [title for title, needed in NEEDED.items() if needed <= has]


def kind_of(library: bytes) -> str:
    """Return the kind of a compiled library, such as `ELF x86-64`; empty if it is none of ours."""
    if library.startswith(b"\x7fELF"):
        machine = {62: "x86-64", 183: "arm64"}.get(int.from_bytes(library[18:20], "little"))
        return f"ELF {machine}"
    if library.startswith(b"\xcf\xfa\xed\xfe"):
        kinds = {0x01000007: "x86-64", 0x0100000C: "arm64"}
        return f"Mach-O {kinds.get(int.from_bytes(library[4:8], 'little'))}"
    if library.startswith(b"MZ"):
        head = library[int.from_bytes(library[60:64], "little") :]
        return f"PE {({0x8664: 'x86-64'}).get(int.from_bytes(head[4:6], 'little'))}"
    return ""


def made_reproducible(archive: bytes, time: int) -> bytes:
    """Return a compressed archive with sorted entries of nobody, and one time in all of them."""
    plain = io.BytesIO()
    with (
        tarfile.open(fileobj=io.BytesIO(archive), mode="r:gz") as old,
        tarfile.open(fileobj=plain, mode="w", format=tarfile.GNU_FORMAT) as new,
    ):
        for entry in sorted(old, key=lambda each: each.name):
            fresh = tarfile.TarInfo(entry.name)
            fresh.type, fresh.size, fresh.linkname = entry.type, entry.size, entry.linkname
            fresh.mode = 0o755 if entry.isdir() or entry.mode & 0o100 else 0o644
            fresh.mtime = time
            new.addfile(fresh, old.extractfile(entry) if entry.isfile() else None)
    packed = io.BytesIO()
    with gzip.GzipFile("", "wb", 9, packed, mtime=time) as stream:
        stream.write(plain.getvalue())
    return packed.getvalue()


def faults_of_release(tag: str, home: str, root: Path = ROOT) -> list[str]:
    """Return why a release may not be published under a tag."""
    project = (root / "pyproject.toml").read_text("utf-8")
    (version,) = re.findall(r'^version = "(.+)"$', project, re.MULTILINE)
    changelog = (root / "CHANGELOG.md").read_text("utf-8")
    faults = []
    if tag != f"v{version}":
        faults.append(f"the tag is {tag}, and the version in pyproject.toml is {version}")
    if not home:
        faults.append("SATDOKU_HOME is not set, so the release would have no addresses")
    if re.search(r'email = "[^"]*\.example"', project):
        faults.append("the address of the authors in pyproject.toml is a placeholder")
    if any((root / "changes").glob("*.md")):
        faults.append("changes/ has entries that `python changes/join.py` has to join")
    if f"## [{version}]" not in changelog:
        faults.append(f"CHANGELOG.md has no section {version}")
    return faults


def require_kind(wheel: Path, target: Target) -> None:
    """Refuse a wheel whose library is not of the platform that its name says."""
    with zipfile.ZipFile(wheel) as files:
        kind = kind_of(files.read(LIBRARY)) if LIBRARY in files.namelist() else ""
    if kind != target.kind:
        raise RefusedError(f"{wheel.name} has {kind or 'no library'}, not {target.kind or 'none'}")


def require_oldest_glibc(wheel: Path, shown: str) -> None:
    """Refuse a wheel that needs a newer glibc than its name says, by what auditwheel shows."""
    found = re.search(r'platform tag:\s*"manylinux_2_(\d+)_', shown)
    if not found or int(found[1]) > 17:
        raise RefusedError(f"{wheel.name} needs more than glibc 2.17:\n{shown}")


def require_widest(told: str, engines: list[str]) -> None:
    """Refuse a wheel that does not use all of the processor, by what `satdoku solvers` says."""
    if engines and f"compiled library: {engines[0]}," not in told:
        raise RefusedError(f"the processor has {engines[0]}, and `satdoku solvers` says: {told}")


def _run(*command: object, **extra: str) -> str:
    done = subprocess.run(
        list(map(str, command)),
        env={**os.environ, **extra},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        errors="replace",
    )
    if done.returncode:
        raise RefusedError(f"{' '.join(map(str, command))} failed:\n{done.stdout}")
    return done.stdout


def _python(*arguments: object, **extra: str) -> str:
    return _run(sys.executable, "-m", *arguments, **extra)


@contextmanager
def _unpacked(archive: Path) -> Iterator[Path]:
    """The only folder in an archive, as it was packed."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.unpack_archive(archive, folder)
        (inner,) = Path(folder).iterdir()
        yield inner


def make_source(dist: Path, time: int) -> Path:
    """Make the source distribution of the last commit; return it."""
    with tempfile.TemporaryDirectory() as folder:
        commit = Path(folder) / "commit.tar"
        _run("git", "-C", ROOT, "archive", "--prefix=commit/", "-o", commit, "HEAD")
        with _unpacked(commit) as tree:
            _python("build", "--sdist", "--no-isolation", "--outdir", folder, tree)
        (made,) = Path(folder).glob("*.tar.gz")
        target = dist / made.name
        target.write_bytes(made_reproducible(made.read_bytes(), time))
    return target


def make_wheel(source: Path, dist: Path, platform: str) -> Path:
    """Make the wheel of a platform from the source distribution; return it."""
    target = TARGETS[platform]
    compiler = f'"{sys.executable}" -m ziglang cc -target {target.zig}'
    options = [] if platform == "any" else [f"-C--build-option=--plat-name={platform}"]
    with _unpacked(source) as tree, tempfile.TemporaryDirectory() as folder:
        _python(
            *["pip", "wheel", "--no-deps", "--no-build-isolation", "-w", folder, *options, tree],
            CC=compiler if target.zig else "/nowhere/cc",
        )
        (made,) = Path(folder).glob("*.whl")
        return Path(shutil.move(made, dist / made.name))


def check(wheel: Path, platform: str) -> None:
    """Refuse a wheel whose name, library or description is wrong."""
    if not wheel.name.endswith(f"-py3-none-{platform}.whl"):
        raise RefusedError(f"{wheel.name} is not called after {platform}")
    require_kind(wheel, TARGETS[platform])
    _python("twine", "check", "--strict", wheel)
    if platform.startswith("manylinux") and find_spec("auditwheel"):
        require_oldest_glibc(wheel, _python("auditwheel", "show", wheel))


def try_out(dist: Path) -> str:
    """Install the wheel of this machine from a folder, solve with it, and return what it says."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        programs = Path(folder, "Scripts" if os.name == "nt" else "bin")
        options = ["--only-binary=satdoku", "--no-index", "--find-links", dist, "--no-deps"]
        _run(programs / "python", "-m", "pip", "install", "--quiet", *options, "satdoku")
        _run(programs / "python", "-m", "pip", "install", "--quiet", "satdoku")  # what it needs
        if _run(programs / "satdoku", "solve", PUZZLE).strip() != SOLUTION:
            raise RefusedError("the installed wheel does not solve a puzzle")
        told = _run(programs / "satdoku", "solvers").splitlines()[-1]
    cpuinfo = Path("/proc/cpuinfo")
    require_widest(told, engines_for(cpuinfo.read_text()) if cpuinfo.exists() else [])
    return told


def make(dist: Path, platforms: list[str], say: Callable[[str], object] = print) -> None:
    """Make the source distribution and wheels, and check each of them."""
    time = os.environ.get("SOURCE_DATE_EPOCH") or _run(
        "git", "-C", ROOT, "log", "-1", "--format=%ct"
    )
    os.environ["SOURCE_DATE_EPOCH"] = time.strip()
    dist.mkdir(parents=True, exist_ok=True)
    if any(dist.iterdir()):
        raise RefusedError(f"{dist} has files already")
    source = make_source(dist, int(time))
    _python("twine", "check", "--strict", source)
    say(source.name)
    for platform in platforms:
        wheel = make_wheel(source, dist, platform)
        check(wheel, platform)
        say(wheel.name)


def main(arguments: list[str] | None = None, environment: Mapping[str, str] = os.environ) -> None:
    """Do what the arguments say; end with a sentence where something is refused."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--dist", type=Path, default=ROOT / "dist", help="the folder of the files")
    parser.add_argument("--only", choices=TARGETS, action="append", help="a wheel; repeatable")
    parser.add_argument("--tag", help="refuse what may not be published under this tag")
    parser.add_argument("--try", dest="trial", type=Path, help="try the wheel in a folder instead")
    wanted = parser.parse_args(arguments)
    home = environment.get("SATDOKU_HOME", "")
    try:
        if wanted.trial:
            print(try_out(wanted.trial.resolve()))
            return
        if wanted.tag and (faults := faults_of_release(wanted.tag, home)):
            raise RefusedError("\n".join(faults))
        make(wanted.dist.resolve(), wanted.only or list(TARGETS))
    except RefusedError as error:
        raise SystemExit(str(error)) from None


if __name__ == "__main__":
    main()
