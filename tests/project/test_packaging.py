"""Packages have the page, which `pip install .` builds; every dependency has its reason."""

import importlib.util
import json
import os
import re
import sys
import tomllib
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from packaging.tags import Tag

ROOT = Path(__file__).parents[2]

# A fake npm: records its arguments, and builds a page as the real one does.
NPM = """#!{python}
import os, pathlib, sys
root = pathlib.Path(sys.argv[sys.argv.index("--prefix") + 1]).parent
with open(root / "asked", "a") as asked:
    print(*sys.argv[sys.argv.index("--loglevel=error") + 1 :], file=asked)
if "build" in sys.argv and not (root / "broken").exists():
    page = root / "src/patrizier/server/static/index.html"
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text("<!doctype html>")
sys.exit((root / "failing").exists())
"""
NODE = "#!{python}\nprint('{version}')\n"


@pytest.fixture(scope="module")
def hook() -> ModuleType:
    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout without a page."""
    root = tmp_path / "checkout"
    (root / "web" / "src").mkdir(parents=True)
    (root / "web" / "package.json").write_text("{}")
    (root / "web" / "src" / "App.svelte").write_text("<p>")
    return root


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder in which programs are found."""
    folder = tmp_path / "tools"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    return folder


def install(tools: Path, *, npm: bool = True, version: str = "v24.1.0") -> None:
    for name, text in {"npm": NPM, "node": NODE}.items():
        if name == "node" or npm:
            (tools / name).write_text(
                text.replace("{python}", sys.executable).replace("{version}", version)
            )
            (tools / name).chmod(0o755)


def page_of(hook: ModuleType, root: Path) -> Any:
    return hook.Page(str(root), {}, None, None, "", "wheel")


def test_a_fresh_checkout_gets_its_page(hook: ModuleType, checkout: Path, tools: Path) -> None:
    install(tools)
    page = page_of(hook, checkout)
    page.initialize("standard", {})
    assert (checkout / hook.PAGE).is_file()
    assert (checkout / "asked").read_text() == "install --no-save\nrun build\n"
    page.initialize("standard", {})  # it is there now
    assert (checkout / "asked").read_text().count("run build") == 1


def test_a_page_older_than_its_sources_is_built_anew(
    hook: ModuleType, checkout: Path, tools: Path
) -> None:
    install(tools)
    page = page_of(hook, checkout)
    page.initialize("standard", {})
    later = (checkout / hook.PAGE).stat().st_mtime + 10
    os.utime(checkout / "web" / "src" / "App.svelte", (later, later))
    page.initialize("standard", {})
    assert (checkout / "asked").read_text().count("run build") == 2


def test_a_link_to_a_checkout_needs_no_page(hook: ModuleType, checkout: Path, tools: Path) -> None:
    page_of(hook, checkout).initialize("editable", {})
    assert not (checkout / "asked").exists()


@pytest.mark.parametrize(
    ("npm", "version", "needed"),
    [(True, "v24.1.0", False), (True, "v22.11.0", True), (False, "v24.1.0", True),
     (True, "nonsense", True)],
)  # fmt: skip
def test_node_is_asked_for_where_it_is_missing_or_too_old(
    hook: ModuleType, checkout: Path, tools: Path, npm: bool, version: str, needed: bool
) -> None:
    install(tools, npm=npm, version=version)
    page = page_of(hook, checkout)
    assert page.dependencies() == ([hook.NODE] if needed else [])


def test_a_source_package_has_its_page_and_needs_nothing(
    hook: ModuleType, tmp_path: Path, tools: Path
) -> None:
    (tmp_path / hook.PAGE).parent.mkdir(parents=True)
    (tmp_path / hook.PAGE).write_text("<!doctype html>")
    page = page_of(hook, tmp_path)
    assert page.dependencies() == []
    page.initialize("standard", {})


def test_what_is_missing_is_said(hook: ModuleType, checkout: Path, tools: Path) -> None:
    page = page_of(hook, checkout)
    with pytest.raises(FileNotFoundError, match="built with Node: pip install"):
        page.initialize("standard", {})
    install(tools)
    (checkout / "broken").touch()
    with pytest.raises(RuntimeError, match=r"there is no src.patrizier.server.static.index.html"):
        page.initialize("standard", {})
    (checkout / "failing").touch()
    with pytest.raises(RuntimeError, match="`npm install --no-save` failed"):
        page.initialize("standard", {})
    (checkout / "web" / "package.json").unlink()
    with pytest.raises(FileNotFoundError, match="nor its sources"):
        page.initialize("standard", {})


COMPILER = """
import sys
from pathlib import Path

Path(__file__).parents[3].joinpath("asked").write_text(" ".join(sys.argv[1:]))
"""


