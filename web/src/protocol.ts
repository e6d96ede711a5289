// Written by `python -m patrizier.server.http.schema.typescript`. Do not edit.

/** Carry out a command at a table. */
export interface Act {
  kind: "act";
  table: string;
  command: Command;
}

/** A default name, for pages to translate. */
export interface Alias {
  kind: "guest" | "somebody";
  number: number | null;
}

/** A game of mine that was analysed: my result, my errors and my luck. */
export interface AnalysedGame {
  table: string;
  finished: number;
  players: number;
  seat: number;
  place: number;
  account: SeatAccount;
}

/** My latest games, the oldest first. */
export interface AnalysedGames {
  games: AnalysedGame[];
  others: number;
}

/** One turn, before and after; without a verdict until it is judged. */
export interface AnalysedTurn {
  turn: number;
  seat: number;
  move: string;
  before: Chances;
  after: Chances;
  refill: string | null;
  luck: ChanceLuck | null;
  verdict: Verdict | null;
  error: number[] | null;
  cost: number | null;
  points_cost: number | null;
  costs: Partial<Record<"build" | "move" | "draw" | "messenger", number>> | null;
  exact: boolean | null;
  only: boolean | null;
  choices: TurnChoice[] | null;
  why: TurnReason[] | null;
}

/** A whole game, or as much of it as has been analysed. */
export interface Analysis {
  version: number;
  record: string;
  names: string[];
  players: number;
  deep: boolean;
  seed: number;
  finished: boolean;
  complete: boolean;
  judged: number;
  points: number[];
  deal: DealtChances;
  turns: AnalysedTurn[];
  seats: SeatAccount[];
  moments: Moment[];
}

/** An analysis, and its progress. */
export interface AnalysisAnswer {
  key: string;
  state: "waiting" | "running" | "done" | "failed";
  judged: number;
  turns: number;
  ahead: number;
  deeper: "waiting" | "running" | "done" | "failed" | null;
  analysis: Analysis | null;
}

/** The game to analyse: a finished table, or a record. */
export interface AnalysisBody {
  table?: string | null;
  watch_key?: string;
  record?: string | null;
  deep?: boolean;
}

/** An immediate reply that another player has with a card known to be in hand. */
export interface Answer {
  seat: number;
  card: string;
  sites: string;
  points: number;
}

/** Agree to taking back, or not. */
export interface AnswerUndo {
  id: string;
  kind: "answer-undo";
  seat: number;
  to_turn: number;
  yes: boolean;
}

/** Ask to take back turns that revealed nothing hidden. */
export interface AskUndo {
  id: string;
  kind: "ask-undo";
  seat: number;
  to_turn: number;
  at_turn: number;
}

export type Avatar =
  | ""
  | "L"
  | "B"
  | "K"
  | "BO"
  | "FE"
  | "FI"
  | "LU"
  | "MI"
  | "PA"
  | "PI"
  | "RO"
  | "SI"
  | "VE"
  | "crown"
  | "star"
  | "rosette";

/** The command that takes back the seat's last or current turn. */
export interface BackInfo {
  kind: "take-back" | "ask-undo";
  to_turn: number;
}

export type Bar =
  | "must-fill-site"
  | "built-here"
  | "scored"
  | "no-floor"
  | "empty-site"
  | "no-card"
  | "forced-draw"
  | "messenger-pair"
  | "messenger-two"
  | "messenger-city-built";

export type BotName = Level | GuestBotName;

export type By = "person" | "bot" | "stand-in";

/** The server is closing this connection; reconnect where it makes sense. */
export interface ByeMessage {
  kind: "bye";
  reason: "slow" | "restart" | "signed-out" | "too-much";
  text: string;
}

/** The luck in a turn, by seat. */
export interface ChanceLuck {
  card: number[];
  hidden: number[];
}

/** Every seat's expected result at one moment. */
export interface Chances {
  shares: number[];
  points: number[];
  exact: boolean;
}

/** Choose a colour that no person has; bots change theirs. */
export interface ChooseColour {
  id: string;
  kind: "choose-colour";
  seat: number;
  colour: Colour;
}

export type ClientMessage = Watch | Unwatch | Act | Ping;

/** The running clock. */
export interface ClockInfo {
  seat: number | null;
  began: number;
  deadline: number | null;
}

/** Host: close the table before it starts. */
export interface Close {
  id: string;
  kind: "close";
}

export type Code =
  | "stale"
  | "illegal"
  | "invalid"
  | "foreign"
  | "full"
  | "closed"
  | "late"
  | "unknown"
  | "not-allowed"
  | "too-much";

export type Colour = "black" | "white" | "red" | "yellow" | "blue";

export type Command =
  | Join
  | ChooseColour
  | Leave
  | SeatBot
  | FillWithBots
  | Unseat
  | Close
  | Contribute
  | Start
  | Play
  | Decide
  | Resign
  | TakeOver
  | AskUndo
  | AnswerUndo
  | TakeBack
  | Say
  | Mute
  | OfferRematch;

/** The server's configuration for pages. */
export interface Config {
  version: string;
  mail: boolean;
  docs: boolean;
  bots: GuestBotLine[];
}

/** Contribute a random number to the deal. It stays secret until the game is over. */
export interface Contribute {
  id: string;
  kind: "contribute";
  seat: number;
  contribution: string;
}

/** Several days per turn. */
export interface Correspondence {
  kind: "correspondence";
  days: number;
}

