"""Links to tables: the one place that knows where the page shows a table, and where its record is.

Links in mails that do something are signed: see `mail.links`.
"""

import re

# The page's link, or an address of the API; a watchers' link carries its key behind the ?.
_TABLE = re.compile(
    r"(?P<site>https?://[^/?#]+)/(?:t|api/tables)/(?P<table>[\w-]+)(?:/|/record)?"
    r"(?P<query>\?[^#]*)?(?:#.*)?",
    re.ASCII | re.IGNORECASE,
)


def table_link(site: str, table_id: str) -> str:
    """Return the page of a table, given how the server's addresses begin.

    >>> table_link("https://patrizier.example", "2Kd0_x")
    'https://patrizier.example/t/2Kd0_x'
    """
    return f"{site.rstrip('/')}/t/{table_id}"


def record_link(link: str) -> str:
    """Return where the record of a table is, from any link to the table; other links stay.

    >>> record_link("https://patrizier.example/t/2Kd0_x")
    'https://patrizier.example/api/tables/2Kd0_x/record'
    """
    found = _TABLE.fullmatch(link)
    if found is None:
        return link
    return f"{found['site']}/api/tables/{found['table']}/record{found['query'] or ''}"
