"""The fields of an observation as a table."""

from patrizier.batch import describe as places


def describe() -> str:
    """Return a table of all fields, with their places among bytes and floats."""
    rows = [
        "| field | shape | bytes | kind | floats | what it says |",
        "|---|---|---|---|---|---|",
    ]
    for place in places():
        field = place.field
        shape = " × ".join(map(str, field.shape)) or "1"
        kind = f"{field.kind}, {field.high}"
        rows.append(
            f"| `{field.name}` | {shape} | {place.bytes.start}–{place.bytes.stop - 1} | {kind} "
            f"| {place.floats.start}–{place.floats.stop - 1} | {field.about} |"
        )
    return "\n".join(rows) + "\n"
