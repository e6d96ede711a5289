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


PASSWORD = "correct horse battery"


def two_devices(visits: Visits, name: str) -> tuple[Page, Page]:
    """Sign in on two devices."""
    here, phone = visits.open("/you"), visits.phone("/you")
    fill(here, "Open an account", name, PASSWORD)
    expect(here.get_by_text(f"You are signed in as {name}.")).to_be_visible()
    fill(phone, "Sign in", name, PASSWORD)
    expect(phone.get_by_text(f"You are signed in as {name}.")).to_be_visible()
    return here, phone


def test_signing_out_everywhere_else(visits: Visits) -> None:
    here, phone = visits.open("/you"), visits.phone("/you")
    name = "anna-of-two-devices"
    fill(here, "Open an account", name, "password1")
    expect(here.get_by_text("This password is easy to guess.")).to_be_visible()
    visits.ignore_errors("status of 422")
    here.locator("details form [type=password]").first.fill(PASSWORD)
    here.locator("details form button[type=submit]").first.click()
    signed_in = f"You are signed in as {name}."
    expect(here.get_by_text(signed_in)).to_be_visible()
    fill(phone, "Sign in", name, PASSWORD)
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


def test_signing_out_signs_out_everywhere_and_says_so(visits: Visits) -> None:
    here, phone = two_devices(visits, "anna-who-goes")
    account = here.get_by_role("region", name="Your account")
    leave = account.get_by_role("button", name="Sign out", exact=True)
    expect(leave).to_have_accessible_description("Signs you out on all devices.")
    leave.click()
    expect(here.get_by_text("You are a guest")).to_be_visible()
    phone.reload()
    expect(phone.get_by_text("You are a guest")).to_be_visible()


def test_signing_out_only_here(visits: Visits) -> None:
    here, phone = two_devices(visits, "anna-who-stays")
    phone.get_by_role("button", name="Sign out only here").click()
    expect(phone.get_by_text("You are a guest")).to_be_visible()
    here.reload()
    expect(here.get_by_text("You are signed in as anna-who-stays.")).to_be_visible()
    sessions = here.get_by_role("region", name="Where you are signed in")
    expect(sessions.get_by_role("listitem")).to_have_count(1)
    expect(sessions.get_by_role("button")).to_have_count(0)
