"""Rules that hold for every file of the package."""

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import satdoku
from satdoku.puzzle.rules.registry import RULES

ROOT = Path(satdoku.__file__).parent
MODULES = sorted(ROOT.rglob("*.py"))
OTHERS = sorted(
    path
    for folder in ("tests", "benchmarks")
    if (ROOT.parent / folder).is_dir()
    for path in (ROOT.parent / folder).rglob("*.py")
)

DESIGN = ROOT.parent / "docs" / "design.md"

# A worker process ends itself when it is told to; that is its end, not the caller's.
# Whether the compiled library is turned off holds for workers and for whoever imports satdoku, too.
MAY = {
    "batch/pool.py": {"sys.exit", "os._exit"},
    "lanes/library.py": {"os.environ"},
}

# The one file that may use what python-sat does not document.
PRIVATE = "solving/pysat_private.py"

# What the extras of the package install.
OPTIONAL = {"distributed", "dask", "numpy", "pyarrow", "reportlab", "resvg_py"}

FOR_TYPE_CHECKERS = r"if TYPE_CHECKING:\n(?: {4}.*\n)*? {4}from typing_extensions import"


@cache
def layers() -> list[str]:
    """What the first table of docs/design.md names, folders and the modules beside them."""
    rows = DESIGN.read_text("utf-8").split("|---|---|---|\n")[1].split("\n\n")[0].splitlines()
    cells = [row.split("|")[1] for row in rows]
    return [name for cell in cells for name in re.findall(r"`(\w+)(?:/|\.py)`", cell)]


def layer_of(path: Path) -> str:
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


@cache
def imported_by(path: Path) -> list[str]:
    """The dotted names of all modules that a file imports, wherever in it."""
    return list(_imports_of(path))


def statements_in(node: ast.AST) -> Iterator[ast.AST]:
    """The statements within one, at any depth; not the expressions, of which there are far more."""
    for name in ("body", "orelse", "finalbody", "handlers", "cases"):
        for inner in getattr(node, name, ()):
            yield inner
            yield from statements_in(inner)


def _imports_of(path: Path) -> Iterator[str]:
    for node in statements_in(parsed(path)):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path} has a relative import"
            yield from (f"{node.module}.{name.name}" for name in node.names)


def used_by(path: Path, names: set[str]) -> set[str]:
    """Which of these names, dotted or not, a file uses."""
    ends = {name.rpartition(".")[2] for name in names}
    nodes = (node for node in ast.walk(parsed(path)) if isinstance(node, (ast.Attribute, ast.Name)))
    return names & {
        ast.unparse(node)
        for node in nodes
        if (node.id if isinstance(node, ast.Name) else node.attr) in ends
    }


def test_the_design_has_a_row_for_every_layer() -> None:
    """Protects the map: a newcomer finds each package in docs/design.md."""
    assert sorted(layers()) == sorted({layer_of(path) for path in MODULES})


def test_the_design_names_every_folder_in_the_row_of_its_package() -> None:
    """Protects the map: no room is added that only those who built it know."""
    rows = DESIGN.read_text("utf-8").split("|---|---|---|\n")[1].split("\n\n")[0].splitlines()
    row_of = {row.split("`")[1]: row for row in rows}
    for path in ROOT.rglob("__init__.py"):
        package, *folders = path.relative_to(ROOT).parent.parts or ("",)
        for folder in folders:
            assert f"{folder}/`" in row_of[f"{package}/"], path


def test_the_design_names_files_that_are_there() -> None:
    """Protects the map: no file that was moved or joined is named."""
    rows = DESIGN.read_text("utf-8").split("|---|---|---|\n")[1].split("\n\n")[0].splitlines()
    for row in rows:
        folders, *texts = (
            re.findall(r"`([\w/]+(?:/|\.py|\.c))`", cell) for cell in row.split("|")[1:4]
        )
        for name in (name for names in texts for name in names):
            assert any((ROOT / folder.rstrip("/") / name).exists() for folder in folders), name


def test_the_longest_chain_of_imports_and_the_late_ones_are_as_the_design_says() -> None:
    """Protects the start-up: every module of a chain is imported before the first answer."""
    said = re.search(r"longer than\s(\d+) of them, and at most (\d+)", DESIGN.read_text("utf-8"))
    assert said is not None
    names = {_dotted(path): path for path in MODULES}

    @cache
    def depth(name: str) -> int:
        nodes = (node for node in parsed(names[name]).body if isinstance(node, ast.ImportFrom))
        imported = (f"{node.module}.{alias.name}" for node in nodes for alias in node.names)
        found = {each if each in names else each.rpartition(".")[0] for each in imported}
        return 1 + max(map(depth, found & names.keys() - {name}), default=0)

    assert max(map(depth, names)) <= int(said[1])
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    inside = {
        inner
        for path in MODULES
        for outer in statements_in(parsed(path))
        if isinstance(outer, functions)
        for inner in statements_in(outer)
        if isinstance(inner, (ast.Import, ast.ImportFrom))
    }
    assert len(inside) <= int(said[2])


