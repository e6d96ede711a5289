/** Requests to the server. A cookie identifies us; its token is sent with every change. */

import type {
  BotName,
  Command,
  Config,
  CreateTable,
  Figures,
  FriendLink,
  FriendList,
  GameList,
  InvitationList,
  InviteBody,
  Invited,
  Leaderboard,
  Me,
  Preparing,
  Problem,
  ProfileBody,
  RatingList,
  SessionList,
  Stranger,
  TableList,
  TableMessage,
  TableSetup,
  WatchList,
} from '../protocol';

/** A refusal by the server, with its reason; or no answer at all (status 0). */
export class ApiProblem extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    text: string,
    readonly reason: Problem['reason'] | null = null,
    readonly values: Problem['values'] = {},
  ) {
    super(text);
  }
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

let token: string | null = null;
let asking: Promise<Me> | null = null;

/** Who I am; a newcomer becomes a guest. */
export function getMe(): Promise<Me> {
  asking ??= request<Me>('GET', '/api/me')
    .then(remember)
    .finally(() => (asking = null));
  return asking;
}

function remember(me: Me): Me {
  token = me.token;
  return me;
}

export async function request<T>(method: Method, path: string, body?: unknown): Promise<T> {
  if (method !== 'GET' && token === null) await getMe();
  try {
    return await read<T>(await send(method, path, body));
  } catch (error) {
    if (!(error instanceof ApiProblem) || error.code !== 'token') throw error;
    await getMe(); // the token was outdated: retry with a new one
    return read<T>(await send(method, path, body));
  }
}

async function send(method: Method, path: string, body: unknown): Promise<Response> {
  const headers: Record<string, string> = {};
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  if (token !== null) headers['X-Patrizier-Token'] = token;
  try {
    return await fetch(path, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    throw new ApiProblem(0, 'offline', '');
  }
}

async function read<T>(answer: Response): Promise<T> {
  if (answer.ok) return (answer.status === 204 ? undefined : await answer.json()) as T;
  const problem = (await answer.json().catch(() => null)) as Partial<Problem> | null;
  throw new ApiProblem(
    answer.status,
    problem?.code ?? 'error',
    problem?.text ?? answer.statusText,
    problem?.reason,
    problem?.values,
  );
}

/** A new command id, an idempotency key. */
export function newId(): string {
  return crypto.randomUUID?.() ?? randomHex(16);
}

/** Random bytes as hexadecimal digits. */
export function randomHex(bytes: number): string {
  const values = crypto.getRandomValues(new Uint8Array(bytes));
  return Array.from(values, (value) => value.toString(16).padStart(2, '0')).join('');
}

export const openTables = () => request<TableList>('GET', '/api/tables');
export const myTables = () => request<TableList>('GET', '/api/my/tables');
export const watchedTables = (before?: number | null) =>
  request<WatchList>('GET', '/api/tables/watched' + (before ? `?before=${before}` : ''));
export const leaderboard = (players: number, page: number) =>
  request<Leaderboard>('GET', `/api/ratings/${players}?page=${page}`);
export const myFigures = () => request<Figures>('GET', '/api/my/figures');
export const myRatings = () => request<RatingList>('GET', '/api/my/ratings');
export const myGames = (before?: number | null) =>
  request<GameList>('GET', '/api/my/games' + (before ? `?before=${before}` : ''));

export function createTable(setup: TableSetup, seat: number | null = null): Promise<TableMessage> {
  const body: CreateTable = { id: newId(), setup, seat };
  return request<TableMessage>('POST', '/api/tables', body);
}

export const rename = (name: string) => request<Me>('PUT', '/api/me/name', { name }).then(remember);
export const setMail = (email: string | null, wanted: boolean) =>
  request<Me>('PUT', '/api/me/mail', { email, wanted }).then(remember);
export const openAccount = (name: string, password: string) =>
  request<Me>('POST', '/api/account', { name, password }).then(remember);
export const changePassword = (old: string, next: string) =>
  request<Me>('PUT', '/api/account/password', { old, new: next }).then(remember);
export const signIn = (name: string, password: string) =>
  request<Me>('POST', '/api/session', { name, password }).then(remember);
export const signOut = () => request<Me>('DELETE', '/api/session').then(remember);
export const mySessions = () => request<SessionList>('GET', '/api/sessions');
export const endSession = (id: string) => request<SessionList>('DELETE', `/api/sessions/${id}`);
export const endOtherSessions = () => request<SessionList>('DELETE', '/api/sessions/others');
export const erase = (password: string | null) =>
  request<Me>('POST', '/api/me/erase', { password }).then(remember);

export const setProfile = (change: ProfileBody) =>
  request<Me>('PUT', '/api/me/profile', change).then(remember);

export const myFriends = () => request<FriendList>('GET', '/api/friends');
export const askFriend = (table: string, seat: number) =>
  request<FriendList>('POST', '/api/friends', { table, seat });
export const agreeFriend = (id: string) => request<FriendList>('PUT', `/api/friends/${id}`);
export const removeFriend = (id: string) => request<FriendList>('DELETE', `/api/friends/${id}`);
export const friendLink = () => request<FriendLink>('POST', '/api/my/friend-link');
export const newFriendLink = () => request<FriendLink>('DELETE', '/api/my/friend-link');
export const lookAtFriendLink = (code: string) =>
  request<Stranger>('GET', `/api/friend-links/${code}`);
export const befriend = (code: string) => request<Stranger>('POST', `/api/friend-links/${code}`);
export const myInvitations = () => request<InvitationList>('GET', '/api/my/invitations');
export const decline = (table: string) =>
  request<InvitationList>('DELETE', `/api/my/invitations/${table}`);
export const invitedTo = (table: string) =>
  request<Invited>('GET', `/api/tables/${table}/invitations`);
export const invite = (table: string, body: InviteBody) =>
  request<Invited>('POST', `/api/tables/${table}/invitations`, body);
export const lookAt = (table: string, key = '') =>
  request<TableMessage>('GET', `/api/tables/${table}${key ? `?key=${key}` : ''}`);

/** A command by plain request, where no socket is needed. */
export const command = (table: string, body: Command) =>
  request<TableMessage>('POST', `/api/tables/${table}/commands`, body);
/** How far what these bots need for such a game is. */
export const getPreparing = (levels: BotName[], players: number, messengers: boolean) =>
  request<Preparing>(
    'GET',
    `/api/preparing?${new URLSearchParams([
      ...levels.map((level) => ['level', level]),
      ['players', `${players}`],
      ['messengers', `${messengers}`],
    ])}`,
  );
export const getConfig = () => request<Config>('GET', '/api/config');
