"""The server's part in a provably fair deal, as one collaborator of its tables."""

from collections.abc import Mapping

from patrizier.deal import Deal
from patrizier.options import Options

from . import provably_fair


class Dealer:
    """Makes secrets, commits to them, derives deals from them, and proves these."""

    def new_secret(self) -> bytes:
        """Return a secret for a new table."""
        return provably_fair.new_secret()

    def commit(
        self, secret: bytes, table_id: str, options: Options, not_first: int | None = None
    ) -> str:
        """Return the commitment, published before anybody contributes."""
        return provably_fair.commit(secret, table_id, options, not_first)

    def derive(
        self,
        secret: bytes,
        table_id: str,
        options: Options,
        contributions: Mapping[int, str],
        not_first: int | None = None,
    ) -> Deal:
        """Return the deal that follows from the secret and the seats' contributions."""
        return provably_fair.derive(secret, table_id, options, contributions, not_first)

    def proof(
        self,
        secret: bytes,
        table_id: str,
        options: Options,
        contributions: Mapping[int, str],
        not_first: int | None = None,
    ) -> dict[str, str]:
        """Return the tags of a record by which its deal can be verified."""
        return provably_fair.record_tags(secret, table_id, options, contributions, not_first)


FAIR_DEALER = Dealer()