/** Create a table and, if wanted, take a seat. */
export interface CreateTable {
  id: string;
  setup?: TableSetup;
  seat?: number | null;
  take_seat?: boolean;
}

/** The proof of the deal, for everybody to verify. */
export interface DealProof {
  commitment: string;
  secret: string | null;
  contributions: (string | null)[] | null;
  not_first: number | null;
}

/** Every seat's expected result after the deal. */
export interface DealtChances {
  shares: number[];
  points: number[];
  exact: boolean;
  luck: number[];
}

/** Take one decision of a turn; see `patrizier.rules.codes` for the texts. */
export interface Decide {
  id: string;
  kind: "decide";
  seat: number;
  decision: string;
  at_turn: number;
  at_step: number;
}

/** Confirmation to delete all my data. */
export interface EraseBody {
  password?: string | null;
}

/** The score of the player on one seat so far. */
export interface EveningScore {
  games: number;
  wins: number;
  points: number;
}

/** My finished games in figures; those in which several seats were mine do not count. */
export interface Figures {
  games: number;
  wins: number;
  points: number;
  streak: number;
  longest: number;
  tallies: Tally[];
  curve: PointsAt[];
  best: GameLine[];
  opponents: Opponent[];
  cut: boolean;
}

/** Host: put bots on all free seats. */
export interface FillWithBots {
  id: string;
  kind: "fill-with-bots";
  level: BotName;
}

/** The final count: towers, portraits, and the points over time. */
export interface FinalCount {
  cities: FinishedCity[];
  portraits: Portraits[][];
  curve: number[][];
}

/** A complete city. */
export interface FinishedCity {
  code: string;
  left: FinishedTower;
  right: FinishedTower;
  chips: number;
}

/** A tower of a complete city, and the points it was worth. */
export interface FinishedTower {
  floors: number[];
  token: number;
  seat: number;
  chips: number;
}

/** Ask somebody whom I have played with. */
export interface FriendBody {
  table: string;
  seat: number;
}

/** Somebody on my list of friends. */
export interface FriendLine {
  id: string;
  name: string;
  alias: Alias | null;
  avatar: Avatar;
  state: "friends" | "asked" | "wants";
  seen: number;
}

/** The code in my link: whoever opens it and agrees is my friend. */
export interface FriendLink {
  code: string;
}

/** My friends by name; those who wait for my answer come first. */
export interface FriendList {
  friends: FriendLine[];
}

/** What the portraits of a card bring when it is played. */
export interface Gain {
  noble: "L" | "B" | "K";
  heads: number;
  points: number;
  missing: number;
}

/** A finished game in a history. */
export interface GameLine {
  table: string;
  players: number;
  rules: Rule[];
  rated: boolean;
  finished: number;
  seats: GameSeat[];
}

/** Finished games, the newest first. */
export interface GameList {
  games: GameLine[];
  before: number | null;
}

/** The result of a seat. */
export interface GameSeat {
  seat: number;
  name: string;
  alias: Alias | null;
  level: Level | GuestBotName | null;
  points: number;
  place: number;
  left: boolean;
  you: boolean;
}

/** A bot that the operator of the server invited, beside the levels. */
export interface GuestBotLine {
  level: GuestBotName;
  about: string;
}

export type GuestBotName = `guest:${string}`;

/** A turn, and the result that the best bot expects of it. */
export interface Hint {
  move: string;
  share: number[];
  points: number[];
  exact: boolean;
}

/** The best bot's turns, the best first. */
export interface HintAnswer {
  turn: number;
  step: number;
  candidates: Hint[];
}

/** The seat and turn that the hint is for. */
export interface HintBody {
  seat: number;
  at_turn: number;
}

/** An invitation to a table that waits for players. */
export interface InvitationLine {
  name: string;
  alias: Alias | null;
  avatar: Avatar;
  at: number;
  table: TableLine;
}

/** Invitations, the newest first. */
export interface InvitationList {
  invitations: InvitationLine[];
}

/** Invite a friend, or everybody who played at another table of mine. */
export interface InviteBody {
  friend?: string | null;
  again?: string | null;
}

/** Which of my friends were invited to a table. */
export interface Invited {
  friends: string[];
  people: number;
}

/** Take a free seat. */
export interface Join {
  id: string;
  kind: "join";
  seat?: number | null;
  contribution?: string | null;
  hot_seat?: boolean;
  name?: string | null;
  colour?: Colour | null;
}

/** Stored record and lines, and their name. */
export interface KeptLines {
  id: string;
  study: string;
}

/** Record and lines to store, as packed by the page: compressed, base64. */
export interface KeptLinesBody {
  study: string;
}

/** A page of the best ratings for a player count. */
export interface Leaderboard {
  ratings: RatingLine[];
  mine: RatingLine | null;
  more: boolean;
}

/** Leave one seat, or all of them, before the game starts. */
export interface Leave {
  id: string;
  kind: "leave";
  seat?: number | null;
}

/** The state of a lesson; to try again, send no move. */
export interface LessonAnswer {
  name: LessonName;
  goal: LessonGoal;
  view: View;
  seat: number;
  done: boolean;
  reached: boolean;
  why: WhyNot;
  record: ViewRecord | null;
  standings: Record<string, Standing>;
  prospects: Prospects | null;
  barred: Partial<Record<Bar, string[]>>;
}

