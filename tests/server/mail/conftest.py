from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from patrizier.server.mail.smtp import MailServer
from patrizier.server.store.sql import open_store
from server.support.mailing import Mailing, PostOffice, opened


@pytest.fixture
def office() -> PostOffice:
    return PostOffice()


@pytest.fixture
async def mailing(tmp_path: Path, office: PostOffice) -> AsyncIterator[Mailing]:
    store = await open_store(f"sqlite:///{tmp_path / 'test.db'}")
    try:
        async with opened(office) as port:
            yield Mailing(store, MailServer.from_url(f"smtp://127.0.0.1:{port}"))
    finally:
        await store.close()
