import pytest

from patrizier.server.people.devices import device_of

MAC = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)"
WINDOWS = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko)"
PHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15"
ANDROID = "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko)"


@pytest.mark.parametrize(
    ("user_agent", "device"),
    [
        (f"{MAC} Version/18.0 Safari/605.1.15", "Safari · macOS"),
        (f"{WINDOWS} Chrome/140.0.0.0 Safari/537.36", "Chrome · Windows"),
        (f"{WINDOWS} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0", "Edge · Windows"),
        (f"{PHONE} Version/18.0 Mobile/15E148 Safari/604.1", "Safari · iPhone"),
        (f"{PHONE} FxiOS/140.0 Mobile/15E148 Safari/604.1", "Firefox · iPhone"),
        (f"{ANDROID} Chrome/140.0.0.0 Mobile Safari/537.36", "Chrome · Android"),
        ("Mozilla/5.0 (Android 15; Mobile; rv:140.0) Firefox/140.0", "Firefox · Android"),
        ("python-httpx/0.28", "Python"),
        ("curl/8.0", "curl"),
        ("", ""),
        ("x" * 10_000 + "Firefox/1", ""),
        ("<script>alert(1)</script>", ""),
    ],
)
def test_a_device_is_known_by_two_words(user_agent: str, device: str) -> None:
    assert device_of(user_agent) == device
