from pathlib import Path

import pytest
from pydantic import SecretStr, ValidationError

from patrizier.server.settings import Settings, default_data_dir, read_or_make_secret


def test_a_server_listens_only_to_this_machine_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PATRIZIER_HOST", raising=False)
    settings = Settings()
    assert (settings.host, settings.port, settings.metrics) == ("127.0.0.1", 8321, "loopback")
    assert settings.trusted_proxies == ()
    assert not settings.https


def test_the_environment_sets_everything(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATRIZIER_PORT", "9000")
    monkeypatch.setenv("PATRIZIER_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("PATRIZIER_TRUSTED_PROXIES", "10.0.0.1, 192.168.0.0/16")
    monkeypatch.setenv("PATRIZIER_PUBLIC_URL", "https://patrizier.example/")
    monkeypatch.setenv("PATRIZIER_BOTS", "ppo=my_bots.Ppo, tower=tower:2")
    settings = Settings()
    assert settings.port == 9000
    assert settings.trusted_proxies == ("10.0.0.1", "192.168.0.0/16")
    assert settings.public_url == "https://patrizier.example"
    assert settings.bots == ("ppo=my_bots.Ppo", "tower=tower:2")
    assert settings.https
    assert settings.database_url == f"sqlite:///{tmp_path}/patrizier.db"
    assert Settings(port=1).port == 1  # what is said outright comes first


def test_the_data_folder_is_where_desktops_keep_data(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert default_data_dir() == tmp_path / "patrizier"


@pytest.mark.parametrize(
    ("given", "url"),
    [
        ("games.db", "sqlite:///games.db"),
        ("sqlite:////srv/games.db", "sqlite:////srv/games.db"),
        ("postgres://db/games", "postgresql://db/games"),
        ("postgresql://db/games", "postgresql://db/games"),
    ],
)
def test_databases_are_named_in_several_ways(given: str, url: str) -> None:
    assert Settings(database=given).database_url == url


@pytest.mark.parametrize(
    "wrong",
    [
        {"port": 70_000},
        {"public_url": "patrizier.example"},
        {"public_url": "https://patrizier.example/games"},
        {"allowed_origins": ("ftp://x",)},
        {"trusted_proxies": ("everybody",)},
        {"secret": SecretStr("short")},
        {"max_boddy": 5},
    ],
)
def test_nonsense_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        Settings(**wrong)  # type: ignore[arg-type]


def test_the_secret_is_made_once_and_for_the_owner_only(tmp_path: Path) -> None:
    file = tmp_path / "data" / "secret"
    secret = read_or_make_secret(file)
    assert len(secret) >= 43
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.parent.stat().st_mode & 0o077 == 0
    assert read_or_make_secret(file) == secret
    assert [found.name for found in file.parent.iterdir()] == ["secret"]
    assert Settings(data_dir=file.parent).signing_secret == secret
    given = SecretStr("y" * 40)
    assert Settings(data_dir=file.parent, secret=given).signing_secret == "y" * 40


def test_an_empty_secret_is_not_used(tmp_path: Path) -> None:
    (tmp_path / "secret").touch()
    with pytest.raises(ValueError, match="holds no secret"):
        read_or_make_secret(tmp_path / "secret")


@pytest.mark.parametrize(
    ("host", "public", "url"),
    [
        ("127.0.0.1", "", "http://127.0.0.1:8321"),
        ("::1", "", "http://[::1]:8321"),
        ("patrizier.home", "", "http://patrizier.home:8321"),
        ("0.0.0.0", "", ""),  # nobody could open that
        ("::", "", ""),
        ("0.0.0.0", "https://patrizier.example", "https://patrizier.example"),
    ],
)
def test_links_lead_here_or_there_are_none(host: str, public: str, url: str) -> None:
    assert Settings(host=host, public_url=public).links_url == url


def test_secrets_do_not_show(tmp_path: Path) -> None:
    assert "y" * 40 not in repr(Settings(secret=SecretStr("y" * 40)))
