"""Light and dark."""

from playwright.sync_api import expect

from browser.house import SETTLED, Visits

COUNT = """() => {
  window.changes = 0;
  document.addEventListener('transitionrun', () => (window.changes += 1));
}"""


def test_who_wants_less_motion_sees_the_other_theme_at_once(visits: Visits) -> None:
    """No colour drifts there, neither its own nor one that it has from what it lies in."""
    page = visits.open("/new", reduced_motion="reduce", color_scheme="light")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.evaluate(SETTLED)
    page.evaluate(COUNT)
    page.emulate_media(color_scheme="dark")
    page.evaluate(SETTLED)
    assert page.evaluate("getComputedStyle(document.body).color") == "rgb(240, 230, 214)"
    assert page.evaluate("window.changes") == 0