class Metadata:
    """A fake of the project's metadata."""

    class core:  # noqa: N801
        """The part that the hook reads."""

        dependencies = ("fastapi>=0.150", "numba>=0.61,<0.70", "numpy>=2.0,<3")


def test_kernels_are_compiled_only_if_asked_and_make_a_wheel_for_this_platform(
    hook: ModuleType, tmp_path: Path, tools: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / hook.PAGE).parent.mkdir(parents=True)
    (tmp_path / hook.PAGE).write_text("<!doctype html>")
    kernels = tmp_path / "src" / "patrizier" / "kernels"
    kernels.mkdir()
    (kernels.parent / "__init__.py").touch()
    (kernels / "__main__.py").write_text(COMPILER)

    def built(target: str, version: str = "standard") -> dict[str, Any]:
        data: dict[str, Any] = {"force_include": {}}
        hook.Page(str(tmp_path), {}, None, Metadata, "", target).initialize(version, data)
        return data

    assert built("wheel") == {"force_include": {}}
    monkeypatch.setenv("PATRIZIER_KERNELS", "1")
    assert built("sdist") == built("wheel", "editable") == {"force_include": {}}
    asked = tmp_path / "asked"
    assert not asked.exists()
    data = built("wheel")
    assert asked.read_text() == f"build --into {tmp_path / hook.KERNELS}"
    assert list(data["force_include"].values()) == ["patrizier/kernels/compiled"]
    assert data["pure_python"] is False
    python = f"cp{sys.version_info[0]}{sys.version_info[1]}"
    assert data["tag"].startswith(f"{python}-{python}")
    assert not data["tag"].endswith("any")
    page = hook.Page(str(tmp_path), {}, None, Metadata, "", "wheel")
    assert page.dependencies() == ["numba>=0.61,<0.70", "numpy>=2.0,<3"]


@pytest.mark.parametrize(
    ("known", "here", "tag"),
    [
        (("linux_x86_64", "manylinux_2_36_x86_64"), "linux-x86_64", "manylinux_2_17_x86_64"),
        (("manylinux_2_36_aarch64", "linux_aarch64"), "linux-aarch64", "manylinux_2_17_aarch64"),
        (("linux_x86_64", "musllinux_1_2_x86_64"), "linux-x86_64", "musllinux_1_2_x86_64"),
        (("macosx_15_0_arm64", "macosx_14_0_arm64"), "macosx-11.0-arm64", "macosx_11_0_arm64"),
        (("win_amd64",), "win-amd64", "win_amd64"),
    ],
)
def test_a_wheel_for_a_platform_has_a_tag_that_indexes_take(
    hook: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    known: tuple[str, ...],
    here: str,
    tag: str,
) -> None:
    tags = [Tag("cp313", "cp313", platform) for platform in known]
    monkeypatch.setattr("packaging.tags.sys_tags", lambda: iter(tags))
    monkeypatch.setattr("sysconfig.get_platform", lambda: here)
    assert hook.platform_tag() == f"cp313-cp313-{tag}"


def test_the_makefile_names_the_same_sources(hook: ModuleType) -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for name in (*hook._FOLDERS, *hook._FILES, hook.NODE):
        assert name in makefile, name


def test_the_page_is_built_from_whatever_registry_somebody_has() -> None:
    """The lock file has versions and checksums, but no hosts."""
    lock = json.loads((ROOT / "web" / "package-lock.json").read_text("utf-8"))
    parts = [part for name, part in lock["packages"].items() if name]
    assert len(parts) > 100
    assert all("resolved" not in part and part["integrity"] for part in parts)


def test_every_dependency_has_its_reason_and_ends_before_the_next_major_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    record = (ROOT / "docs" / "project" / "dependencies.md").read_text("utf-8")
    rows = re.findall(r"^\| ([\w, -]+) \|", record, re.MULTILINE)
    reasons = {name for row in rows for name in row.split(", ")} - {"package"}
    wanted = {re.split(r"[\[<>=~]", each)[0] for each in project["dependencies"]}
    assert reasons == wanted
    assert all("<" in each for each in project["dependencies"])
    (extras,) = re.findall(r"^\*\*Extras\*\*.*?\n\n", record, re.MULTILINE | re.DOTALL)
    assert all(f"`{each}`" in extras for each in project["optional-dependencies"])


def test_compiled_python_beside_the_drawings_is_no_source(hook: ModuleType, checkout: Path) -> None:
    """Importing them changes nothing of the page."""
    art = checkout / "src/patrizier/art"
    page = checkout / hook.PAGE
    for file in (art / "crest.svg", art / "__pycache__" / "crest.pyc", page):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
    later = page.stat().st_mtime + 10
    os.utime(art / "__pycache__" / "crest.pyc", (later, later))
    assert hook.is_up_to_date(checkout)
    os.utime(art / "crest.svg", (later, later))
    assert not hook.is_up_to_date(checkout)