def _dotted(path: Path) -> str:
    parts = path.relative_to(ROOT.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def test_imports_point_one_way() -> None:
    """Protects the layers: a package can be read, and tested, without those below it."""
    for path in MODULES:
        here = layers().index(layer_of(path))
        for name in imported_by(path):
            first, _, rest = name.partition(".")
            if first == "satdoku":
                layer = rest.split(".")[0]
                # `from satdoku import name` takes a name from the package itself.
                layer = layer if layer in layers() else "__init__"
                assert layers().index(layer) <= here, f"{path} imports {name}"


def test_one_file_imports_the_solvers_of_python_sat() -> None:
    """Protects from another version of python-sat: one file has to change."""
    importers = {
        str(path.relative_to(ROOT))
        for path in MODULES
        if any(f"{name}.".startswith("pysat.solvers.") for name in imported_by(path))
    }
    assert importers == {PRIVATE}


def test_few_files_enter_the_bulk_solver() -> None:
    """It knows classic rules only, so one place decides which puzzles go there, and one which are
    to lose givens there."""
    entering = {
        str(path.relative_to(ROOT))
        for path in MODULES
        if any(f"{name}.".startswith("satdoku.solving.bulk.") for name in imported_by(path))
    }
    assert entering == {"answering/many.py", "making/minimizer.py"}


def test_private_parts_of_python_sat_are_mentioned_in_one_file_only() -> None:
    """In any way: imported, patched, looked up by name, or spoken of."""
    mentioning = {
        str(path.relative_to(ROOT))
        for path in MODULES
        if re.search(r"pysolvers|MainThread", path.read_text("utf-8"))
    }
    assert mentioning == {PRIVATE}


def test_an_optional_library_is_imported_where_the_documentation_says() -> None:
    """Protects users without the extras: nothing else may need these libraries."""
    importers = {
        (name.split(".")[0], str(path.relative_to(ROOT)))
        for path in MODULES
        for name in imported_by(path)
        if name.split(".")[0] in OPTIONAL
    }
    assert importers == {
        ("dask", "batch/cluster.py"),
        ("distributed", "batch/cluster.py"),
        ("numpy", "api/arrays.py"),
        ("pyarrow", "files.py"),
        ("pyarrow", "notation/parquet_file.py"),
        ("reportlab", "picture/pdf_and_png.py"),
        ("resvg_py", "picture/pdf_and_png.py"),
    }


def test_only_the_making_of_certificates_knows_solvers() -> None:
    """Protects the check of certificates, which must not trust what it checks."""
    knowing = {
        path.name
        for path in (ROOT / "certifying").glob("*.py")
        if any(name.startswith("satdoku.solving") for name in imported_by(path))
    }
    assert knowing == {"certify.py"}


def test_nothing_but_click_and_python_sat_is_needed() -> None:
    """Protects the installation: two dependencies, and click for the command line alone."""
    usable = {"satdoku", "click", "pysat", "pysolvers", *OPTIONAL, *sys.stdlib_module_names}
    for path in MODULES:
        packages = {name.split(".")[0] for name in imported_by(path)}
        if re.search(FOR_TYPE_CHECKERS, path.read_text("utf-8")):
            packages.remove("typing_extensions")  # every type checker brings it
        assert packages <= usable, path
        assert "click" not in packages or layer_of(path) == "cli", path


def test_only_the_command_line_prints_exits_or_reads_the_environment() -> None:
    """Protects programs that use the library: it neither prints nor ends their process."""
    forbidden = {
        *("print", "input", "exit", "quit", "breakpoint"),
        *("sys.exit", "sys.stdout", "sys.stderr", "sys.stdin", "sys.argv"),
        *("os.environ", "os.getenv", "os._exit", "os.putenv"),
    }
    for path in MODULES:
        if layer_of(path) not in ("cli", "__main__"):
            allowed = MAY.get(str(path.relative_to(ROOT)), set())
            assert used_by(path, forbidden) <= allowed, path


def test_every_module_says_what_it_is_about() -> None:
    """Protects readers: the first line of a file says whether to read on."""
    for path in MODULES:
        if path.read_text("utf-8").strip():
            assert ast.get_docstring(parsed(path)), path


# Tables of what other programs call their rules, and of what people call them in English.
MAY_NAME_RULES = ("notation/exchange/", "notation/stated_rules.py", "notation/pastes/cages.py")


def test_what_is_so_of_a_rule_stands_in_its_class_and_in_no_list_of_names() -> None:
    """A rule that is added would be left out of such a list. Everyday words are not looked at."""
    names = {name for name in RULES if "-" in name or RULES[name].is_unmistakable}
    # These are names of other things too: of a technique, and of a symmetry.
    names -= {"skyscraper", "diagonals"}
    for path in MODULES:
        inside = path.relative_to(ROOT).as_posix()
        if not inside.startswith(("puzzle/rules/", *MAY_NAME_RULES)):
            texts = {
                node.value for node in ast.walk(parsed(path)) if isinstance(node, ast.Constant)
            }
            assert not texts & names, inside
