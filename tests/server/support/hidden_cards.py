"""Other deals that a viewer cannot tell from the real one."""

from random import Random

from patrizier import Deal, Game


def other_deal(game: Game, viewer: int | None, rng: Random) -> Deal:
    """Return a deal in which all cards the viewer has not seen yet are dealt anew, by the rules."""
    deal, deck = game.deal, game.options.deck
    records = list(game.records)
    pending = game.view(None).pending
    records += [pending] if pending else []
    played = {record.move.card for record in records}
    turned_up = sum(record.refill is not None for record in records)
    held = [
        card
        for seat, hand in enumerate(deal.hands)
        for card in hand
        if seat != viewer and card not in played
    ]
    hidden = [*held, *deal.pile[turned_up:]]
    stars = [card for card in hidden if deck[card].star]
    rng.shuffle(stars)
    dealt = stars[: len(held)]  # only star cards are dealt
    rest = [card for card in hidden if card not in dealt]
    rng.shuffle(rest)
    places = dict(zip(hidden, (*dealt, *rest), strict=True))
    hands = tuple(tuple(places.get(card, card) for card in hand) for hand in deal.hands)
    pile = tuple(places.get(card, card) for card in deal.pile)
    return Deal(hands, deal.display, pile, deal.start)
