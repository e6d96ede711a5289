"""All reasons for refusals: name, code, and English text.

The server sends the name and its values, and the page translates them (`refused.*` in
`web/src/texts`); the English text is for programs. A code is a group of reasons that programs
handle alike. A test compares reasons and texts.
"""

from enum import StrEnum
from typing import Literal, TypeAlias

Code: TypeAlias = Literal[  # groups of reasons at a table
    "stale",  # meant for an older position
    "illegal",  # the rules do not allow it
    "invalid",  # not readable
    "foreign",  # not your seat, or not your turn
    "full",  # the seat is taken
    "closed",  # not possible at this stage
    "late",  # your time is up
    "unknown",  # there is no such thing
    "not-allowed",  # you may not do this
    "too-much",  # too many, too often or too big
]
Values: TypeAlias = dict[str, str | int]


class Reason(StrEnum):
    """Why a request was refused."""

    code: str
    text: str  # in English, with placeholders

    def __new__(cls, name: str, code: str, text: str) -> "Reason":
        """Make a reason from name, code and text."""
        reason = str.__new__(cls, name)
        reason._value_ = name
        reason.code = code
        reason.text = text
        return reason

    # -- a table before the game

    NO_TABLE = "no-table", "unknown", "There is no such table."
    NO_SEAT = "no-seat", "unknown", "There is no such seat."
    TABLE_CLOSED = "table-closed", "closed", "The table is closed."
    GAME_STARTED = "game-started", "closed", "The game has started."
    HOST_ONLY = "host-only", "not-allowed", "Only the host of this table may do that."
    NOT_SEATED = "not-seated", "foreign", "You do not sit at this table."
    SEATED_ALREADY = "seated-already", "not-allowed", "You already sit at this table."
    ONE_SEAT_EACH = "one-seat-each", "not-allowed", "At a rated table you may hold only one seat."
    NO_FREE_SEAT = "no-free-seat", "full", "There is no free seat."
    SEAT_TAKEN = "seat-taken", "full", "This seat is taken."
    SEAT_OF_BOT = "seat-of-bot", "full", "This seat is not for a person."
    NO_BOT = "no-bot", "unknown", "There is no bot {name} at this server."
    COLOUR_TAKEN = "colour-taken", "full", "Somebody else plays {colour}."
    COLOUR_NOT_PLAYED = (
        "colour-not-played",
        "invalid",
        "With {players} players {colour} is not available.",
    )
    COLOUR_OFTEN = "colour-often", "too-much", "You have changed your colour too often."
    OWN_SEAT = "own-seat", "not-allowed", "This is your own seat: use leave."
    PERSON_NEEDED = "person-needed", "not-allowed", "At least one seat must be for a person."
    SEATS_FREE = "seats-free", "not-allowed", "Some seats are still free."
    DEAL_WAITS = "deal-waits", "not-allowed", "Others have not contributed to the deal yet."
    DEAL_GIVEN = "deal-given", "not-allowed", "This seat has already contributed to the deal."

    # -- the game

    NOT_PLAYING = "not-playing", "closed", "The game is not running."
    NOT_OVER = "not-over", "closed", "The game is not over."
    NOT_YOUR_SEAT = "not-your-seat", "foreign", "This is not your seat."
    NOT_YOUR_TURN = "not-your-turn", "foreign", "It is not your turn."
    TIME_IS_UP = "time-is-up", "late", "Your time is up."
    STAND_IN = "stand-in", "not-allowed", "A stand-in is playing for you: take over first."
    TURN_PASSED = (
        "turn-passed",
        "stale",
        "This was meant for turn {meant}, but it is now turn {now}.",
    )
    STEP_PASSED = "step-passed", "stale", "This was meant for an earlier step of the turn."
    GAME_WENT_ON = "game-went-on", "stale", "This was meant for an earlier position."
    PERSON_PLAYS = "person-plays", "stale", "A person plays this seat, not a bot."
    TABLE_BUSY = "table-busy", "stale", "Too much is happening at this table: please try again."
    ILLEGAL_TURN = "illegal-turn", "illegal", "{why}"  # without a rule's name
    NOT_POSSIBLE = "not-possible", "illegal", "{decision} is not possible now."
    TURN_ENDED = "turn-ended", "illegal", "{decision}: the turn is over."
    UNREADABLE_TURN = "unreadable-turn", "invalid", "{why}"
    TURN_AND_DECISIONS = "turn-and-decisions", "invalid", "Send a turn or decisions, not both."
    UNDO_ASKED = "undo-asked", "not-allowed", "There is already a request to take turns back."
    UNDO_GONE = "undo-gone", "stale", "This request to take turns back is no longer pending."
    CARD_SHOWN = "card-shown", "not-allowed", "A hidden card has been revealed since then."
    OTHERS_PLAY = "others-play", "not-allowed", "Other people play here too: ask them."
    OTHERS_PLAYED = "others-played", "not-allowed", "Other people have played here too."
    NOT_OWN_TURN = "not-own-turn", "illegal", "You can only go back to a turn of your own."
    NOTHING_TO_UNDO = "nothing-to-undo", "illegal", "There is nothing to take back."
    NO_HINTS = "no-hints", "not-allowed", "There are no hints in games with other people."
    NO_ADVICE = "no-advice", "unknown", "There is no hint for this position."
    BOTS_BUSY = "bots-busy", "too-much", "All bots are busy: please ask again in a moment."

    # -- beside the game

    NOT_AT_TABLE = "not-at-table", "not-allowed", "You are not at this table."
    NOT_WATCHED = "not-watched", "not-allowed", "This game is not open to watchers."
    NOT_PLAYED_HERE = "not-played-here", "foreign", "You did not play at this table."
    NOTHING_SAID = "nothing-said", "invalid", "The message is empty."
    SAID_ENOUGH = "said-enough", "too-much", "The chat of this table is full."
    PLAYERS_MUTE = "players-mute", "not-allowed", "Only players may mute others."
    NOBODY_TO_MUTE = "nobody-to-mute", "unknown", "There is no such person at this table."
    MUTED_ENOUGH = "muted-enough", "too-much", "You cannot mute any more people."
    TABLE_FULL = "table-full", "too-much", "This table has reached its limit of events."
    DONE_ENOUGH = "done-enough", "too-much", "You have reached the limit of actions at this table."
    TABLES_OPEN = (
        "tables-open",
        "too-much",
        "{most} of your tables are waiting for players: start or close one first.",
    )
    NETWORK_TABLES = (
        "network-tables",
        "too-much",
        "Too many tables from your network are waiting for players.",
    )
    MANY_TABLES = "many-tables", "too-much", "Too many tables on one connection."
    UNREADABLE_RECORD = "unreadable-record", "invalid", "{why}"
    NO_ANALYSIS = "no-analysis", "unknown", "Nobody has asked for this analysis."
    ANALYSIS_RUNNING = (
        "analysis-running",
        "too-much",
        "Another game is being analysed for you: wait for it, or cancel it.",
    )
    ANALYSES_TODAY = (
        "analyses-today",
        "too-much",
        "{most} games a day are analysed for you: please come back tomorrow.",
    )
    NO_LINES = "no-lines", "unknown", "There are no lines under this link."
    NO_SUCH_TURN = "no-such-turn", "unknown", "The record has only {turns} turns."
    MANY_GAMES = "many-games", "invalid", "The record has {games} games; choose one."

    # -- friends and invitations

    NO_FRIEND = "no-friend", "unknown", "There is no such person."
    NO_FRIEND_LINK = "no-friend-link", "unknown", "This friend link is no longer valid."
    OWN_FRIEND = "own-friend", "not-allowed", "That is you."
    NOT_FRIENDS = "not-friends", "not-allowed", "You are not friends yet."
    MANY_FRIENDS = "many-friends", "too-much", "A list has room for {most} friends."

    # -- names, passwords, addresses

    NAME_EMPTY = "name-empty", "invalid", "A name needs at least one letter."
    NAME_LONG = "name-long", "invalid", "A name has at most {most} letters."
    NAME_HIDDEN = "name-hidden", "invalid", "A name must not contain invisible characters."
    NAME_ACCENTS = "name-accents", "invalid", "A name has at most two accents on a letter."
    LOGIN_FORM = (
        "login-form",
        "invalid",
        "The name of an account has 3 to 24 letters, digits, dots or dashes.",
    )
    EMAIL_FORM = "email-form", "invalid", "That does not look like an e-mail address."
    WRONG_PASSWORD = "wrong-password", "wrong-password", "Wrong name or password."
    WRONG_OLD_PASSWORD = "wrong-old-password", "wrong-password", "The old password is wrong."
    CONFIRM_PASSWORD = "confirm-password", "wrong-password", "Please confirm with your password."
    WEAK_PASSWORD = "weak-password", "weak-password", "A password has at least {least} characters."
    COMMON_PASSWORD = (
        "common-password",
        "weak-password",
        "That password is easy to guess. Please choose another one.",
    )
    PASSWORDS_BUSY = (
        "passwords-busy",
        "too-much",
        "Many people are signing in just now. Please try again in a moment.",
    )
    GUESSED_OFTEN = (
        "guessed-often",
        "too-much",
        "There were too many wrong passwords. Please wait a while.",
    )
    LOGIN_TAKEN = "login-taken", "login-taken", "There is already an account of that name."
    HAS_ACCOUNT = "has-account", "has-account", "You already have an account."
    NO_ACCOUNT = "no-account", "no-account", "You are not signed in."
    SIGNED_OUT = "signed-out", "not-allowed", "You have signed out."
    NO_MAIL = "no-mail", "no-mail", "This server does not send e-mail."
    MAIL_SENT = "mail-sent", "too-much", "A mail was sent a moment ago. Check your inbox first."

    # -- turns that the rules do not allow; the English comes from `patrizier.IllegalMove`

    RULE_HAND = "rule-hand", "illegal", "{why}"
    RULE_ONE_FLOOR = "rule-one-floor", "illegal", "{why}"
    RULE_TWO_FLOORS = "rule-two-floors", "illegal", "{why}"
    RULE_MUST_FILL_SITE = "rule-must-fill-site", "illegal", "{why}"
    RULE_NO_SPECIAL = "rule-no-special", "illegal", "{why}"
    RULE_BUILT_HERE = "rule-built-here", "illegal", "{why}"
    RULE_SCORED = "rule-scored", "illegal", "{why}"
    RULE_NO_FLOOR = "rule-no-floor", "illegal", "{why}"
    RULE_EMPTY_SITE = "rule-empty-site", "illegal", "{why}"
    RULE_FREE_DRAW = "rule-free-draw", "illegal", "{why}"
    RULE_OPEN_DRAW = "rule-open-draw", "illegal", "{why}"
    RULE_NO_DRAW = "rule-no-draw", "illegal", "{why}"
    RULE_FORCED_DRAW = "rule-forced-draw", "illegal", "{why}"
    RULE_NO_CARD = "rule-no-card", "illegal", "{why}"
    RULE_NO_MESSENGERS = "rule-no-messengers", "illegal", "{why}"
    RULE_NO_STAR = "rule-no-star", "illegal", "{why}"
    RULE_NONE_LEFT = "rule-none-left", "illegal", "{why}"
    RULE_NEIGHBOURS = "rule-neighbours", "illegal", "{why}"
    RULE_MESSENGER_PAIR = "rule-messenger-pair", "illegal", "{why}"
    RULE_PISTOIA = "rule-pistoia", "illegal", "{why}"
    RULE_MESSENGER_CITY_BUILT = "rule-messenger-city-built", "illegal", "{why}"
    RULE_MESSENGER_TWO = "rule-messenger-two", "illegal", "{why}"
    RULE_IMPOSSIBLE = "rule-impossible", "illegal", "{why}"
    RULE_OVER = "rule-over", "illegal", "{why}"
    RULE_DECIDED = "rule-decided", "illegal", "{why}"

    # -- turns that cannot be read; the English comes from `patrizier.InvalidMove`

    FORM_TURN = "form-turn", "invalid", "{why}"
    FORM_CARD = "form-card", "invalid", "{why}"
    FORM_CITY = "form-city", "invalid", "{why}"
    FORM_ORDER = "form-order", "invalid", "{why}"

    # -- records; the English comes from `patrizier.RecordError`

    RECORD_BEGINNING = "record-beginning", "invalid", "{why}"
    RECORD_EMPTY = "record-empty", "invalid", "{why}"
    RECORD_BLANK = "record-blank", "invalid", "{why}"
    RECORD_FORM = "record-form", "invalid", "{why}"
    RECORD_TWICE = "record-twice", "invalid", "{why}"
    RECORD_MISSING = "record-missing", "invalid", "{why}"
    RECORD_VALUE = "record-value", "invalid", "{why}"
    RECORD_BRACES = "record-braces", "invalid", "{why}"
    RECORD_RESULT = "record-result", "invalid", "{why}"
    RECORD_UNFINISHED = "record-unfinished", "invalid", "{why}"
    RECORD_DEAL_NO_CARD = "record-deal-no-card", "invalid", "{why}"
    RECORD_DEAL_TWICE = "record-deal-twice", "invalid", "{why}"
    RECORD_DEAL_MISSING = "record-deal-missing", "invalid", "{why}"
    RECORD_DEAL_NO_STAR = "record-deal-no-star", "invalid", "{why}"

    # -- decks; the English comes from `patrizier.DeckError`

    DECK_NO_CARD = "deck-no-card", "invalid", "{why}"
    DECK_NO_FACE = "deck-no-face", "invalid", "{why}"
    DECK_NAME = "deck-name", "invalid", "{why}"
    DECK_CLASSIC = "deck-classic", "invalid", "{why}"
    DECK_MISSING = "deck-missing", "invalid", "{why}"
    DECK_CRESTS = "deck-crests", "invalid", "{why}"
    DECK_STARS = "deck-stars", "invalid", "{why}"
    DECK_FLOORS = "deck-floors", "invalid", "{why}"
    DECK_PISTOIA = "deck-pistoia", "invalid", "{why}"

    # -- the server

    TOO_OFTEN = "too-often", "too-much", "Too many requests. Please wait a moment."
    SERVER_FULL = "server-full", "too-much", "The server is full. Please try again later."
    NETWORK_FULL = "network-full", "too-much", "There are too many connections from your network."
    PAGES_OPEN = (
        "pages-open",
        "too-much",
        "You have this game open in too many tabs. Please close one.",
    )
    NOTHING_HERE = "nothing-here", "unknown", "Not found."
    NO_METHOD = "no-method", "method", "Method not allowed."
    NOT_VALID = "not-valid", "invalid", "{what}"
    UNREADABLE_MESSAGE = "unreadable-message", "invalid", "Messages must be short JSON texts."
    NO_PRINT = (
        "no-print",
        "unknown",
        "This server has no page, so there are no fonts to print with.",
    )
    FOREIGN_HOST = (
        "foreign-host",
        "host",
        "This server is not configured for this host name: PATRIZIER_PUBLIC_URL or "
        "PATRIZIER_ALLOWED_HOSTS can allow it.",
    )
    FOREIGN_PAGE = "foreign-page", "origin", "The request comes from a page of another site."
    OLD_TOKEN = (
        "old-token",
        "token",
        "The header X-Patrizier-Token is missing or outdated: see GET /api/me.",
    )
    STRANGER = "stranger", "stranger", "Send GET /api/me first, and keep its cookie."
    TOO_SLOW = "too-slow", "too-slow", "The request took too long."
    TOO_LARGE = "too-large", "too-large", "A request has at most {most} bytes."
    BROKEN = "broken", "broken", "Internal error. It has been logged."
    NO_DATABASE = (
        "no-database",
        "no-database",
        "The database does not answer. Please try again in a moment.",
    )
    NOT_STORED = (
        "not-stored",
        "no-database",
        "The server cannot store anything at the moment. Please try again later.",
    )


_BY_NAME: dict[str, Reason] = {reason.value: reason for reason in Reason}


def reason_named(name: str) -> Reason | None:
    """Return the reason with this name, such as an engine's rule key; None if there is none."""
    return _BY_NAME.get(name)
