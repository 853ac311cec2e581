"""Build steps beyond pyproject.toml: the compiled library, project URLs, and long description.

The library `satdoku/lanes/lanes.so` is compiled from `satdoku/lanes/native` by the C compiler that
$CC names, or `cc`. It needs no headers of Python, so one wheel serves all its versions. So is the
second verifier of certificates, a program of one file, `satdoku/certifying/second/verify.c`. Where
there is no compiler, a line says so, and all else is built: satdoku then works without the library.

Links in README.md are relative. A package index does not have their targets, so a build makes the
links absolute. Whoever publishes a release passes the address of the repository in the
environment:

    SATDOKU_HOME=https://example.org/us/satdoku python -m build

Without SATDOKU_HOME a build has no project URLs, and its long description has no links to files.
"""

import os
import re
import shlex
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from sysconfig import get_platform
from typing import NamedTuple

HERE = Path(__file__).parent

IMAGE = re.compile(r"!\[([^\]]*)\]\((?!https?://)([^)]+)\)\n*")
"""A picture in Markdown with the empty lines after it; groups: alternative text and file."""

NATIVE = HERE / "satdoku" / "lanes" / "native"
"""The sources of the compiled library."""


SECOND_VERIFIER = HERE / "satdoku" / "certifying" / "second" / "verify.c"
"""The source of the second verifier; the program is called the same without `.c`."""


class Engine(NamedTuple):
    """The search for one vector width: the name of its table, its title, width and flags."""

    name: str
    title: str
    width: int
    options: tuple[str, ...] = ()


# In ENGINES, the fastest comes first. The plain engine serves other processors: eight boards in
# parallel, vectorized as far as the compiler can.
_PLAIN = (Engine("engine_plain", "plain", 8),)
ENGINES = {
    "__x86_64__": (
        # By default, compilers use only half of the width.
        Engine(
            "engine_avx512",
            "AVX-512",
            32,
            ("-mavx512bw", "-mavx512vl", "-mprefer-vector-width=512", "-mbmi", "-mpopcnt"),
        ),
        Engine("engine_avx2", "AVX2", 16, ("-mavx2", "-mbmi", "-mpopcnt")),
        Engine("engine_sse2", "SSE2", 8),
    ),
    "__aarch64__": (Engine("engine_neon", "NEON", 8),),
}
"""The engines for each architecture, by the macro that its compilers define."""

LINK = re.compile(r"\[([^\]]+)\]\((?!https?://|#)([^)]+)\)")
"""A relative link in Markdown; groups: text and file."""


def addresses(home: str, version: str) -> dict[str, str]:
    """Return the project URLs for a package index; empty if its `home` is not known."""
    if not home:
        return {}
    return {
        "Homepage": home,
        "Documentation": f"{files(home, version)}/docs/index.md",
        "Changelog": f"{files(home, version)}/CHANGELOG.md",
        "Issues": f"{home}/issues",
    }


def files(home: str, version: str) -> str:
    """Return the address of a version's files on GitHub, or on a host with the same scheme."""
    return f"{home}/blob/v{version}"


def long_description(readme: str, home: str, version: str) -> str:
    """Return the text of README.md with absolute links, or with no links to files."""
    picture = rf"![\1]({files(home, version)}/\2?raw=true)\n\n" if home else ""
    readme = IMAGE.sub(picture, readme)
    return LINK.sub(rf"[\1]({files(home, version)}/\2)" if home else r"\1", readme)


def compile_library(library: Path, sources: Path = NATIVE, options: Sequence[str] = ()) -> str:
    """Compiles the library; what is wrong where that cannot be done, else nothing."""
    return _fault_of(
        library, lambda compiler, folder: _compile(compiler, options, library, sources, folder)
    )


def compile_verifier(program: Path, source: Path = SECOND_VERIFIER) -> str:
    """Compiles the second verifier; what is wrong where that cannot be done, else nothing."""

    def compile_it(compiler: Sequence[str], folder: Path) -> None:
        made = folder / program.name
        _run([*compiler, "-std=c99", "-O2", str(source), "-o", str(made)])
        _replace(program, made)
        program.chmod(0o755)

    return _fault_of(program, compile_it)


def _fault_of(made: Path, compile_it: Callable[[Sequence[str], Path], None]) -> str:
    """What is wrong where a file cannot be compiled; what was built before is gone then."""
    compiler = shlex.split(os.environ.get("CC", "")) or ["cc"]
    made.unlink(missing_ok=True)
    try:
        with tempfile.TemporaryDirectory() as folder:
            compile_it(compiler, Path(folder))
    except OSError as error:
        return f"{compiler[0]}: {error.strerror}"
    except subprocess.CalledProcessError as error:
        return f"{shlex.join(compiler)} failed: {(error.stderr.splitlines() or ['?'])[0]}"
    return ""