/** What the learner has played so far: nothing, a turn, or part of a turn. */
export interface LessonBody {
  moves?: string[];
  decisions?: string[];
}

/** The learner's task. */
export interface LessonGoal {
  kind: LessonName;
  card: string | null;
  city: string | null;
  pair: string | null;
}

/** A lesson in the list. */
export interface LessonLine {
  name: LessonName;
  players: number;
  rules: Rule[];
  goal: LessonGoal;
}

/** All lessons, in the order in which they are taught. */
export interface LessonList {
  lessons: LessonLine[];
}

export type LessonName =
  | "build"
  | "complete"
  | "tie"
  | "empty-site"
  | "free-draw"
  | "move"
  | "portraits"
  | "double"
  | "last-cards"
  | "messenger";

export type Level = "apprentice" | "merchant" | "banker" | "senator" | "doge";

/** The best bot's advice: its turns, the best first. */
export interface LineAdvice {
  candidates: Hint[];
  about: Hint | null;
}

/** A position to judge. */
export interface LineAdviceBody {
  record: string;
  at: number;
  moves?: string[];
  decisions?: string[];
  about?: string;
}

/** The position at the end of a line. */
export interface LineAnswer {
  view: View;
  frame: View;
  seat: number | null;
  record: ViewRecord | null;
  steps: Record<string, Standing>;
  standings: Record<string, Standing>;
  prospects: Prospects | null;
  barred: Partial<Record<Bar, string[]>>;
  hands: string[][];
  scores: ViewScore[];
  outcome: ViewOutcome | null;
}

/** A position: a record up to a turn, and what is played from there. */
export interface LineBody {
  record: string;
  at: number;
  moves?: string[];
  decisions?: string[];
}

/** The turn of a bot. */
export interface LineReply {
  move: string;
}

/** A position, and the bot that plays its next turn. */
export interface LineReplyBody {
  record: string;
  at: number;
  moves?: string[];
  decisions?: string[];
  level: BotName;
}

export type LogEntry = TurnEntry | UndoneEntry | SaidEntry | NewsEntry;

/** All luck of one seat. */
export interface LuckSum {
  total: number;
  deal: number;
  cards: number;
  hidden: number;
}

/** The address for "your turn" e-mails of correspondence games; None: none are sent. */
export interface MailBody {
  email?: string | null;
  wanted?: boolean;
}

/** Who I am. */
export interface Me {
  name: string;
  alias: Alias | null;
  account: string | null;
  email: string | null;
  mail_wanted: boolean;
  avatar: Avatar;
  listed: boolean;
  token: string;
}

/** Something that decided the game. */
export interface Moment {
  turn: number;
  kind: "deal" | "card" | "error";
  seat: number;
  change: number[];
}

/** Mute or unmute somebody for me. */
export interface Mute {
  id: string;
  kind: "mute";
  who: string;
  on?: boolean;
}

/** A display name. */
export interface NameBody {
  name: string;
}

/** Somebody's name. */
export interface Named {
  name: string;
  alias: Alias | null;
}

/** A new password. */
export interface NewPasswordBody {
  old: string;
  new: string;
}

/** Any other event. */
export interface NewsEntry {
  seq: number;
  at: number;
  kind: "news";
  what: "created" | "joined" | "left" | "bot-seated" | "started" | "flagged" | "stand-in" | "took-over" | "resigned" | "undo-asked" | "undo-answered" | "finished" | "closed" | "rematch-offered" | "rematched";
  seat: number | null;
  name: string;
  alias: Alias | null;
  detail: string;
}

/** No clock. */
export interface NoClock {
  kind: "none";
}

/** Offer a rematch; it starts, with seats by lot, when all people have offered. */
export interface OfferRematch {
  id: string;
  kind: "offer-rematch";
}

/** Somebody I have played with. */
export interface Opponent {
  name: string;
  alias: Alias | null;
  games: number;
  ahead: number;
  behind: number;
  last: number;
  table: string;
  seat: number;
  friend: boolean;
}

/** A deck other than the classic one, card by card. */
export interface OwnDeck {
  name: string;
  cards: Record<string, string>;
}

export type Pace = NoClock | Realtime | Correspondence;

/** Login and password of an account, to open it or to sign in. */
export interface PasswordBody {
  name: string;
  password: string;
}

export type Phase = "open" | "playing" | "finished" | "abandoned";

/** Check the connection. */
export interface Ping {
  kind: "ping";
  nonce?: number;
}

/** Play a whole turn, or the rest of the current one. */
export interface Play {
  id: string;
  kind: "play";
  seat: number;
  move: string;
  at_turn: number;
}

/** The result of one game, for a curve. */
export interface PointsAt {
  finished: number;
  players: number;
  points: number;
  place: number;
}

/** Reply to `Ping`. */
export interface PongMessage {
  kind: "pong";
  nonce: number;
  now: number;
}

/** The portraits of one noble on somebody's pile. */
export interface Portraits {
  noble: string;
  heads: number;
  sets: number;
  single: number;
  points: number;
}

/** The progress of compiling the bots, which happens at the server's first start only. */
export interface Preparing {
  progress: number;
  seconds: number;
}

/** Who is connected to a table. */
export interface PresenceMessage {
  kind: "presence";
  table: string;
  seats: number[];
  watchers: number;
}

/** Why a request was refused. */
export interface Problem {
  code: string;
  reason: Reason;
  values: Record<string, string | number>;
  text: string;
}

