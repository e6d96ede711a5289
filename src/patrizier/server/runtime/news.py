"""Who hears of changes to tables; the parts of a server subscribe when they are put together."""

from collections.abc import Callable, Iterable, Sequence

from patrizier.server.logs import log
from patrizier.server.table.events import Stored
from patrizier.server.table.table import Table

Observer = Callable[[Table, Sequence[Stored]], None]
Reader = Callable[[Table], None]


class News:
    """Tells observers what this process has appended, and readers how a table stands now.

    An error of one of them is logged, and keeps the news from nobody else.
    """

    def __init__(self, observers: Iterable[Observer] = (), readers: Iterable[Reader] = ()) -> None:
        self._observers = list(observers)
        self._readers = list(readers)

    def on_append(self, observer: Observer) -> None:
        """Call an observer with the events that this process appends, after they are stored."""
        self._observers.append(observer)

    def on_change(self, reader: Reader) -> None:
        """Call a reader when a table has been loaded or has changed, whoever appended."""
        self._readers.append(reader)

    def appended(self, table: Table, stored: Sequence[Stored]) -> None:
        """Tell the observers."""
        for observer in self._observers:
            try:
                observer(table, stored)
            except Exception:
                log.exception("an observer failed")

    def changed(self, table: Table) -> None:
        """Tell the readers."""
        for reader in self._readers:
            try:
                reader(table)
            except Exception:
                log.exception("a reader failed")
