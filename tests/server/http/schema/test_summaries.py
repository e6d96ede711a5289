"""Every operation of the API has a summary and an id that say what it does."""

from pathlib import Path
from typing import Any

import pytest

from patrizier.server.http.app import create_app
from patrizier.server.settings import Settings


@pytest.fixture(scope="module")
def operations(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    folder: Path = tmp_path_factory.mktemp("server")
    document = create_app(Settings(data_dir=folder)).openapi()
    items = [*document["paths"].values(), *document["webhooks"].values()]
    return [operation for item in items for operation in item.values()]


@pytest.mark.parametrize("field", ["summary", "operationId"])
def test_no_two_operations_are_called_alike(operations: list[dict[str, Any]], field: str) -> None:
    found = [operation[field] for operation in operations]
    assert len(found) > 50
    assert sorted(set(found)) == sorted(found)


def test_summaries_are_phrases_and_not_names_of_functions(
    operations: list[dict[str, Any]],
) -> None:
    for operation in operations:
        words = operation["summary"].split()
        assert words[0].istitle(), operation["summary"]
        title = operation["operationId"].replace("_", " ").title()
        assert len(words) < 2 or operation["summary"] != title
