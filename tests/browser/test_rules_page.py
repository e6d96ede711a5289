"""The rules page agrees with the rules, and offers the sheets that were chosen."""

import pytest
from playwright.sync_api import expect

from browser.house import Visits
from patrizier import Deck, Game, Options
from patrizier.rules.board import CITIES

SHOWN = "section#setup tbody tr"


def test_the_table_of_the_cities_tells_their_floors_cards_and_tokens(visits: Visits) -> None:
    page = visits.open("/rules")
    told = {}
    for row in page.locator(SHOWN).all():
        names, floors, cards, _ = row.locator("td").all_inner_texts()
        tokens = [str(each.get_attribute("aria-label")) for each in row.get_by_role("img").all()]
        for name in names.strip().replace(" and ", ", ").split(", "):
            told[name] = (int(floors), int(cards), tuple(int(value) for value in tokens))
    assert told == {city.name: (city.capacity, city.cards, city.tokens) for city in CITIES}


def test_the_table_laid_out_for_three_is_one_that_the_rules_lay_out(visits: Visits) -> None:
    page = visits.open("/rules")
    figure = page.locator("figure.three")
    shown = [str(each.get_attribute("data-card")) for each in figure.locator("[data-card]").all()]
    faces = {card: face.text for card, face in Deck.classic().faces if not card.startswith("PI")}
    cards = dict(each.split("=") for each in shown)
    assert len(cards) == 9
    assert cards.items() <= faces.items()
    view = Game(Options(3), seed=1).view(None)
    supplies = [str(seat.supply) for seat in view.seats]
    assert figure.locator(".count").all_text_contents() == [str(view.pile_left), *supplies]
    for city in view.cities:
        place = figure.locator(f"svg.{city.code}")
        assert place.locator(".name").first.text_content() == city.name
        assert place.locator(".value").all_text_contents() == [str(value) for value in city.tokens]


@pytest.mark.parametrize(("locale", "usual"), [("de-DE", "a4"), ("en-US", "letter")])
@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "plain"])
def test_sheets_are_printed_on_the_chosen_paper(
    visits: Visits, locale: str, usual: str, scripts: bool
) -> None:
    page = visits.open("/rules", locale=locale, java_script_enabled=scripts)
    paper = page.locator("select[name=paper]")
    if scripts:
        expect(paper).to_have_value(usual)
    for wanted in ("letter", "a4"):
        paper.select_option(wanted)
        with page.expect_download() as download:
            page.locator("form[action='/api/print'] button").click()
        name = download.value.suggested_filename
        assert wanted in name
        assert download.value.url.endswith(f"language={locale[:2]}&what=all&paper={wanted}")
    assert page.url.endswith("/rules")
