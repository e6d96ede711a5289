/** Luck and errors over many games, by number of players. */

import type { AnalysedGame } from '../../protocol';

interface LuckLine {
  players: number;
  games: number;
  result: number; // means, in shares of a victory
  luck: number;
  adjusted: number;
  lost: number; // by own errors
  errors: number; // a game
}

export function linesOf(games: readonly AnalysedGame[]): LuckLine[] {
  const counts = [...new Set(games.map((game) => game.players))].sort();
  return counts.map((players) => {
    const all = games.filter((game) => game.players === players);
    const mean = (value: (game: AnalysedGame) => number) =>
      all.reduce((sum, game) => sum + value(game), 0) / all.length;
    return {
      players,
      games: all.length,
      result: mean((game) => game.account.result),
      luck: mean((game) => game.account.luck.total),
      adjusted: mean((game) => game.account.adjusted),
      lost: mean((game) => -game.account.own),
      errors: mean(errorsIn),
    };
  });
}

/** Inaccuracies, mistakes and blunders. */
export function errorsIn({ account: { verdicts } }: AnalysedGame): number {
  return (verdicts.inaccuracy ?? 0) + (verdicts.mistake ?? 0) + (verdicts.blunder ?? 0);
}
