import createFetchClient, { type Client } from 'openapi-fetch';
import type { components, paths } from './schema.ts';

export type { components, operations, paths } from './schema.ts';
export type Case = components['schemas']['Case'];
export type Event = components['schemas']['Event'];
type ErrorBody = components['schemas']['Error'];

export interface ClientOptions {
  /** Up to and with `/api/v1`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** How often a request is sent again before its failure is told; 4 when left out. */
  readonly retries?: number;
  /** The longest that is waited before a request is sent again (milliseconds); who is told to wait longer is told so. */
  readonly longestWait?: number;
  /** In place of the global one, such as one that goes through a proxy. */
  readonly fetch?: (request: Request) => Promise<Response>;
  /** In place of a timer, for tests. */
  readonly wait?: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
}

/** What the API refused, or could not do. `code` says what; `details.help` is where it is explained. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;
  readonly details: ErrorBody['details'];

  constructor({ error, statusCode, details }: ErrorBody) {
    super(error);
    this.status = statusCode;
    this.code = details.code;
    this.details = details;
  }
}

export interface FollowOptions {
  /** Where to go on: the `cursor` of the page before, as it was kept. Left out: the beginning. */
  readonly cursor?: string | undefined;
  /** How often to ask when there is nothing new (milliseconds); a minute when left out. */
  readonly interval?: number;
  /** Ends after what there is by now, and does not wait for more. */
  readonly untilNow?: boolean;
  readonly signal?: AbortSignal;
  /** Further parameters of `GET /events`. */
  readonly query?: Omit<NonNullable<paths['/events']['get']['parameters']['query']>, 'cursor'>;
}

/** A part of the feed. Keep `cursor` together with what you made of `events`: then nothing is lost, and nothing done twice. */
export interface FeedPage {
  readonly events: readonly Event[];
  readonly cursor: string;
}

export interface BookingClient extends Client<paths> {
  /** The feed of all your cases' events, the oldest first, page by page; goes on until `signal` ends it. */
  follow(options?: FollowOptions): AsyncGenerator<FeedPage, void>;
}

/**
 * Calls the API, typed by its description: `client.GET('/cases/{caseId}', { params: { path: { caseId } } })`.
 *
 * What is lost on the way, limited (429) or away for a while (500 with `Retry-After`) is sent again, after as long as the
 * API says. That is safe: every POST carries an `Idempotency-Key`, its own or the caller's, and all else is the same twice.
 */
export function createClient(options: ClientOptions): BookingClient {
  const { baseUrl, apiKey, wait = delay } = options;
  const client = createFetchClient<paths>({
    baseUrl,
    headers: { 'X-API-Key': apiKey },
    fetch: retrying(options),
  });

  async function* follow(following: FollowOptions = {}): AsyncGenerator<FeedPage, void> {
    const { interval = 60_000, untilNow = false, signal, query } = following;
    let { cursor } = following;
    while (signal?.aborted !== true) {
      const page = await dataOf(
        client.GET('/events', {
          params: { query: { limit: 100, ...query, ...(cursor === undefined ? {} : { cursor }) } },
          ...(signal ? { signal } : {}),
        }),
      );
      cursor = page.nextCursor;
      if (page.data.length > 0) yield { events: page.data, cursor };
      if (!page.hasMore && untilNow) return;
      if (!page.hasMore) await wait(interval, signal);
    }
  }

  return Object.assign(client, { follow });
}

/** What was answered. @throws ApiError where it was refused */
export async function dataOf<T>(
  call: Promise<{ data?: T; error?: unknown; response: Response }>,
): Promise<T> {
  const { data, error } = await call;
  if (error !== undefined) throw new ApiError(error as ErrorBody);
  return data as T;
}

function retrying({
  retries = 4,
  longestWait = 60_000,
  fetch: send = fetch,
  wait = delay,
}: ClientOptions): (request: Request) => Promise<Response> {
  return async (request) => {
    if (request.method === 'POST' && !request.headers.has('Idempotency-Key'))
      request.headers.set('Idempotency-Key', crypto.randomUUID());
    for (let left = retries; ; left -= 1) {
      // a body can be read once
      const answer = await send(request.clone()).catch((error: unknown) => {
        if (left === 0 || request.signal.aborted) throw error;
        return null;
      });
      const pause = pauseAfter(answer, retries - left);
      if (answer && (left === 0 || pause === null || pause > longestWait)) return answer;
      await answer?.body?.cancel();
      await wait(pause ?? 0, request.signal);
    }
  };
}

/** @returns milliseconds; null for an answer that is one */
function pauseAfter(answer: Response | null, tried: number): number | null {
  const after = answer?.headers.get('Retry-After') ?? null;
  if (answer && (after === null || (answer.status !== 429 && answer.status !== 500))) return null;
  // not all at the same moment
  return after === null ? 250 * 2 ** tried * (0.5 + Math.random()) : Number(after) * 1_000;
}

/** Ends early, and without a fault, when `signal` says so: whoever waits looks at it next. */
const delay = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal?.addEventListener('abort', end);
    if (signal?.aborted === true) end();
  });