/** What others see of me; None: as before. */
export interface ProfileBody {
  avatar?: Avatar | null;
  listed?: boolean | null;
}

/** The effects of all legal turns, by card or step. */
export interface Prospects {
  gains: Record<string, Gain>;
  takes: Record<string, [number, number][]>;
  answers: Record<string, Answer[]>;
  leads: Record<string, [number, number][]>;
}

/** The first turn that somebody tried at a puzzle; empty: they looked at the solution. */
export interface PuzzleAttempt {
  puzzle: string;
  turn: string | null;
  at: number;
}

/** Attempts in order; those made offline arrive later. */
export interface PuzzleAttempts {
  attempts: PuzzleAttempt[];
}

/** Puzzles of about the same rating. */
export interface PuzzleChunk {
  puzzles: PuzzlePosition[];
}

/** A puzzle in the list. */
export interface PuzzleLine {
  id: string;
  rating: number;
  themes: ("ties" | "special-action" | "free-draw" | "portraits" | "messengers" | "denying" | "last-round" | "endings")[];
  players: number;
  messengers: boolean;
  exact: boolean;
  chunk: number;
}

/** All puzzles, by id: days since 1970 modulo their number give the puzzle of the day. */
export interface PuzzleList {
  version: string;
  puzzles: PuzzleLine[];
}

/** A puzzle with everything needed to try it, solution included. */
export interface PuzzlePosition {
  id: string;
  view: View;
  scores: ViewScore[];
  standings: Record<string, Standing>;
  prospects: Prospects | null;
  barred: Partial<Record<Bar, string[]>>;
  accepted: string[];
  solution: string;
  trap: string | null;
  line: string[];
  why: TurnReason[];
  lead: number;
}

/** My progress. */
export interface PuzzleProgress {
  rating: number;
  deviation: number;
  tries: number;
  streak: number;
  best: number;
  day: number;
  days: number;
  done: Record<string, number>;
}

/** A rating for one player count. */
export interface RatingLine {
  place: number | null;
  name: string;
  alias: Alias | null;
  avatar: Avatar;
  players: number;
  rating: number;
  uncertainty: number;
  games: number;
  you: boolean;
}

/** Ratings. */
export interface RatingList {
  ratings: RatingLine[];
}

/** A time budget for the game, plus an increment per turn. */
export interface Realtime {
  kind: "realtime";
  base: number;
  increment?: number;
}

/** Why a request was refused. */
export type Reason =
  | "no-table"
  | "no-seat"
  | "table-closed"
  | "game-started"
  | "host-only"
  | "not-seated"
  | "seated-already"
  | "one-seat-each"
  | "no-free-seat"
  | "seat-taken"
  | "seat-of-bot"
  | "no-bot"
  | "colour-taken"
  | "colour-not-played"
  | "colour-often"
  | "own-seat"
  | "person-needed"
  | "seats-free"
  | "deal-waits"
  | "deal-given"
  | "not-playing"
  | "not-over"
  | "not-your-seat"
  | "not-your-turn"
  | "time-is-up"
  | "stand-in"
  | "turn-passed"
  | "step-passed"
  | "game-went-on"
  | "person-plays"
  | "table-busy"
  | "illegal-turn"
  | "not-possible"
  | "turn-ended"
  | "unreadable-turn"
  | "turn-and-decisions"
  | "undo-asked"
  | "undo-gone"
  | "card-shown"
  | "others-play"
  | "others-played"
  | "not-own-turn"
  | "nothing-to-undo"
  | "no-hints"
  | "no-advice"
  | "bots-busy"
  | "not-at-table"
  | "not-watched"
  | "not-played-here"
  | "nothing-said"
  | "said-enough"
  | "players-mute"
  | "nobody-to-mute"
  | "muted-enough"
  | "table-full"
  | "done-enough"
  | "tables-open"
  | "network-tables"
  | "many-tables"
  | "unreadable-record"
  | "no-analysis"
  | "analysis-running"
  | "analyses-today"
  | "no-lines"
  | "no-such-turn"
  | "many-games"
  | "no-friend"
  | "no-friend-link"
  | "own-friend"
  | "not-friends"
  | "many-friends"
  | "name-empty"
  | "name-long"
  | "name-hidden"
  | "name-accents"
  | "login-form"
  | "email-form"
  | "wrong-password"
  | "wrong-old-password"
  | "confirm-password"
  | "weak-password"
  | "common-password"
  | "passwords-busy"
  | "guessed-often"
  | "login-taken"
  | "has-account"
  | "no-account"
  | "signed-out"
  | "no-mail"
  | "mail-sent"
  | "rule-hand"
  | "rule-one-floor"
  | "rule-two-floors"
  | "rule-must-fill-site"
  | "rule-no-special"
  | "rule-built-here"
  | "rule-scored"
  | "rule-no-floor"
  | "rule-empty-site"
  | "rule-free-draw"
  | "rule-open-draw"
  | "rule-no-draw"
  | "rule-forced-draw"
  | "rule-no-card"
  | "rule-no-messengers"
  | "rule-no-star"
  | "rule-none-left"
  | "rule-neighbours"
  | "rule-messenger-pair"
  | "rule-pistoia"
  | "rule-messenger-city-built"
  | "rule-messenger-two"
  | "rule-impossible"
  | "rule-over"
  | "rule-decided"
  | "form-turn"
  | "form-card"
  | "form-city"
  | "form-order"
  | "record-beginning"
  | "record-empty"
  | "record-blank"
  | "record-form"
  | "record-twice"
  | "record-missing"
  | "record-value"
  | "record-braces"
  | "record-result"
  | "record-unfinished"
  | "record-deal-no-card"
  | "record-deal-twice"
  | "record-deal-missing"
  | "record-deal-no-star"
  | "deck-no-card"
  | "deck-no-face"
  | "deck-name"
  | "deck-classic"
  | "deck-missing"
  | "deck-crests"
  | "deck-stars"
  | "deck-floors"
  | "deck-pistoia"
  | "too-often"
  | "server-full"
  | "network-full"
  | "pages-open"
  | "nothing-here"
  | "no-method"
  | "not-valid"
  | "unreadable-message"
  | "no-print"
  | "foreign-host"
  | "foreign-page"
  | "old-token"
  | "stranger"
  | "too-slow"
  | "too-large"
  | "broken"
  | "no-database"
  | "not-stored";

