"""Link previews of tables: a title, a line, and a picture of the final position."""

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from urllib.parse import urlencode

from patrizier.outcome import Outcome
from patrizier.printing.picture import HEIGHT, WIDTH, ending_svg, to_png
from patrizier.server.language import Language
from patrizier.server.names import SOMEBODY, guest_number, names_of_bots
from patrizier.server.table.actor import role_of
from patrizier.server.table.seats import SeatState
from patrizier.server.table.table import Table
from patrizier.server.texts import words

_EASEL = ThreadPoolExecutor(1, "easel")  # one picture at a time, off the event loop
_LOCALES = {"en": "en_GB", "de": "de_DE", "nl": "nl_NL", "it": "it_IT"}


@dataclass(frozen=True, slots=True)
class Preview:
    """The preview of a link."""

    title: str
    text: str
    picture: str | None = None  # path of the picture, if the game is over

    def tags(self, site: str, path: str, language: Language) -> str:
        """Return the tags for a page's head: Open Graph, and Twitter's."""
        picture = f"{site}{self.picture or '/icon-512.png'}"
        named = {
            "og:site_name": words(language)["preview.name"],
            "og:type": "website",
            "og:locale": _LOCALES[language],
            "og:url": f"{site}{path}",
            "og:title": self.title,
            "og:description": self.text,
            "og:image": picture,
            "og:image:type": "image/png",
            "og:image:width": str(WIDTH if self.picture else 512),
            "og:image:height": str(HEIGHT if self.picture else 512),
            "og:image:alt": self.title,
        }
        cards = {
            "twitter:card": "summary_large_image" if self.picture else "summary",
            "twitter:title": self.title,
            "twitter:description": self.text,
            "twitter:image": picture,
        }
        tags = [f'<meta property="{name}" content="{escape(v)}">' for name, v in named.items()]
        tags += [f'<meta name="{name}" content="{escape(v)}">' for name, v in cards.items()]
        return "".join(tags)


def preview_of(table: Table, key: str, language: Language) -> Preview | None:
    """Return the preview of a link to a table; None if not everybody with the link may see it."""
    said = words(language)
    players = said["preview.players"].format(count=len(table.seats))
    rules = [said[f"rule.{rule}"] for rule in table.setup.rules]
    about = " · ".join([players, *rules])
    if table.phase == "open":
        assert table.created is not None
        host = _called(table.created.host_name, language)
        return Preview(said["preview.invites"].format(name=host), about)
    if role_of(table, None, key) == "outsider":
        return None
    names = _list(_names(table.seats, language), language)
    if table.finished is None:
        return Preview(said["preview.playing"].format(names=names), about)
    query = {"lang": language} | ({"key": key} if key else {})
    path = f"/api/tables/{table.id}/picture?{urlencode(query)}"
    return Preview(_title(table, language), f"{names} · {about}", path)


async def picture_of(table: Table, language: Language) -> bytes:
    """Return the picture of a finished game as PNG; raises `FontsMissing`."""
    svg = _svg(table, language)
    return await asyncio.get_running_loop().run_in_executor(_EASEL, _drawn, svg)


@lru_cache(maxsize=64)
def _drawn(svg: str) -> bytes:
    return to_png(svg)


def _svg(table: Table, language: Language) -> str:
    assert table.finished is not None, "only an end is drawn"
    assert table.playing is not None
    outcome = Outcome.from_json(table.finished.outcome)
    names = _names(table.seats, language)
    order = sorted(
        range(len(names)),
        key=lambda seat: (-outcome.points[seat], outcome.scores[seat].floors, seat),
    )
    return ending_svg(
        table.playing.final_count().cities,
        table.colours,
        _title(table, language),
        [(table.colours[seat], names[seat], outcome.points[seat]) for seat in order],
        words(language)["preview.name"],
    )


def _title(table: Table, language: Language) -> str:
    """Return who won, and with how many points."""
    assert table.finished is not None
    outcome = Outcome.from_json(table.finished.outcome)
    names = _names(table.seats, language)
    winners = [names[seat] for seat in outcome.winners]
    form = "preview.won" if len(winners) == 1 else "preview.won_together"
    points = max(outcome.points[seat] for seat in outcome.winners)
    return words(language)[form].format(names=_list(winners, language), points=points)


def _names(seats: Sequence[SeatState], language: Language) -> list[str]:
    """Return everybody's name; bots have the same names as on the page."""
    names, taken = list[str](), {seat.name for seat in seats}
    for seat in seats:
        if seat.is_bot:
            company = names_of_bots(seat.level or "merchant")
            names.append(next((name for name in company if name not in taken), ""))
            taken.add(names[-1])
        else:
            names.append(_called(seat.name, language))
    return names


def _called(name: str, language: Language) -> str:
    said, number = words(language), guest_number(name)
    if name == SOMEBODY:
        return said["name.somebody"]
    return name if number is None else said["name.guest"].format(number=number)


def _list(names: Sequence[str], language: Language) -> str:
    """Return names as a list in a sentence.

    >>> _list(["Anna", "Ben", "Cleo"], "de")
    'Anna, Ben und Cleo'
    """
    *others, last = names
    if not others:
        return last
    return words(language)["preview.and"].format(names=", ".join(others), last=last)
