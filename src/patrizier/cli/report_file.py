"""Writing report files."""

from pathlib import Path

from patrizier.cli.options import fail


def check_folder(file: str) -> None:
    """End the command if a file cannot be written there."""
    if not Path(file).parent.is_dir():
        fail(f"{file}: No such file or directory")


def write_report(file: str, html: str) -> None:
    """Write a report, or end the command with what is wrong."""
    try:
        Path(file).write_text(html, "utf-8", newline="\n")
    except OSError as error:
        fail(f"{file}: {error.strerror}")
