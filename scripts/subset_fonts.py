"""Make the Latin fonts of the page smaller: the weights and features it uses, no more.

Everybody loads these two files first. Names in other scripts use the packages' files as they are.
Run it again when the fonts in `web/package.json` are updated.

python scripts/subset_fonts.py
"""

import shutil
from io import BytesIO
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

WEB = Path(__file__).parents[1] / "web"
WEIGHTS = (400, 700)
ALWAYS = ("ccmp", "kern", "locl", "mark", "mkmk")
FEATURES = {"inter": ("tnum",), "eb-garamond": ("liga", "pnum", "tnum", "lnum")}


def main() -> None:
    """Write both fonts with their licences."""
    for family, features in FEATURES.items():
        package = WEB / "node_modules" / "@fontsource-variable" / family
        name = f"{family}-latin-wght-normal.woff2"
        small = subset(package / "files" / name, [*ALWAYS, *features])
        (WEB / "fonts" / name).write_bytes(small)
        shutil.copy(package / "LICENSE", WEB / "fonts" / f"{family}.LICENSE")
        print(f"{name}: {len(small) / 1000:.0f} kB")


def subset(file: Path, features: list[str]) -> bytes:
    """Return a font with all its characters, but only these features and our weights."""
    with TTFont(file, recalcTimestamp=False) as font:
        instantiateVariableFont(font, {"wght": WEIGHTS}, inplace=True)
        plain = BytesIO()
        font.flavor = None
        font.save(plain)  # the subsetter wants to see the new outlines
    with TTFont(plain, recalcTimestamp=False) as font:
        # Hints stay: without them browsers round widths differently, and words grow.
        subsetter = Subsetter(Options(layout_features=features, notdef_outline=True))
        subsetter.populate(unicodes=font.getBestCmap())
        subsetter.subset(font)
        font.flavor = "woff2"
        out = BytesIO()
        font.save(out)
    return out.getvalue()


if __name__ == "__main__":
    main()