def _compile(
    compiler: Sequence[str], options: Sequence[str], library: Path, sources: Path, folder: Path
) -> None:
    (folder / "empty.c").touch()
    macros = _run([*compiler, "-dM", "-E", str(folder / "empty.c")])
    known = (own for macro, own in ENGINES.items() if re.search(rf"\b{macro}\b", macros))
    engines = next(known, _PLAIN)
    usual = [*compiler, "-std=gnu99", "-O3", "-fPIC", "-fvisibility=hidden", "-c", *options]
    # Fused operations round differently, which could change random draws.
    usual.append("-ffp-contract=off")
    listed = " ".join(f"each({engine.name})" for engine in engines)
    commands = {
        name: [str(sources / f"{name}.c"), f"-DENGINES(each)={listed}"]
        for name in ("judge", "entries", "chance", "grid", "walk", "canonical", "proof")
    }
    for name, title, width, own in engines:
        macros_of = [f"-DENGINE={name}", f"-DRATE={name}_rate", f'-DTITLE="{title}"']
        for part, source in ((name, "engine.c"), (f"{name}_rate", "rating.c")):
            commands[part] = [str(sources / source), *macros_of, f"-DWIDTH={width}", *own]
    for name, command in commands.items():
        _run([*usual, *command, "-o", str(folder / f"{name}.o")])
    objects = [str(folder / f"{name}.o") for name in commands]
    made = folder / library.name
    # Strip debug data, a megabyte with some compilers; the linker of macOS has no -s and adds none.
    strip = [] if "__APPLE__" in macros else ["-s"]
    _run([*compiler, *options, "-shared", *strip, *objects, "-o", str(made)])
    _replace(library, made)


def _replace(target: Path, made: Path) -> None:
    """Puts a file in its place, whole or not at all: a process may be loading the one before."""
    target.parent.mkdir(parents=True, exist_ok=True)
    fresh = target.with_name(f".{target.name}.{os.getpid()}")
    fresh.write_bytes(made.read_bytes())
    fresh.replace(target)


def _run(command: Sequence[str]) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


if __name__ == "__main__":
    from setuptools import Command, setup
    from setuptools.command.bdist_wheel import bdist_wheel
    from setuptools.command.build import build

    class Build(build):  # type: ignore[misc]
        """Build the library after everything else."""

        sub_commands = [*build.sub_commands, ("build_lanes", None)]  # noqa: RUF012 (theirs)

    class BuildLanes(Command):  # type: ignore[misc]
        """Compiles library and second verifier, beside their sources for an editable install."""

        description = "compile the library and the second verifier, where there is a C compiler"
        user_options = [("inplace", "i", "beside the sources")]  # noqa: RUF012 (theirs)
        boolean_options = ["inplace"]  # noqa: RUF012 (theirs)
        editable_mode = False

        def initialize_options(self) -> None:
            self.inplace = 0
            self.build_lib: str | None = None

        def finalize_options(self) -> None:
            self.set_undefined_options("build_py", ("build_lib", "build_lib"))

        @property
        def package(self) -> Path:
            folder = HERE if self.editable_mode or self.inplace else Path(self.build_lib or "")
            return folder / "satdoku"

        @property
        def library(self) -> Path:
            return self.package / "lanes" / "lanes.so"

        @property
        def verifier(self) -> Path:
            return self.package / "certifying" / "second" / "verify"

        def run(self) -> None:
            fault = compile_library(self.library)
            if fault:
                self.warn(f"satdoku is built without its compiled library: {fault}")
            fault = compile_verifier(self.verifier)
            if fault:
                self.warn(f"satdoku is built without its second verifier: {fault}")

        def get_source_files(self) -> list[str]:
            sources = [*sorted(NATIVE.glob("*.[ch]")), SECOND_VERIFIER]
            return [str(path.relative_to(HERE)) for path in sources]

        def get_outputs(self) -> list[str]:
            return [str(each) for each in (self.library, self.verifier) if each.exists()]

        def get_output_mapping(self) -> dict[str, str]:
            return {}

    class Wheel(bdist_wheel):  # type: ignore[misc]
        """A wheel with the library is for its platform, and for every Python there."""

        def get_tag(self) -> tuple[str, str, str]:
            tag: tuple[str, str, str] = super().get_tag()
            if not self.get_finalized_command("build_lanes").get_outputs():
                return tag
            platform = self.plat_name or get_platform()
            return "py3", "none", re.sub(r"[-.]", "_", platform)

    home = os.environ.get("SATDOKU_HOME", "").rstrip("/")
    project = (HERE / "pyproject.toml").read_text(encoding="utf-8")
    (version,) = re.findall(r'^version = "(.+)"$', project, re.MULTILINE)
    readme = (HERE / "README.md").read_text(encoding="utf-8")
    setup(
        long_description=long_description(readme, home, version),
        long_description_content_type="text/markdown",
        project_urls=addresses(home, version),
        cmdclass={"build": Build, "build_lanes": BuildLanes, "bdist_wheel": Wheel},
    )
