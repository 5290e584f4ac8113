import { setTimeout as delay } from 'node:timers/promises';
import type { Json } from '../../support/browser.ts';
import type { Answered, Attempt, Outcome } from './account.ts';

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Json;
}

export interface Call {
  readonly method?: 'GET' | 'POST';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Longer than any answer takes (milliseconds). */
const TIMEOUT = 25_000;
const AGAIN_AFTER = 400;

/** The reply; `lost` where it may have arrived, `unsent` where it certainly did not. */
export type Sent = Reply | 'lost' | 'unsent';

/** Calls, and notes every answer. */
export const createCaller =
  (note: (answered: Answered) => void) =>
  async ({ method = 'POST', url, headers = {}, body }: Call): Promise<Sent> => {
    try {
      const response = await fetch(url, {
        method,
        headers: { ...headers, ...(method === 'POST' ? { 'content-type': 'application/json' } : {}) },
        ...(method === 'POST' ? { body: JSON.stringify(body ?? {}) } : {}),
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT),
      });
      const text = await response.text();
      const parsed: Json = parsedOrNull(text);
      const { status } = response;
      // ids are no concern of what holds for all answers
      const call = `${method} ${new URL(url).pathname.replace(/[0-9a-f-]{36}/g, '{id}')}`;
      note({ call, status, code: parsed?.details?.code ?? null, body: status >= 400 ? text : '' });
      return { status, headers: response.headers, body: parsed };
    } catch (error) {
      return isUnsent(error) ? 'unsent' : 'lost';
    }
  };
export type Caller = ReturnType<typeof createCaller>;

/** Nobody listened. */
const isUnsent = (error: unknown): boolean =>
  error instanceof Error &&
  error.cause instanceof Error &&
  'code' in error.cause &&
  error.cause.code === 'ECONNREFUSED';

function parsedOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The errors that say that nothing happened. */
const NOTHING = ['TEMPORARILY_UNAVAILABLE', 'PROVIDER_UNAVAILABLE', 'RATE_LIMIT_EXCEEDED'];

/** What a caller knows after an answer, by the contract. */
function outcomeOf(sent: Sent): Outcome {
  if (sent === 'lost') return 'unknown';
  if (sent === 'unsent') return 'nothing';
  if (sent.status < 400) return 'granted';
  if (NOTHING.includes(codeOf(sent) ?? '')) return 'nothing';
  return sent.status < 500 ? 'refused' : 'unknown';
}

const codeOf = (sent: Sent): string | null =>
  typeof sent === 'string' ? null : ((sent.body?.details?.code as string | undefined) ?? null);

export interface Tried extends Attempt {
  readonly sent: Sent;
}

/** What is kept of it. */
export const attemptOf = ({ sent: _, ...attempt }: Tried): Attempt => attempt;

/** Does it, and tells what came of it. */
export async function attempt(
  about: Pick<Attempt, 'deed' | 'hour'>,
  send: () => Promise<Sent>,
): Promise<Tried> {
  const sentAt = Date.now();
  const sent = await send();
  const status = typeof sent === 'string' ? null : ((sent.body?.status as string | undefined) ?? null);
  return {
    ...about,
    sentAt,
    answeredAt: Date.now(),
    outcome: outcomeOf(sent),
    code: codeOf(sent),
    status,
    sent,
  };
}

/** Tries again as people do, until there is a verdict or the time is up. @returns the last try */
export async function insist<T>(
  tryOnce: () => Promise<T>,
  isDone: (tried: T) => boolean,
  until: number,
): Promise<T> {
  for (;;) {
    const tried = await tryOnce();
    if (isDone(tried) || Date.now() >= until) return tried;
    await delay(AGAIN_AFTER);
  }
}
