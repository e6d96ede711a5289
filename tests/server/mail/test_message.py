"""Messages: nothing in an address or a name gets out of its place."""

from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default

import pytest

from patrizier.server.mail.message import address
from patrizier.server.mail.texts import Letter


@pytest.mark.parametrize("to", ["a@b.org\nBcc: c@d.org", "a@b.org, c@d.org", "", "a b@c.org"])
def test_an_address_cannot_smuggle_anything_in(to: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        address(Letter("Hello", "Text", "en"), "turns@example.org", to, 0.0)


def test_a_name_may_hold_anything() -> None:
    letter = Letter("Hello", "Hello Zoë 🏰\n.\nBcc: x@y.org\n", "nl")
    message = address(letter, "turns@example.org", "a@b.org", 0.0)
    read = message_from_bytes(message.as_bytes(), policy=default)
    assert read["Bcc"] is None
    assert isinstance(read, EmailMessage)
    assert read.get_content().replace("\r\n", "\n") == letter.text


def test_a_sender_is_an_address() -> None:
    with pytest.raises(ValueError, match="sender"):
        address(Letter("Hello", "Text", "en"), "Patrizier", "a@b.org", 0.0)
