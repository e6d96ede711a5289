"""Signing in on two devices, and out on one of them from the other."""

from playwright.sync_api import Page, expect

from browser.house import Visits


def fill(page: Page, summary: str, name: str, password: str) -> None:
    """Open an account or sign in, whichever form stands behind a line."""
    page.locator("summary", has_text=summary).click()
    form = page.locator("details", has=page.locator("summary", has_text=summary)).locator("form")
    form.locator("[autocomplete=username]").fill(name)
    form.locator("[type=password]").fill(password)
    form.locator("button[type=submit]").click()


def test_signing_out_everywhere_else(visits: Visits) -> None:
    here, phone = visits.open("/you"), visits.phone("/you")
    name, password = "anna-of-two-devices", "correct horse battery"
    fill(here, "Open an account", name, "password1")
    expect(here.get_by_text("This password is easy to guess.")).to_be_visible()
    visits.forgive("status of 422")
    here.locator("details form [type=password]").first.fill(password)
    here.locator("details form button[type=submit]").first.click()
    signed_in = f"You are signed in as {name}."
    expect(here.get_by_text(signed_in)).to_be_visible()
    fill(phone, "Sign in", name, password)
    expect(phone.get_by_text(signed_in)).to_be_visible()

    here.reload()
    sessions = here.get_by_role("region", name="Where you are signed in")
    expect(sessions.get_by_role("listitem")).to_have_count(2)
    expect(sessions.get_by_text("this browser")).to_have_count(1)
    sessions.get_by_role("button", name="Sign out everywhere else").click()
    expect(sessions.get_by_role("listitem")).to_have_count(1)
    expect(sessions.get_by_text("you are signed in only here")).to_be_visible()
    phone.reload()
    expect(phone.get_by_text("You are a guest")).to_be_visible()
    here.reload()
    expect(here.get_by_text(signed_in)).to_be_visible()
