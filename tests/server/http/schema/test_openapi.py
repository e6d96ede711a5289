"""Every response matches the OpenAPI document, whatever is sent."""

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from patrizier.server.loadtest.client import Guest
from patrizier.server.loadtest.process import ServerProcess

EXAMPLES = int(os.environ.get("PATRIZIER_TEST_EXAMPLES", "12"))
TIMEOUT = 120.0  # seconds for an answer: a sheet to print takes its time on a busy machine
CHECKS = [
    not_a_server_error,
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    folder: Path = tmp_path_factory.mktemp("server")
    with ServerProcess(folder) as server:
        yield server


def try_out(operation: Any, headers: dict[str, str], table: str) -> None:
    """Fuzz one operation, with an unknown and an existing table."""

    @given(case=operation.as_strategy())
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def check(case: Any) -> None:
        if "wait" in case.query:
            case.query["wait"] = 0
        case.call_and_validate(headers=headers, checks=CHECKS, timeout=TIMEOUT)
        if "table" in case.path_parameters:
            case.path_parameters["table"] = table
            case.call_and_validate(headers=headers, checks=CHECKS, timeout=TIMEOUT)

    check()


def test_every_operation_answers_as_announced(server: ServerProcess) -> None:
    address = f"{server.url}/api/openapi.json"
    schema = schemathesis.openapi.from_url(address, timeout=TIMEOUT)
    tried = set()
    for result in schema.get_all_operations():
        assert isinstance(result, Ok)
        operation = result.ok()
        guest = asyncio.run(Guest.come(server.url))
        table = asyncio.run(guest.create_table(players=2))
        headers = {"Cookie": guest.cookie, "X-Patrizier-Token": guest.token}
        try_out(operation, headers, table)
        tried.add(operation.label)
    assert len(tried) >= 20, tried
    assert server.errors == []
