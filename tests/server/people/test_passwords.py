import asyncio

from argon2 import PasswordHasher

from patrizier.server.people.passwords import Passwords

QUICK = PasswordHasher(time_cost=1, memory_cost=64, parallelism=1)


def test_the_right_password_matches_and_no_other() -> None:
    async def check() -> None:
        passwords = Passwords(QUICK)
        kept = await passwords.hash("correct horse")
        assert "correct" not in kept
        assert kept.startswith("$argon2id$")
        assert kept != await passwords.hash("correct horse")  # salted
        assert await passwords.matches(kept, "correct horse")
        assert not await passwords.matches(kept, "Correct horse")
        assert not await passwords.matches(None, "nobody")
        assert not await passwords.matches("not a hash", "correct horse")

    asyncio.run(check())


def test_keyboards_may_differ() -> None:
    async def check() -> None:
        passwords = Passwords(QUICK)
        kept = await passwords.hash("cafe\u0301 noir")
        assert await passwords.matches(kept, "caf\u00e9 noir")

    asyncio.run(check())


def test_hashes_of_weaker_times_are_noticed() -> None:
    async def check() -> None:
        kept = await Passwords(QUICK).hash("correct horse")
        assert not Passwords(QUICK).outdated(kept)
        assert Passwords().outdated(kept)

    asyncio.run(check())


def test_by_default_a_guess_is_costly() -> None:
    assert PasswordHasher().memory_cost >= 64 * 1024
