"""compose.yaml: the game alone, and with a profile a house of servers behind a proxy."""

import re
from ipaddress import ip_network
from typing import Any

import yaml

from browser.house import ROOT
from patrizier.server.settings import Settings

COMPOSE = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
SERVERS = ("game", "one", "two")


def filled_in(text: str) -> str:
    """Return a value as it is when nothing is set."""
    return re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", text)


def test_without_a_profile_it_is_the_game_alone() -> None:
    assert [name for name, service in SERVICES.items() if "profiles" not in service] == ["game"]
    assert SERVICES["game"]["volumes"] == ["games:/data"]
    (port,) = SERVICES["game"]["ports"]
    assert filled_in(port) == "127.0.0.1:8321:8321"  # nobody else before somebody wants it


def test_whoever_starts_the_proxy_starts_all_it_needs() -> None:
    needed, found = ["proxy"], set[str]()
    while needed:
        name = needed.pop()
        found.add(name)
        assert SERVICES[name]["profiles"] == ["many"]
        needed += SERVICES[name].get("depends_on", {})
    assert found == {"proxy", "one", "two", "database"}
    assert "--profile many up --detach proxy" in (ROOT / "compose.yaml").read_text("utf-8")


def test_servers_have_no_rights_and_can_write_nowhere_else() -> None:
    for name in (*SERVERS, "proxy"):
        service = SERVICES[name]
        assert service["read_only"]
        assert service["cap_drop"] == ["ALL"]
        assert service["security_opt"] == ["no-new-privileges:true"]


def test_only_the_proxy_can_be_reached_and_the_servers_trust_it() -> None:
    assert [name for name, service in SERVICES.items() if "ports" in service] == ["game", "proxy"]
    assert SERVICES["database"]["network_mode"] == "none"
    (subnet,) = COMPOSE["networks"]["default"]["ipam"]["config"]
    trusted = SERVICES["one"]["environment"]["PATRIZIER_TRUSTED_PROXIES"]
    assert trusted == subnet["subnet"]
    assert ip_network(filled_in(trusted)).is_private


def test_what_servers_are_told_are_settings() -> None:
    for name in SERVERS:
        given = SERVICES[name]["environment"]
        fields = {key.removeprefix("PATRIZIER_").lower() for key in given}
        assert fields <= Settings.model_fields.keys()
        values = {
            key.removeprefix("PATRIZIER_").lower(): filled_in(value)
            for key, value in given.items()
            if value is not None
        }
        Settings.model_validate(values)  # raises if one of them cannot be read


def test_the_proxy_asks_the_servers_that_there_are() -> None:
    at = SERVICES["proxy"]["environment"]["PATRIZIER_SERVERS"].split()
    assert at == ["one:8321", "two:8321"]
    known = SERVICES["one"]["environment"]["PATRIZIER_ALLOWED_HOSTS"]
    assert known == "one,two"
    for volume in SERVICES["proxy"]["volumes"]:
        here = volume.split(":")[0]
        assert not here.startswith(".") or (ROOT / here).is_file()