export type ReasonKind =
  | "scores"
  | "gives"
  | "lead"
  | "lead-from"
  | "ahead"
  | "nears"
  | "unseats"
  | "drops"
  | "taller"
  | "taller-other"
  | "set"
  | "portraits"
  | "draws-set"
  | "draws-portraits"
  | "draws-finish"
  | "draws-crests"
  | "draws-action"
  | "draws-free"
  | "keeps-away"
  | "keeps-set"
  | "messenger"
  | "messenger-other"
  | "leaves"
  | "exposes"
  | "denies"
  | "leaves-display"
  | "leaves-set"
  | "wins"
  | "shares"
  | "loses";

/** A command or message was refused. */
export interface RefusedMessage {
  kind: "refused";
  table: string | null;
  command: string | null;
  code: Code;
  reason: Reason;
  values: Record<string, string | number>;
  text: string;
}

/** A whole game: a frame before the first turn, and one after every turn. */
export interface Replay {
  players: number;
  rules: Rule[];
  colours: string[];
  names: string[];
  tags: Record<string, string>;
  turns: ViewRecord[];
  standings: Record<string, Standing>[];
  frames: View[];
  hands: string[][][];
  scores: ViewScore[][];
  comments: string[][];
  outcome: ViewOutcome | null;
  final_count: FinalCount | null;
}

/** One game as a record. */
export interface ReplayBody {
  record: string;
}

/** Resign: a stand-in plays on. */
export interface Resign {
  id: string;
  kind: "resign";
  seat: number;
}

/** How the game ended. */
export interface ResultInfo {
  outcome: ViewOutcome;
  final_count: FinalCount;
  rated: boolean;
  forfeits: number[];
}

export type Role = "player" | "watcher" | "outsider";

export type Room = "players" | "watchers";

/** The board as it was a round ago; the turns since then are in the log. */
export interface RoundAgo {
  turn: number;
  cities: ViewCity[];
  messengers: ViewPair[];
  pile_left: number;
}

export type Rule = "messengers" | "messenger-at-built-city" | "open-ledger" | "open-tokens";

/** A chat line. */
export interface SaidEntry {
  seq: number;
  at: number;
  kind: "said";
  room: Room;
  seat: number | null;
  name: string;
  alias: Alias | null;
  who: string;
  text: string;
}

/** Chat with the players or, as a watcher, with the watchers. */
export interface Say {
  id: string;
  kind: "say";
  text: string;
}

/** The parts of one seat's result: fair + luck + own + others = result. */
export interface SeatAccount {
  result: number;
  fair: number;
  luck: LuckSum;
  own: number;
  others: number[];
  adjusted: number;
  interval: [number, number];
  verdicts: Partial<Record<Verdict, number>>;
}

/** Host: put a bot on a free seat, or another one in its place. */
export interface SeatBot {
  id: string;
  kind: "seat-bot";
  seat: number;
  level: BotName;
}

/** Who sits on a seat. */
export interface SeatInfo {
  seat: number;
  state: "free" | "person" | "bot";
  colour: Colour;
  name: string;
  alias: Alias | null;
  avatar: Avatar;
  who: string | null;
  you: boolean;
  hot_seat: boolean;
  level: Level | GuestBotName | null;
  stand_in: Why | null;
  contributed: boolean;
  seconds_left: number | null;
}

/** The game as one seat sees it; seat None for watchers. */
export interface SeatView {
  seat: number | null;
  view: View;
  standings: Record<string, Standing>;
  prospects: Prospects | null;
  barred: Partial<Record<Bar, string[]>>;
  back: BackInfo | null;
  advice: boolean;
}

export type ServerMessage =
  | TableMessage
  | RefusedMessage
  | PresenceMessage
  | YourTurnMessage
  | PongMessage
  | ByeMessage;

/** A browser in which I am signed in. */
export interface SessionLine {
  id: string;
  device: string;
  here: boolean;
  began: number;
  seen: number;
}

/** My sessions, the last used first. */
export interface SessionList {
  sessions: SessionLine[];
}

/** Who would take the tokens of a city now; who does, once it is complete. */
export interface Standing {
  taller: "L" | "R" | null;
  tallies: [ViewTally, ViewTally];
  winners: [ViewSeatNumber, ViewSeatNumber] | null;
  late: boolean;
}

