"""Links to tables: their URLs on the page, and those of their records.

Links in e-mails that change something are signed: see `mail.links`.
"""

import re

# The page's link, or a URL of the API; a watchers' link has its key in the query.
_TABLE = re.compile(
    r"(?P<site>https?://[^/?#]+)/(?:t|api/tables)/(?P<table>[\w-]+)(?:/|/record)?"
    r"(?P<query>\?[^#]*)?(?:#.*)?",
    re.ASCII | re.IGNORECASE,
)


def table_link(site: str, table_id: str) -> str:
    """Return the URL of a table's page, given the server's base URL.

    >>> table_link("https://patrizier.example", "2Kd0_x")
    'https://patrizier.example/t/2Kd0_x'
    """
    return f"{site.rstrip('/')}/t/{table_id}"


def record_link(link: str) -> str:
    """Return the URL of a table's record from any link to the table; other links are unchanged.

    >>> record_link("https://patrizier.example/t/2Kd0_x")
    'https://patrizier.example/api/tables/2Kd0_x/record'
    """
    found = _TABLE.fullmatch(link)
    if found is None:
        return link
    return f"{found['site']}/api/tables/{found['table']}/record{found['query'] or ''}"
