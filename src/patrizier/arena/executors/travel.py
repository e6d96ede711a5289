"""Bots of other packages and of the current folder travel to the workers of a cluster.

What they need is copied into one folder, which becomes the workers' current folder: a module or
package found in the current folder, or an installed package with its metadata, so that its entry
points are found there, too. What those import in turn must be installed everywhere.
"""

import importlib.util
import shutil
from collections.abc import Iterable
from importlib.metadata import Distribution
from pathlib import Path

from patrizier.bots.plugins import find_plugins, is_path, load_path

_LEFT_OUT = shutil.ignore_patterns("__pycache__", "*.pyc", ".git", ".venv")


def pack(bots: Iterable[str], folder: Path, others: Iterable[str] = ()) -> list[str]:
    """Copy what these bots need, and other modules, into a folder; return the modules' names."""
    modules: list[str] = []
    for module in others:
        _copy_module(module, folder, modules)
    for spec in bots:
        name = spec.partition(":")[0]
        plugin = next((each for each in find_plugins() if each.name == name), None)
        if plugin is not None:
            _copy_module(plugin.entry.module.partition(".")[0], folder, modules)
            if plugin.entry.dist is not None:
                _copy_metadata(plugin.entry.dist, folder)
        elif is_path(name):
            load_path(name)  # puts the current folder on sys.path
            _copy_module(name.partition(".")[0], folder, modules)
    return modules


def _copy_module(name: str, folder: Path, modules: list[str]) -> None:
    """Copy a top-level module or package, once."""
    if name == "patrizier" or name in modules:
        return
    spec = importlib.util.find_spec(name)
    if spec is None or (not spec.origin and not spec.submodule_search_locations):
        raise ValueError(f"the module {name} cannot be copied to other machines: it has no files")
    if spec.submodule_search_locations:
        for location in spec.submodule_search_locations:
            shutil.copytree(location, folder / name, ignore=_LEFT_OUT, dirs_exist_ok=True)
    else:
        origin = Path(str(spec.origin))
        shutil.copy(origin, folder / origin.name)
    modules.append(name)


def _copy_metadata(dist: Distribution, folder: Path) -> None:
    """Write a package's entry points and name where `importlib.metadata` finds them."""
    target = folder / f"{dist.name.replace('-', '_')}-{dist.version}.dist-info"
    target.mkdir(exist_ok=True)
    for name in ("METADATA", "entry_points.txt"):
        if text := dist.read_text(name):
            (target / name).write_text(text, "utf-8")