/** Start a full table without my contribution. With all contributions it starts by itself. */
export interface Start {
  id: string;
  kind: "start";
}

/** The person whose link to become friends I opened. */
export interface Stranger {
  name: string;
  alias: Alias | null;
  avatar: Avatar;
  you: boolean;
  friends: boolean;
}

/** A table in a list. */
export interface TableLine {
  table: string;
  phase: Phase;
  players: number;
  rules: Rule[];
  pace: NoClock | Required<Realtime> | Correspondence;
  rated: boolean;
  seats: TableSeatLine[];
  free: number;
  turn: number;
  your_turn: boolean;
  yours: boolean;
  created: number;
  updated: number;
}

/** Tables; in the list of my tables those with "your turn" come first. */
export interface TableList {
  tables: TableLine[];
}

/** A table as one person may see it. */
export interface TableMessage {
  kind: "table";
  table: string;
  seq: number;
  now: number;
  answers: string | null;
  phase: Phase;
  setup: Required<TableSetup>;
  rated: boolean;
  host: Named;
  you: You;
  seats: SeatInfo[];
  free_colours: Colour[];
  turn: number;
  step: number;
  late: boolean;
  views: SeatView[];
  clock: ClockInfo;
  bot_seconds: number | null;
  undo: UndoInfo | null;
  deal: DealProof;
  result: ResultInfo | null;
  rematch: string | null;
  evening: (EveningScore | null)[];
  rematch_wanted: number[];
  log_since: number;
  log: LogEntry[];
  round_ago: RoundAgo | null;
}

/** A seat in a list of tables. */
export interface TableSeatLine {
  seat: number;
  name: string;
  alias: Alias | null;
  level: Level | GuestBotName | null;
  you: boolean;
}

/** A table's settings; they never change. */
export interface TableSetup {
  players?: number;
  rules?: Rule[];
  deck?: OwnDeck | null;
  colours?: Colour[];
  seats?: ("person" | Level | GuestBotName)[];
  public?: boolean;
  watch?: WatchBy;
  memory_help?: boolean;
  pace?: Pace;
  rated?: boolean;
  stand_in?: Level;
}

/** Against bots only: go back to one of my turns, whatever was revealed. */
export interface TakeBack {
  id: string;
  kind: "take-back";
  seat: number;
  to_turn: number;
  at_turn: number;
}

/** Take over from the stand-in. */
export interface TakeOver {
  id: string;
  kind: "take-over";
  seat: number;
}

/** My games of one kind. */
export interface Tally {
  players: number;
  level: Level | null;
  games: number;
  wins: number;
  points: number;
  best: number;
}

/** A possible turn, and its expected result. */
export interface TurnChoice {
  move: string;
  shares: number[];
  points: number[];
  cost: number;
  exact: boolean;
  line: string[];
}

/** A finished turn. */
export interface TurnEntry {
  seq: number;
  at: number;
  kind: "turn";
  by: By;
  record: ViewRecord;
  standings: Record<string, Standing>;
}

/** A fact about the turn played or a better one; which values it has depends on its kind. */
export interface TurnReason {
  kind: ReasonKind;
  of: "played" | "better";
  city?: string;
  seat?: number;
  points?: number;
  tower?: "taller" | "lower" | "left" | "right";
  floors?: number;
  noble?: "L" | "B" | "K";
  heads?: number;
  card?: string;
  pair?: string;
  towers?: number;
}

/** A pending request to take turns back. */
export interface UndoInfo {
  seat: number;
  to_turn: number;
  agreed: number[];
  waiting: number[];
}

/** Turns were taken back: drop those after ``to_turn``. */
export interface UndoneEntry {
  seq: number;
  at: number;
  kind: "undone";
  to_turn: number;
}

/** Host: free a seat. */
export interface Unseat {
  id: string;
  kind: "unseat";
  seat: number;
}

/** Unsubscribe from a table. */
export interface Unwatch {
  kind: "unwatch";
  table: string;
}

export type Verdict = "best" | "fine" | "inaccuracy" | "mistake" | "blunder";

/** What one seat, or a spectator, may know of a game of Patrizier. Version 1. Seats count from 0. */
export interface View {
  /** Version of this form. */
  version: 1;
  /** Version of the rules: it changes only when their behaviour does. */
  rules_version: 1;
  /** Number of players. */
  players: number;
  /** Options the game is played with; empty for the base game. */
  rules: Rule[];
  /** The players' colours, by seat. */
  colours: ViewColour[];
  /** The order cards the game is played with. */
  deck: ViewDeck;
  /** Seat whose view this is; null for a spectator. */
  viewer: ViewSeatOrNone;
  /** Seat that began. */
  start: ViewSeatNumber;
  /** Completed turns. Send it along with a move, so that a late one is noticed. */
  turn: number;
  /** Turns of the whole game. */
  turns: 48 | 55;
  /** Seat to decide; null when the game is over. */
  seat: ViewSeatOrNone;
  /** What that seat decides next. A turn starts with build. */
  phase: "build" | "move" | "draw" | "messenger" | "over";
  /** What the turn under way has brought so far; null between turns. */
  pending: ViewRecord | null;
  /** The cities in the order of their codes; Pistoia with five players only. */
  cities: ViewCity[];
  /** Pairs of neighbouring cities with a messenger between them. */
  messengers: ViewPair[];
  /** Points that messengers will add to each token of a city, by its code; only where they will. */
  bonuses: ViewBonuses;
  /** The players, as somebody knows them who forgets nothing. */
  seats: ViewSeat[];
  /** The players, as the table shows them to the viewer now. */
  table: ViewTableSeat[];
  /** The viewer's own points so far; null for a spectator. */
  sums: ViewSums | null;
  /** Cards in the draw pile. */
  pile_left: number;
  /** Cards the viewer has never seen: in the draw pile, or in other hands since the deal. */
  unseen: ViewCards;
  /** All legal turns, if it is the viewer's turn; in mid-turn those that go on from there. */
  legal: ViewTurn[];
  /** Finished turns from the first one on, as far as they were told. */
  history: ViewRecord[];
  /** The result; null while the game goes on. */
  outcome: ViewOutcome | null;
}

