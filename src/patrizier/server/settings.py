"""Server settings: arguments, environment variables `PATRIZIER_…`, and safe defaults."""

import os
import secrets
from collections.abc import Callable
from contextlib import suppress
from functools import cached_property
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Annotated, Literal, Self
from urllib.parse import urlsplit

from platformdirs import user_data_path
from pydantic import Field, SecretStr, field_validator, model_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

Words = Annotated[tuple[str, ...], NoDecode]  # comma-separated in the environment

_SECRET_FILE = "secret"
_SECRET_BYTES = 32


def default_data_dir() -> Path:
    """Return the default folder for the database and the signing secret."""
    return user_data_path("patrizier", appauthor=False)


class Settings(BaseSettings):
    """All settings; each field is also an environment variable."""

    model_config = SettingsConfigDict(env_prefix="PATRIZIER_", frozen=True, extra="forbid")

    host: str = "127.0.0.1"  # address to listen on
    port: int = Field(default=8321, ge=0, le=65535)  # 0: any free one
    data_dir: Path = Field(default_factory=default_data_dir)  # database and secret
    database: str = ""  # URL; empty: a SQLite file in the data folder
    secret: SecretStr | None = None  # signs cookies; the same on all servers of one database

    public_url: str = ""  # the server's public URL, e.g. https://patrizier.example
    allowed_hosts: Words = ()  # further names in the Host header
    allowed_origins: Words = ()  # further origins of pages that may use this server
    trusted_proxies: Words = ()  # addresses or networks whose X-Forwarded-… headers are trusted
    metrics: Literal["off", "loopback", "anywhere"] = "loopback"  # who may read /metrics

    max_body: int = Field(default=64 * 1024, ge=1024)  # bytes of a request
    max_message: int = Field(default=16 * 1024, ge=1024)  # bytes of a socket message
    max_connections: int = Field(default=5000, ge=1)  # sockets in all
    connections_per_address: int = Field(default=100, ge=1)
    connections_per_person: int = Field(default=10, ge=1)
    request_within: float = Field(default=10, gt=0)  # seconds for the head of a request
    subscriptions_per_connection: int = Field(default=50, ge=1)  # tables on one socket
    open_tables_per_person: int = Field(default=10, ge=1)  # that wait for players
    open_tables_per_address: int = Field(default=40, ge=1)
    rate_per_person: float = Field(default=20, gt=0)  # requests and messages a second
    rate_per_address: float = Field(default=100, gt=0)
    rate_factor: float = Field(default=1, gt=0)  # scales the limits on single actions
    heartbeat: float = Field(default=20, gt=0)  # seconds between pings on a socket

    workers: int = Field(default=0, ge=0)  # worker processes for bots; 0: one less than cores
    bots: Words = ()  # guest bots beside the levels, NAME=BOT, as `make_bot` takes them
    analyses_per_day: int = Field(default=20, ge=0)  # games analysed for one person
    log_level: Literal["debug", "info", "warning", "error"] = "info"

    smtp_url: SecretStr | None = None  # smtp[s]://user:password@host:port; none: no e-mails
    mail_from: str = ""  # sender of e-mails

    @field_validator("allowed_hosts", "allowed_origins", "trusted_proxies", "bots", mode="before")
    @classmethod
    def _split(cls, value: object) -> object:
        if isinstance(value, str):
            return tuple(word.strip() for word in value.split(",") if word.strip())
        return value

    @field_validator("trusted_proxies")
    @classmethod
    def _check_proxies(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for network in value:
            ip_network(network)  # a typo would silently trust nobody
        return value

    @field_validator("public_url", "allowed_origins")
    @classmethod
    def _check_urls(cls, value: str | tuple[str, ...]) -> str | tuple[str, ...]:
        for url in (value,) if isinstance(value, str) else value:
            parts = urlsplit(url)
            if url and (parts.scheme not in ("http", "https") or not parts.hostname):
                raise ValueError(f"{url!r} is not like https://patrizier.example")
            if parts.query or parts.fragment or parts.path.strip("/"):
                raise ValueError(f"{url!r} has more than a scheme, a name and a port")
        return value.rstrip("/") if isinstance(value, str) else value

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.smtp_url is not None and "@" not in self.mail_from:
            raise ValueError("to send e-mails, PATRIZIER_MAIL_FROM must be an e-mail address")
        if self.secret is not None and len(self.secret.get_secret_value()) < _SECRET_BYTES:
            raise ValueError(f"the secret needs at least {_SECRET_BYTES} characters")
        return self

    @property
    def https(self) -> bool:
        """Whether people reach this server by https."""
        return self.public_url.startswith("https://")

    @property
    def links_url(self) -> str:
        """The base URL of links in e-mails; empty if it is not known.

        A server that listens on all addresses does not know one that people can open.
        """
        if self.public_url:
            return self.public_url
        try:
            address = ip_address(self.host)
        except ValueError:
            return f"http://{self.host}:{self.port}"
        if address.is_unspecified:
            return ""
        name = f"[{address}]" if address.version == 6 else str(address)
        return f"http://{name}:{self.port}"

    @property
    def database_url(self) -> str:
        """The database as a URL; a plain path is a SQLite file."""
        if "://" in self.database:
            return self.database.replace("postgres://", "postgresql://", 1)
        return f"sqlite:///{self.database or self.data_dir / 'patrizier.db'}"

    @property
    def secret_file(self) -> Path | None:
        """The file of the secret; None if it is a setting."""
        return self.data_dir / _SECRET_FILE if self.secret is None else None

    @cached_property
    def signing_secret(self) -> str:
        """The secret that signs cookies: a setting, or generated in the data folder."""
        if self.secret is not None:
            return self.secret.get_secret_value()
        return read_or_make_secret(self.data_dir / _SECRET_FILE)


def read_or_make_secret(file: Path) -> str:
    """Return the secret in a file that only its owner may read; generate it if missing."""
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        _make_secret(file)
    secret = file.read_text(encoding="ascii").strip()
    if len(secret) < _SECRET_BYTES:
        raise ValueError(f"{file} holds no secret: remove it and start again")
    return secret


def keep_secret(file: Path, secret: str) -> None:
    """Replace the secret in a file."""
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    _write_private(file, secret, os.replace)


def _make_secret(file: Path) -> None:
    """Generate a secret; if two servers start at once, only one does."""
    with suppress(FileExistsError):
        _write_private(file, secrets.token_urlsafe(_SECRET_BYTES), os.link)


def _write_private(file: Path, text: str, put: Callable[[Path, Path], None]) -> None:
    """Write a file atomically that only its owner may read."""
    draft = file.with_name(f"{file.name}.{secrets.token_hex(4)}")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    try:
        with os.fdopen(os.open(draft, flags, 0o600), "w", encoding="ascii") as out:
            out.write(text)
            out.flush()
            os.fsync(out.fileno())
        put(draft, file)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(file)) from error
    finally:
        draft.unlink(missing_ok=True)
