"""Build the container image with docker, podman or buildah, whichever is here.

python scripts/build_image.py                       # on the official Python, as it is published
python scripts/build_image.py --bootstrap base.tar  # on a Debian by mmdebstrap: no registry
python scripts/build_image.py --wheel dist/*.whl    # of a package that is built already
"""

import argparse
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[1]
BUILDERS = ("docker", "podman", "buildah")
CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt"
_BASE = "localhost/patrizier-base"
_SUITE = "trixie"
_PACKAGES = "python3,python3-venv,ca-certificates,make"
_LEAVE_OUT = ("man", "doc", "locale")


def build(
    tag: str,
    *,
    builder: str = "",
    base: str = "",
    bootstrap: Path | None = None,
    store: Path | None = None,
    wheel: Path | None = None,
) -> None:
    """Build the image; `store` keeps buildah's images in a folder of their own."""
    name = builder or find_builder()
    program = buildah(store) if name == "buildah" else [name]
    if bootstrap is not None:
        base = import_base(program, bootstrap)
    words = ["build", "--file", str(ROOT / "Containerfile"), "--tag", tag]
    words += ["--build-arg", f"BASE={base}"] if base else []
    if name == "buildah":  # the format has health checks; chroot needs no further rights
        words += ["--isolation", "chroot", "--format", "docker", "--layers=false"]
    # Behind a proxy with its own certificates: the build trusts those of this machine, too.
    certificates = os.environ.get("SSL_CERT_FILE", CERTIFICATES)
    if Path(certificates).is_file() and name != "docker":
        words += ["--volume", f"{certificates}:{CERTIFICATES}:ro"]
        words += ["--build-arg", f"PIP_CERT={CERTIFICATES}"]
    with context(wheel) as folder:
        run([*program, *words, str(folder)])


@contextmanager
def context(wheel: Path | None) -> Iterator[Path]:
    """Yield the folder that is sent to the builder: the checkout, or one with only this wheel."""
    if wheel is None:
        yield ROOT
        return
    with tempfile.TemporaryDirectory(prefix="patrizier-image-") as folder:
        dist = Path(folder) / "dist"
        dist.mkdir()
        shutil.copy(wheel, dist)
        yield Path(folder)


def find_builder() -> str:
    """Return the first builder in the path; SystemExit if there is none."""
    for name in BUILDERS:
        if shutil.which(name):
            return name
    raise SystemExit(f"an image is built with {', '.join(BUILDERS[:-1])} or {BUILDERS[-1]}")


def buildah(store: Path | None = None) -> list[str]:
    """Return the command, with a store of its own that works on any file system."""
    if store is None:
        return ["buildah"]
    folders = ["--root", str(store / "root"), "--runroot", str(store / "run")]
    return ["buildah", "--storage-driver", "vfs", *folders]


def import_base(program: list[str], archive: Path) -> str:
    """Make a base image from an archive, and the archive if it is not there; return its name."""
    if program[0] != "buildah":
        raise SystemExit("--bootstrap needs buildah")
    if not archive.exists():
        archive.parent.mkdir(parents=True, exist_ok=True)
        draft = archive.with_name(f"draft-{archive.name}")
        leave_out = [f"--dpkgopt=path-exclude=/usr/share/{folder}/*" for folder in _LEAVE_OUT]
        run(
            ["mmdebstrap", "--variant=minbase", f"--include={_PACKAGES}", *leave_out, _SUITE, draft]
        )
        draft.rename(archive)
    container = ask([*program, "from", "scratch"])
    try:
        run([*program, "add", "--quiet", container, archive, "/"])
        run([*program, "commit", "--quiet", container, _BASE])
    finally:
        run([*program, "rm", container])
    return _BASE


def run(command: list[str | Path]) -> None:
    """Run a command in the checkout."""
    subprocess.run([str(word) for word in command], cwd=ROOT, check=True)


def ask(command: list[str]) -> str:
    """Run a command; return its output."""
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def main() -> None:
    """Build the image as asked on the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--tag", default="patrizier")
    parser.add_argument("--builder", choices=BUILDERS, default="")
    parser.add_argument("--base", default="", help="another base image: a Debian with Python")
    parser.add_argument("--bootstrap", type=Path, help="an archive of a base; made if missing")
    parser.add_argument("--store", type=Path, help="where buildah keeps its images")
    parser.add_argument(
        "--wheel", type=Path, help="the package; built from the checkout if missing"
    )
    build(**vars(parser.parse_args()))


if __name__ == "__main__":
    try:
        main()
    except subprocess.CalledProcessError as error:
        raise SystemExit(f"`{' '.join(error.cmd)}` failed") from None
