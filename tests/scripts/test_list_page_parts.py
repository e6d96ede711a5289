"""The page's bill of materials: every package whose code is in it, with its checksum."""

import json

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from list_page_parts import LICENCES, LOCK, bill

from browser.house import need_page

LICENCE_TEXT = "# Licenses\n\n## @anna/font - 1.2.0 (OFL-1.1)\n\nCopyright Anna\n"
PACKAGES = {
    "": {"name": "patrizier-web"},
    "node_modules/@anna/font": {"version": "1.2.0", "integrity": "sha512-q80="},
    "node_modules/ben/node_modules/@anna/font": {"version": "1.0.0", "integrity": "sha512-AAA="},
}


def test_a_part_has_its_address_licence_and_checksum() -> None:
    (part,) = bill(LICENCE_TEXT, PACKAGES, "1.0.0")["components"]
    assert (part["group"], part["name"], part["version"]) == ("@anna", "font", "1.2.0")
    assert part["purl"] == "pkg:npm/%40anna/font@1.2.0"
    assert part["licenses"] == [{"expression": "OFL-1.1"}]
    assert part["hashes"] == [{"alg": "SHA-512", "content": "abcd"}]


def test_a_part_that_nobody_has_locked_is_an_error() -> None:
    with pytest.raises(KeyError, match="font 2"):
        bill(LICENCE_TEXT.replace("1.2.0", "2.0.0"), PACKAGES, "1.0.0")


def test_the_bill_of_the_page_is_valid_and_names_what_is_in_it() -> None:
    need_page()
    packages = json.loads(LOCK.read_text("utf-8"))["packages"]
    told = bill(LICENCES.read_text("utf-8"), packages, "1.0.0")
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(json.dumps(told)) is None
    names = {part["name"] for part in told["components"]}
    assert names > {"svelte", "inter", "workbox-core", "idb"}  # page, fonts, service worker
    assert not {"vite", "eslint"} & names  # only build it
