"""The commands of `patrizier`, as Markdown, from the application itself."""

import re
from collections.abc import Iterator
from typing import Any

import click
import typer.main

from patrizier.cli.main import app

_EXAMPLE = "Example: "
_COMMAND = re.compile("`(patrizier [^`]+)`")

_KINDS = {
    "int range": " N",
    "float range": " N",
    "int": " N",
    "float": " N",
    "str": " TEXT",
    "list[str]": "",
}


def describe() -> str:
    """Return a section for every command."""
    group = typer.main.get_command(app)
    return "\n\n".join(_section(name, command) for name, command in _commands(group))


def _commands(group: Any) -> Iterator[tuple[str, click.Command]]:
    """Yield all commands with their names; a group is only what its commands begin with."""
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from ((f"{name} {each}", inner) for each, inner in _commands(command))
        else:
            yield name, command


def _section(name: str, command: click.Command) -> str:
    context = click.Context(command, info_name=f"patrizier {name}")
    texts, examples = [], []
    for paragraph in (command.help or "").split("\n\n"):
        flat = " ".join(paragraph.split())
        if flat.startswith(_EXAMPLE):
            examples += _COMMAND.findall(flat)
        else:
            texts.append(flat)
    parts = [f"(patrizier-{name.replace(' ', '-')})=\n## `patrizier {name}`", *texts]
    if examples:
        parts.append("```sh\n" + "\n".join(examples) + "\n```")
    rows = [_row(parameter, context) for parameter in command.get_params(context)]
    parts.append("| argument | meaning |\n|---|---|\n" + "\n".join(row for row in rows if row))
    return "\n\n".join(parts)


def _row(parameter: click.Parameter, context: click.Context) -> str:
    """Return the line of a table for an argument or an option."""
    record = parameter.get_help_record(context)  # type: ignore[attr-defined,unused-ignore]
    if record is None or parameter.name == "help":
        return ""
    names, text = (" ".join(part.split()) for part in record)
    for kind, short in _KINDS.items():
        names = names.replace(f" <{kind}>", short if parameter.opts[0][0] == "-" else "")
    # In brackets after the text: the default, the range.
    text = re.sub(r"\s*\[(.+)\]$", r" *(\1)*", text)
    return f"| `{names}` | {_cell(text)} |"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")
