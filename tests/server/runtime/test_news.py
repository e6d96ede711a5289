from collections.abc import Sequence

from patrizier.server.runtime.news import News
from patrizier.server.table.events import Stored
from patrizier.server.table.table import Table
from server.support.table_driver import TableDriver


def test_an_error_keeps_the_news_from_nobody_else() -> None:
    driver, heard = TableDriver(), list[object]()

    def fail(table: Table, stored: Sequence[Stored] = ()) -> None:
        raise RuntimeError("not today")

    news = News(observers=[fail], readers=[fail])
    news.on_append(lambda table, stored: heard.append((table, stored)))
    news.on_change(heard.append)
    news.appended(driver.table, driver.stored)
    assert heard == [(driver.table, driver.stored)]
    news.changed(driver.table)
    assert heard[1:] == [driver.table]