export type ViewBonuses = Record<string, 2 | 4>;

export type ViewCard = string;

export type ViewCardOrNone = string | null;

export type ViewCards = ViewCard[];

export type ViewChipPoints = number;

export interface ViewCity {
  /** The city's code. */
  code: ViewCityCode;
  /** Floors that stand here when the city is complete. */
  capacity: 5 | 7 | 9;
  /** Points for the taller and for the lower tower. */
  tokens: [(9 | 7 | 6 | 5 | 4 | 2), (9 | 7 | 6 | 5 | 4 | 2)];
  /** Seats that own the floors on the left site (L), bottom to top. */
  left: ViewTower;
  /** Seats that own the floors on the right site (R), bottom to top. */
  right: ViewTower;
  /** Seats that would win the left and the right tower now; null where a site is empty. */
  leaders: [ViewSeatOrNone, ViewSeatOrNone];
  /** Whose floors the left and the right tower are made of: seats with their floors, who leads first; of equals, who owns the higher floor. */
  tallies: [ViewTally, ViewTally];
  /** Site of the taller tower; null while both are equal. */
  taller: "L" | "R" | null;
  /** Face-up card next to the city; null if none lies there. */
  card: ViewCardOrNone;
  /** Messengers at this city. */
  messengers: 0 | 1 | 2;
  /** Seats that took the taller and the lower tower's token; null until the city is scored. */
  winners: [ViewSeatNumber, ViewSeatNumber] | null;
}

export type ViewCityCode = "BO" | "FE" | "FI" | "LU" | "MI" | "PA" | "PI" | "RO" | "SI" | "VE";

export type ViewColour = "black" | "white" | "red" | "yellow" | "blue";

export interface ViewDeck {
  /** The deck's name: classic, or that of a loaded deck. */
  name: string;
  /** What each card shows beside its city's crest. A deck may have cards of Pistoia that are not in play. */
  cards: Record<string, string>;
}

export interface ViewHeads {
  /** The Lady's portraits. */
  L: number;
  /** The Banker's portraits. */
  B: number;
  /** The Knight's portraits. */
  K: number;
}

export interface ViewOutcome {
  /** Points, by seat. */
  scores: ViewScore[];
  /** Winning seats, ascending; more than one if the victory is shared. */
  winners: ViewSeatNumber[];
  /** Whether floors on the board decided between equal points. */
  tie_break: boolean;
}

export type ViewPair =
  | "BO-FE"
  | "BO-FI"
  | "BO-SI"
  | "FE-LU"
  | "FE-VE"
  | "FI-PI"
  | "LU-MI"
  | "LU-SI"
  | "MI-PA"
  | "PA-VE"
  | "PI-RO"
  | "RO-SI";

export interface ViewPortraits {
  /** Lady, Banker or Knight. */
  noble: "L" | "B" | "K";
  /** How many portraits there are. */
  heads: number;
  /** Points of their sets of three. */
  points: number;
  /** Portraits to the next set. */
  missing: 1 | 2 | 3;
}

export interface ViewRecord {
  /** Number of the turn, counted from 1. */
  turn: number;
  /** Seat that played. */
  seat: ViewSeatNumber;
  /** The turn as the game record writes it. */
  move: ViewTurn;
  /** Card taken from the display; null if none was. */
  drawn: ViewCardOrNone;
  /** Card turned up in its place; null if none was. */
  refill: ViewCardOrNone;
  /** The city that this turn completed; null if it completed none. */
  scored: ViewScored | null;
}

export interface ViewScore {
  /** Points of prestige tokens. */
  tokens: number;
  /** Six points for every three portraits of the same noble. */
  sets: number;
  /** Points of messenger chips. */
  chips: ViewChipPoints;
  /** The chip of minus three, or 0. */
  minus: 0 | -3;
  /** All points together. */
  total: number;
  /** Floors on the board: fewer wins a tie. */
  floors: number;
}

export interface ViewScored {
  /** The city's code. */
  city: ViewCityCode;
  /** Seat that took the token of the taller tower. */
  taller: ViewSeatNumber;
  /** Seat that took the token of the lower tower. */
  lower: ViewSeatNumber;
  /** Points of the two tokens. */
  tokens: [(9 | 7 | 6 | 5 | 4 | 2), (9 | 7 | 6 | 5 | 4 | 2)];
  /** Points of messenger chips that came with each of the two tokens. */
  chips: 0 | 2 | 4;
}

