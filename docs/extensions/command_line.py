"""The commands of `patrizier`, as Markdown, from the application itself."""

import re

import click
import typer.main

from patrizier.cli.main import app

_EXAMPLE = re.compile(r"^Example: `(.+)`$", re.DOTALL)

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
    commands = group.commands  # type: ignore[attr-defined]
    return "\n\n".join(_section(name, commands[name]) for name in commands)


def _section(name: str, command: click.Command) -> str:
    context = click.Context(command, info_name=f"patrizier {name}")
    texts, examples = [], []
    for paragraph in (command.help or "").split("\n\n"):
        flat = " ".join(paragraph.split())
        example = _EXAMPLE.match(flat)
        if example:
            examples.append(example[1])
        else:
            texts.append(flat)
    parts = [f"(patrizier-{name})=\n## `patrizier {name}`", *texts]
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
