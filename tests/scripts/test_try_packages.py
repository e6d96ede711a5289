"""How packages are tried: with nothing found but what was lent."""

import os
import sys
from pathlib import Path

import pytest
import try_packages
from try_packages import Place


@pytest.fixture
def place(tmp_path: Path) -> Place:
    try_packages._lend_tools(tmp_path / "tools")
    return Place(tmp_path, try_packages.own_python(), packages=tmp_path / "dist")


def test_no_other_program_is_found_there(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATRIZIER_PORT", "1")
    told = place.run(place.python, "-c", "import os; print(os.environ)")
    assert str(place.folder) in told
    assert "PATRIZIER_PORT" not in told
    program = "import shutil; print(shutil.which('node'), shutil.which('npm'), shutil.which('sh'))"
    beside = {file.name for file in Path(place.python).parent.iterdir()}
    if not {"node", "npm"} & beside:
        assert place.run(place.python, "-c", program).startswith("None None /")


def test_windows_gets_what_no_program_runs_without_there(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SYSTEMROOT", "C:\\Windows")
    monkeypatch.setenv("PATH", "C:\\Git\\cmd")
    monkeypatch.setattr(sys, "platform", "win32")
    assert place.environment["SYSTEMROOT"] == "C:\\Windows"
    assert place.environment["PATH"].endswith("C:\\Git\\cmd")
    monkeypatch.setattr(sys, "platform", "linux")
    assert "Git" not in place.environment["PATH"]


def test_what_fails_is_told_with_its_reason(place: Place) -> None:
    with pytest.raises(SystemExit, match=r"(?s)failed:.*no such luck"):
        place.run(place.python, "-c", "raise SystemExit('no such luck')")


def test_nothing_is_tried_before_it_is_built(place: Place) -> None:
    with pytest.raises(SystemExit, match="make wheel"):
        try_packages.wheel(place)


def test_a_wheel_that_is_too_large_is_refused(place: Place) -> None:
    place.packages.mkdir()
    with (place.packages / "patrizier-1.0.0-py3-none-any.whl").open("wb") as file:
        file.truncate(try_packages.MOST_BYTES + 1)
    with pytest.raises(SystemExit, match="more than 12,000,000"):
        try_packages.wheel(place)


def test_wheels_for_another_python_are_left_alone(place: Place) -> None:
    place.packages.mkdir()
    own = "cp{}{}".format(*sys.version_info)
    for number, kind in enumerate(
        (f"{own}-{own}-win_amd64", "py3-none-any", "cp39-cp39-win_amd64")
    ):
        file = place.packages / f"patrizier-1.0.0-{kind}.whl"
        with file.open("wb") as package:
            package.truncate(try_packages.MOST_BYTES + 1)
        os.utime(file, (number, number))
    with pytest.raises(SystemExit, match="none-any"):
        try_packages.wheel(place)
    os.utime(place.packages / f"patrizier-1.0.0-{own}-{own}-win_amd64.whl", (9, 9))
    with pytest.raises(SystemExit, match=f"{own}-win"):
        try_packages.wheel(place)


def test_pythons_are_told_by_their_version_not_by_their_name(tmp_path: Path) -> None:
    version = "{}.{}".format(*sys.version_info[:2])
    assert try_packages._real(sys.executable, version) == sys.executable
    assert try_packages._real(sys.executable, "3.99") == ""


def test_what_pip_cannot_install_is_skipped_and_says_why(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    nothing = place.folder / "pip.conf"
    nothing.write_text("[global]\nno-index = true\nfind-links =\n")
    monkeypatch.setenv("PIP_CONFIG_FILE", str(nothing))
    told = try_packages.attempt(try_packages.uvx, place)
    assert told.startswith("skipped, pip cannot install uv: ")
    assert told.endswith("No matching distribution found for uv")


def test_a_command_is_tried_by_its_version_and_by_whole_games(place: Place) -> None:
    """With a stand-in that answers as the command does."""
    program = place.folder / "patrizier.py"
    program.write_text(
        "import sys\n"
        "told = {'--version': 'patrizier 7', 'arena': '{\"games\": 2}'}\n"
        "print(told[sys.argv[1]])\n"
    )
    assert place.play(place.python, program) == "patrizier 7 plays 2 games"