export interface ViewSeat {
  /** The seat. */
  seat: ViewSeatNumber;
  /** The player's colour. */
  colour: ViewColour;
  /** Floors left in the supply. */
  supply: number;
  /** Messengers still to lay. */
  messengers_left: 0 | 1 | 2;
  /** Cards that the viewer knows to be in this hand: the whole own hand; of others, what they drew. */
  hand: ViewCards;
  /** Cards of the own hand that nobody else has seen; empty for other seats. */
  secret: ViewCards;
  /** Cards in this hand that the viewer does not know: starting cards, which all have a star. */
  unknown: 0 | 1 | 2 | 3;
  /** All cards played, in the order of their ids. */
  pile: ViewCards;
  /** The card played last; null before the first turn. */
  top: ViewCardOrNone;
  /** Portraits on the pile. */
  heads: ViewHeads;
  /** Values of the tokens won, highest first. */
  tokens: ViewTokenValues;
  /** Points of messenger chips won. */
  chips: ViewChipPoints;
}

export type ViewSeatNumber = 0 | 1 | 2 | 3 | 4;

export type ViewSeatOrNone = 0 | 1 | 2 | 3 | 4 | null;

export type ViewShare = [number, number];

export interface ViewSums {
  /** Points of prestige tokens. */
  tokens: number;
  /** Points of messenger chips. */
  chips: ViewChipPoints;
  /** Six points for every three portraits of the same noble. */
  sets: number;
  /** -3 with the minus chip, which is given at the end; otherwise 0. */
  minus: 0 | -3;
  /** All points so far. */
  total: number;
  /** The portraits on the own pile: Lady, Banker, Knight. */
  portraits: [ViewPortraits, ViewPortraits, ViewPortraits];
}

export interface ViewTableSeat {
  /** The seat. */
  seat: ViewSeatNumber;
  /** How many tokens lie in front of the player. */
  tokens_won: number;
  /** Their values, highest first; null if the viewer may not look. */
  tokens: ViewTokenValues | null;
  /** Points of messenger chips won; null if the viewer may not look. */
  chips: ViewChipPoints | null;
  /** How many cards the player has played. */
  pile_size: number;
  /** Those cards, in the order of their ids; null if the viewer may not look. */
  pile: ViewCards | null;
  /** The card that lies on top; null before the first turn. */
  top: ViewCardOrNone;
}

export type ViewTally = ViewShare[];

export type ViewTokenValues = (9 | 7 | 6 | 5 | 4 | 2)[];

export type ViewTower = ViewSeatNumber[];

export type ViewTurn = string;

/** Subscribe to a table, starting after a sequence number. */
export interface Watch {
  kind: "watch";
  table: string;
  since?: number;
  key?: string;
}

export type WatchBy = "nobody" | "everyone" | "link";

/** Running games that anybody may watch, the last touched first. */
export interface WatchList {
  tables: TableLine[];
  before: number | null;
}

export type Why = "time" | "absent" | "resigned" | "erased";

export type WhyNot =
  | ""
  | "other-card"
  | "other-city"
  | "wrong-site"
  | "same-city"
  | "no-move"
  | "wrong-floor"
  | "no-set"
  | "no-messenger"
  | "wrong-cities";

/** The person this message is for. */
export interface You {
  role: Role;
  seats: number[];
  host: boolean;
  to_move: number | null;
  muted: string[];
  watch_key: string | null;
}

/** It is your turn at another table. */
export interface YourTurnMessage {
  kind: "your-turn";
  table: string;
  seat: number;
}

/** The colours available, by number of players. */
export const COLOURS_FOR: Readonly<Record<number, readonly Colour[]>> = {"2": ["black", "white"], "3": ["black", "white", "red"], "4": ["black", "white", "red", "yellow", "blue"], "5": ["black", "white", "red", "yellow", "blue"]};

/** The levels of bots, the weakest first. */
export const LEVELS: readonly Level[] = ["apprentice", "merchant", "banker", "senator", "doge"];

/** Portraits of one noble in a set. */
export const SET_SIZE = 3;

/** Every city: its floors when complete, its order cards, its tokens. */
export const BOARD: Readonly<Record<ViewCityCode, { floors: number; cards: number; tokens: readonly [number, number] }>> = {"BO": {"floors": 9, "cards": 7, "tokens": [9, 6]}, "FE": {"floors": 5, "cards": 4, "tokens": [5, 2]}, "FI": {"floors": 9, "cards": 7, "tokens": [9, 6]}, "LU": {"floors": 7, "cards": 5, "tokens": [7, 4]}, "MI": {"floors": 7, "cards": 5, "tokens": [7, 4]}, "PA": {"floors": 5, "cards": 4, "tokens": [5, 2]}, "PI": {"floors": 9, "cards": 7, "tokens": [9, 6]}, "RO": {"floors": 9, "cards": 7, "tokens": [9, 6]}, "SI": {"floors": 7, "cards": 5, "tokens": [7, 4]}, "VE": {"floors": 5, "cards": 4, "tokens": [5, 2]}};

/** The codes of all cities, in alphabetical order. */
export const CITY_CODES: readonly ViewCityCode[] = ["BO", "FE", "FI", "LU", "MI", "PA", "PI", "RO", "SI", "VE"];

/** The roads: pairs of neighbouring cities. */
export const ROADS: readonly ViewPair[] = ["BO-FE", "BO-FI", "BO-SI", "FE-LU", "FE-VE", "FI-PI", "LU-MI", "LU-SI", "MI-PA", "PA-VE", "PI-RO", "RO-SI"];
