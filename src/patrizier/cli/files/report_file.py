"""Writes report files."""

from pathlib import Path

from patrizier.cli.arguments.options import fail


def check_folder(file: str) -> None:
    """Fail if the folder of a file does not exist."""
    if not Path(file).parent.is_dir():
        fail(f"{file}: No such file or directory")


def write_report(file: str, html: str) -> None:
    """Write a report, or fail with the error."""
    try:
        Path(file).write_text(html, "utf-8", newline="\n")
    except OSError as error:
        fail(f"{file}: {error.strerror}")
