"""How the image is built: what the builder is asked, whichever it is."""

import sys
from pathlib import Path

import build_image
import pytest

BUILDER = """#!{python}
import sys
open({log!r}, "a").write(" ".join(sys.argv[1:]) + "\\n")
print("made")
"""


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder of programs; what they were asked is in `log`."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    return tmp_path / "log"


def install(log: Path, *names: str) -> None:
    for name in names:
        program = log.parent / name
        program.write_text(BUILDER.format(python=sys.executable, log=str(log)))
        program.chmod(0o755)


def test_the_first_builder_that_is_here_is_taken(asked: Path) -> None:
    with pytest.raises(SystemExit, match="docker, podman or buildah"):
        build_image.find_builder()
    install(asked, "buildah", "podman")
    assert build_image.find_builder() == "podman"


def test_published_images_stand_on_the_official_python(asked: Path) -> None:
    install(asked, "docker")
    build_image.build("patrizier")
    root = build_image.ROOT
    assert asked.read_text() == f"build --file {root}/Containerfile --tag patrizier {root}\n"
    text = (root / "Containerfile").read_text("utf-8")
    assert "ARG BASE=python:3" in text


def test_buildah_needs_no_further_rights_and_takes_another_base(
    asked: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(asked, "buildah")
    certificates = asked.parent / "certificates"
    certificates.touch()
    monkeypatch.setenv("SSL_CERT_FILE", str(certificates))
    archive = asked.parent / "base.tar"
    archive.touch()
    build_image.build("mine", bootstrap=archive, store=asked.parent / "store")
    *_, build = asked.read_text().splitlines()
    for words in ("--isolation chroot", "--format docker", "BASE=localhost/patrizier-base",
                  f"--volume {certificates}:", "--storage-driver vfs"):  # fmt: skip
        assert words in build


def test_certificates_that_are_not_here_are_not_asked_for(
    asked: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(asked, "podman")
    monkeypatch.setenv("SSL_CERT_FILE", str(asked.parent / "nothing"))
    build_image.build("mine")
    assert "--volume" not in asked.read_text()


def test_a_wheel_is_all_that_the_builder_gets(tmp_path: Path) -> None:
    wheel = tmp_path / "patrizier-1-py3-none-any.whl"
    wheel.touch()
    with build_image.context(wheel) as folder:
        assert [str(file.relative_to(folder)) for file in sorted(folder.rglob("*"))] == [
            "dist",
            f"dist/{wheel.name}",
        ]
    assert not folder.exists()
    with build_image.context(None) as folder:
        assert folder == build_image.ROOT
