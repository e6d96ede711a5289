"""A temporary PostgreSQL server, on a free port."""

import os
import pwd
import secrets
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import asyncpg  # type: ignore[import-untyped]

USER = "patrizier"


def find_binaries() -> Path | None:
    """Return the folder with `initdb` and `pg_ctl`, the newest one; None if there is none."""
    folders = [Path(name) for name in os.environ.get("PATH", "").split(os.pathsep)]
    for versions in ("/usr/lib/postgresql", "/usr/local/lib/postgresql", "/opt/homebrew/opt"):
        folders += sorted(Path(versions).glob("*/bin"), key=_version, reverse=True)
    for folder in folders:
        if all((folder / name).exists() for name in ("initdb", "pg_ctl")):
            return folder
    return None


class Postgres:
    """A running server."""

    def __init__(self, binaries: Path, folder: Path) -> None:
        self._binaries = binaries
        self.folder = folder  # its socket is here, too
        self._password = secrets.token_urlsafe(12) + "/@"  # has to be quoted in a URL
        self._has_database = False
        self.port = _free_port()
        (folder / "password").write_text(self._password)
        # It refuses to run as root: then another user's rights have to do.
        self._rights: dict[str, Any] = {}
        if os.geteuid() == 0:
            who = _somebody()
            for path in (folder, folder / "password"):
                os.chown(path, who.pw_uid, who.pw_gid)
            self._rights = {"user": who.pw_uid, "group": who.pw_gid, "extra_groups": []}
        self._run("initdb", "--auth=scram-sha-256", f"--username={USER}", "--encoding=UTF8",
                  "--locale=C", "--no-sync", "--pwfile=password", "-D", "data")  # fmt: skip

    def url(self, database: str = "postgres") -> str:
        """Return the URL of a database."""
        return (
            f"postgresql://{USER}:{quote(self._password, safe='')}@127.0.0.1:{self.port}/{database}"
        )

    def start(self, *, durable: bool = False) -> None:
        """Start it; `durable` only for measuring, as the machine itself does not crash here."""
        options = f"-p {self.port} -h 127.0.0.1 -k {self.folder}"
        if not durable:
            options += " -c fsync=off -c full_page_writes=off"
        self._run("pg_ctl", "-D", "data", "-w", "-l", "log", "-o", options, "start")

    def stop(self) -> None:
        """Stop it at once, as if it had crashed."""
        self._run("pg_ctl", "-D", "data", "-m", "immediate", "stop")

    async def new_database(self) -> str:
        """Create an empty database; return its URL."""
        name = f"test_{secrets.token_hex(6)}"
        await self.execute(f"CREATE DATABASE {name}")
        return self.url(name)

    async def clean_database(self) -> str:
        """Empty the database that tests share; return its URL."""
        if not self._has_database:
            await self.execute("CREATE DATABASE tests")
            self._has_database = True
        await self.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'tests'"
        )
        await self.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public", "tests")
        return self.url("tests")

    async def execute(self, statement: str, database: str = "postgres") -> None:
        """Run statements as the superuser."""
        connection = await asyncpg.connect(self.url(database))
        try:
            await connection.execute(statement)
        finally:
            await connection.close()

    def _run(self, program: str, *arguments: str) -> None:
        environment = {k: v for k, v in os.environ.items() if not k.startswith("PG")}
        with (self.folder / "output").open("ab") as output:
            done = subprocess.run(
                [str(self._binaries / program), *arguments],
                cwd=self.folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                timeout=120,
                check=False,
                **self._rights,
            )
        if done.returncode:
            raise RuntimeError(f"{program} failed: {(self.folder / 'output').read_text()}")


@contextmanager
def running_postgres(binaries: Path, *, durable: bool = False) -> Iterator[Postgres]:
    """Run a server as long as the block lasts."""
    folder = Path(tempfile.mkdtemp(prefix="patrizier-pg-"))
    try:
        server = Postgres(binaries, folder)
        server.start(durable=durable)
        try:
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _somebody() -> pwd.struct_passwd:
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    raise RuntimeError("PostgreSQL does not run as root, and there is no user postgres or nobody")


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


def _version(folder: Path) -> int:
    digits = "".join(filter(str.isdigit, folder.parent.name))
    return int(digits or 0)
