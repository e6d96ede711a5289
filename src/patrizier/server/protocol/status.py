"""What the server says about itself. Import it from `messages`."""

from pydantic import Field

from patrizier.server.table.setup import Form, GuestBotName


class Preparing(Form):
    """The progress of compiling the bots, which happens at the server's first start only."""

    progress: float = Field(ge=0, le=1)  # 1: nothing is left to do
    seconds: int  # estimated until it is done


class GuestBotLine(Form):
    """A bot that the operator of the server invited, beside the levels."""

    level: GuestBotName  # what to seat
    about: str  # in the words of its author


class Config(Form):
    """The server's configuration for pages."""

    version: str
    mail: bool  # whether "your turn" can come by e-mail
    docs: bool  # whether the documentation is at /docs/
    bots: tuple[GuestBotLine, ...]
