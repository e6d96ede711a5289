import pytest

from patrizier.server.language import known, preferred


@pytest.mark.parametrize(
    ("chosen", "accepted", "language"),
    [
        ("", "", None),
        ("", "fr, ja;q=0.9", None),
        ("", "de", "de"),
        ("", "de-AT,de;q=0.9,en;q=0.8", "de"),
        ("", "fr, en;q=0.3, it-CH;q=0.8", "it"),  # not the first, but the most wanted
        ("", "nl;q=0, en;q=0.1", "en"),  # 0 is: not at all
        ("", "NL_BE", "nl"),
        ("", "en;q=0.5, de;q=0.5", "en"),  # the first of equals
        ("it", "de", "it"),  # a choice goes before the browser's wish
        ("xx", "de", "de"),
        ("", "item, english;q=1, *", None),
        ("", "de;q=nonsense, nl;q=0.1", "nl"),
        ("", "de;q=nan, nl;q=0.1", "nl"),
        ("", "de;q=1e999", "de"),
        ("", ",;=,,;q=,de", "de"),
        ("", ",".join(["fr"] * 10_000 + ["de"]), None),  # beyond what is read
    ],
)
def test_the_best_language_that_we_speak(chosen: str, accepted: str, language: str | None) -> None:
    assert preferred(chosen, accepted) == language


@pytest.mark.parametrize("text", ["", "d", "deutsch", "../de", "de/../en", "\x00de"])
def test_whatever_else_is_no_language(text: str) -> None:
    assert known(text) is None
