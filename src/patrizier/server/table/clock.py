"""Clocks: how long a seat may think. Time is always told from outside."""

from dataclasses import dataclass, replace

from .setup import Correspondence, Pace, Realtime, Seat

DAY = 86_400.0
GRACE = 30.0  # seconds at least for somebody who takes over again


@dataclass(frozen=True, slots=True)
class Clock:
    """The time of every seat, and when the turn under way began."""

    pace: Pace
    began: float = 0.0  # unix seconds
    left: tuple[float, ...] = ()  # realtime: seconds of each seat when its turn began

    @classmethod
    def start(cls, pace: Pace, players: int, at: float) -> "Clock":
        """Return the clock of a game that starts now."""
        left = (float(pace.base),) * players if isinstance(pace, Realtime) else ()
        return cls(pace, at, left)

    def deadline(self, seat: Seat) -> float | None:
        """Return when the time of the seat to move is used up; None: never."""
        if isinstance(self.pace, Realtime):
            return self.began + self.left[seat]
        if isinstance(self.pace, Correspondence):
            return self.began + DAY * self.pace.days
        return None

    def turn_ended(self, seat: Seat, at: float, *, counts: bool) -> "Clock":
        """Return the clock after a turn; it counts if a person has played it."""
        clock = replace(self, began=at)
        if counts and isinstance(self.pace, Realtime):
            return clock._with(seat, self._rest(seat, at) + self.pace.increment)
        return clock

    def stopped(self, seat: Seat, at: float) -> "Clock":
        """Return the clock after a bot has stepped in for the seat to move."""
        clock = replace(self, began=at)
        return clock._with(seat, self._rest(seat, at)) if self.left else clock

    def taken_over(self, seat: Seat, at: float, *, to_move: bool) -> "Clock":
        """Return the clock after a person has come back: there is some time left for them."""
        clock = replace(self, began=at) if to_move else self
        return clock._with(seat, max(self.left[seat], GRACE)) if self.left else clock

    def restarted(self, at: float) -> "Clock":
        """Return the clock with the turn under way beginning now."""
        return replace(self, began=at)

    def credited(self, seconds: float, at: float) -> "Clock":
        """Return the clock without time that passed while the server was away."""
        return replace(self, began=min(at, self.began + max(0.0, seconds)))

    def _rest(self, seat: Seat, at: float) -> float:
        return max(0.0, self.left[seat] - max(0.0, at - self.began))

    def _with(self, seat: Seat, seconds: float) -> "Clock":
        left = (*self.left[:seat], seconds, *self.left[seat + 1 :])
        return replace(self, left=left)
