"""Light imports: nothing heavy is imported before it is needed."""

import subprocess
import sys

import pytest

import patrizier


def modules_after(code: str) -> set[str]:
    program = f"{code}\nimport sys\nprint('\\n'.join(sys.modules), file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )
    return set(done.stderr.split())


def test_importing_the_package_imports_neither_numba_nor_numpy() -> None:
    assert not modules_after("import patrizier") & {"numba", "numpy", "rich", "typer"}


def test_help_imports_neither_numba_nor_numpy() -> None:
    code = "from patrizier.cli.main import app\ntry: app(['--help'])\nexcept SystemExit: pass"
    modules = modules_after(code)
    assert "patrizier.cli.main" in modules
    assert not modules & {"numba", "numpy"}


@pytest.mark.parametrize("name", patrizier.__all__)
def test_every_public_name_is_there(name: str) -> None:
    assert getattr(patrizier, name) is not None
    assert name in dir(patrizier)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'Chess'"):
        _ = patrizier.Chess
