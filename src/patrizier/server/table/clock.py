"""Clocks: how long a seat may think. The time is passed in."""

from dataclasses import dataclass, replace

from .setup import Correspondence, Pace, Realtime, Seat

DAY = 86_400.0
GRACE = 30.0  # seconds at least after taking over from a stand-in


@dataclass(frozen=True, slots=True)
class Clock:
    """Every seat's time, and when the current turn began."""

    pace: Pace
    began: float = 0.0  # unix seconds
    left: tuple[float, ...] = ()  # realtime: each seat's seconds at the start of its turn

    @classmethod
    def start(cls, pace: Pace, players: int, at: float) -> "Clock":
        """Return the clock of a game that starts now."""
        left = (float(pace.base),) * players if isinstance(pace, Realtime) else ()
        return cls(pace, at, left)

    def deadline(self, seat: Seat) -> float | None:
        """Return the deadline of the seat to move; None: no clock."""
        if isinstance(self.pace, Realtime):
            return self.began + self.left[seat]
        if isinstance(self.pace, Correspondence):
            return self.began + DAY * self.pace.days
        return None

    def turn_ended(self, seat: Seat, at: float, *, counts: bool) -> "Clock":
        """Return the clock after a turn; ``counts`` if a person played it."""
        clock = replace(self, began=at)
        if counts and isinstance(self.pace, Realtime):
            return clock._with(seat, self._rest(seat, at) + self.pace.increment)
        return clock

    def stopped(self, seat: Seat, at: float) -> "Clock":
        """Return the clock after a stand-in took over the seat to move."""
        clock = replace(self, began=at)
        return clock._with(seat, self._rest(seat, at)) if self.left else clock

    def taken_over(self, seat: Seat, at: float, *, to_move: bool) -> "Clock":
        """Return the clock after a person took over from a stand-in."""
        clock = replace(self, began=at) if to_move else self
        return clock._with(seat, max(self.left[seat], GRACE)) if self.left else clock

    def restarted(self, at: float) -> "Clock":
        """Return the clock with the current turn starting now."""
        return replace(self, began=at)

    def credited(self, seconds: float, at: float) -> "Clock":
        """Return the clock with a credit for time in which no server was running."""
        return replace(self, began=min(at, self.began + max(0.0, seconds)))

    def _rest(self, seat: Seat, at: float) -> float:
        return max(0.0, self.left[seat] - max(0.0, at - self.began))

    def _with(self, seat: Seat, seconds: float) -> "Clock":
        left = (*self.left[:seat], seconds, *self.left[seat + 1 :])
        return replace(self, left=left)
