"""The backup file: a zip of JSON lines, the same for SQLite and PostgreSQL.

`manifest.json` lists the contents. `tables/NAME.jsonl` has the rows of a table, one array per line;
the first line names the columns. `secret` signs cookies, if the server keeps it in a file.
"""

import io
import json
import os
import secrets
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from patrizier import __version__

from .rows import Row, Source

FORMAT = 1
# Errors of reading a damaged file.
_BROKEN = (
    KeyError, ValueError, TypeError, AttributeError, EOFError, RuntimeError, zipfile.BadZipFile,
    zlib.error,
)  # fmt: skip
_MANIFEST, _SECRET = "manifest.json", "secret"


class BadArchive(Exception):
    """A file is not a backup, or is damaged."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """The contents of a backup."""

    schema: str  # the migration of the tables
    rows: dict[str, int]  # by table, in the order of references
    version: str = __version__  # of the program
    made: str = ""  # when, in ISO 8601
    format: int = FORMAT


class Archive:
    """A backup opened for reading, with the interface of a database."""

    def __init__(self, file: zipfile.ZipFile) -> None:
        self._file = file
        try:
            found = json.loads(file.read(_MANIFEST))
            if found.get("format") != FORMAT:
                raise BadArchive("it was made by another version of this program")
            self.manifest = Manifest(
                str(found["schema"]),
                {str(name): int(count) for name, count in found["rows"].items()},
                str(found["version"]),
                str(found["made"]),
            )
        except _BROKEN as error:
            raise BadArchive("it is not a backup of this game") from error

    @property
    def schema(self) -> str:
        """The migration of the tables."""
        return self.manifest.schema

    @property
    def names(self) -> list[str]:
        """The tables, each after those it refers to."""
        return list(self.manifest.rows)

    @property
    def secret(self) -> str | None:
        """The secret that signs cookies, if the backup has it."""
        if _SECRET not in self._file.namelist():
            return None
        return self._file.read(_SECRET).decode("ascii")

    def rows(self, name: str) -> Iterator[Row]:
        """Return the rows of a table; raises `BadArchive` if some are missing."""
        count = 0
        try:
            with (
                self._file.open(f"tables/{name}.jsonl") as raw,
                io.TextIOWrapper(raw, "utf-8") as lines,
            ):
                columns = json.loads(lines.readline())
                for line in lines:
                    yield dict(zip(columns, json.loads(line), strict=True))
                    count += 1
        except _BROKEN as error:
            raise BadArchive(f"table {name} cannot be read") from error
        if count != self.manifest.rows[name]:
            raise BadArchive(f"table {name} has {count} rows of {self.manifest.rows[name]}")


@contextmanager
def opened(file: Path) -> Iterator[Archive]:
    """Open a backup; raises `BadArchive` or OSError."""
    try:
        with zipfile.ZipFile(file) as found:
            yield Archive(found)
    except zipfile.BadZipFile as error:
        raise BadArchive("it is not a backup, or it is damaged") from error


def write(source: Source, file: Path, secret: str | None) -> None:
    """Write a new backup file that only its owner may read."""
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as out:
        counts = {name: _write_table(out, name, source.rows(name)) for name in source.names}
        made = datetime.now(UTC).isoformat(timespec="seconds")
        manifest: dict[str, Any] = {
            "format": FORMAT,
            "made": made,
            "version": __version__,
            "schema": source.schema,
            "rows": counts,
        }
        out.writestr(_MANIFEST, json.dumps(manifest, indent=2))
        if secret is not None:
            out.writestr(_SECRET, secret)


def _write_table(out: zipfile.ZipFile, name: str, rows: Iterator[Row]) -> int:
    count = 0
    with out.open(f"tables/{name}.jsonl", "w", force_zip64=True) as lines:
        for count, row in enumerate(rows, 1):
            if count == 1:
                lines.write(_line(list(row)))
            lines.write(_line(list(row.values())))
        if not count:
            lines.write(_line([]))
    return count


def _line(values: list[Any]) -> bytes:
    return json.dumps(values, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


@contextmanager
def drafted(file: Path) -> Iterator[Path]:
    """Yield a temporary file to write; on success it is renamed, else removed."""
    if file.exists():
        raise FileExistsError(17, "the file exists already", str(file))
    draft = file.with_name(f".{file.name}.{secrets.token_hex(4)}")
    try:
        os.close(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        yield draft
        with draft.open("rb+") as written:
            os.fsync(written.fileno())
        draft.replace(file)
        _sync_folder(file.parent)
    finally:
        draft.unlink(missing_ok=True)


def _sync_folder(folder: Path) -> None:
    with suppress(OSError):  # not supported everywhere
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
