"""Write the page's bill of materials (CycloneDX): the packages whose code or fonts are in it.

The build names them in `licences.txt`; their checksums are those of `web/package-lock.json`.

python scripts/list_page_parts.py dist/patrizier-page.cdx.json
"""

import argparse
import json
import re
from base64 import b64decode
from pathlib import Path
from typing import Any
from urllib.parse import quote

from release import version

ROOT = Path(__file__).parents[1]
LICENCES = ROOT / "src" / "patrizier" / "server" / "static" / "licences.txt"
LOCK = ROOT / "web" / "package-lock.json"
_PART = re.compile(r"^## (\S+) - (\d\S*) \((.+)\)$", re.MULTILINE)
_PAGE = "patrizier-page"


def bill(licences: str, packages: dict[str, Any], release: str) -> dict[str, Any]:
    """Return the bill: the page of a release and its parts."""
    parts = [_part(*found, packages=packages) for found in _PART.findall(licences)]
    page = {"type": "application", "bom-ref": _PAGE, "name": _PAGE, "version": release}
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": {**page, "licenses": [{"license": {"id": "MIT"}}]}},
        "components": parts,
        "dependencies": [{"ref": _PAGE, "dependsOn": [part["bom-ref"] for part in parts]}],
    }


def _part(name: str, number: str, licence: str, *, packages: dict[str, Any]) -> dict[str, Any]:
    reference = f"pkg:npm/{quote(name, safe='/')}@{number}"
    group, _, short = name.rpartition("/")
    return {
        "type": "library",
        "bom-ref": reference,
        **({"group": group} if group else {}),
        "name": short,
        "version": number,
        "hashes": [{"alg": "SHA-512", "content": _checksum(name, number, packages)}],
        "licenses": [{"expression": licence}],
        "purl": reference,
    }


def _checksum(name: str, number: str, packages: dict[str, Any]) -> str:
    """Return the SHA-512 of a package; KeyError if the lock file does not have this version."""
    for place, package in packages.items():
        if place.endswith(f"node_modules/{name}") and package["version"] == number:
            kind, _, digest = package["integrity"].partition("-")
            assert kind == "sha512", package["integrity"]
            return b64decode(digest).hex()
    raise KeyError(f"{name} {number}")


def main() -> None:
    """Write the bill of the page that is built here."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("out", type=Path)
    out = parser.parse_args().out
    packages = json.loads(LOCK.read_text("utf-8"))["packages"]
    told = bill(LICENCES.read_text("utf-8"), packages, version())
    out.write_text(json.dumps(told, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
