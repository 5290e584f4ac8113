import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';
import type { CaseBody } from '../support/caller.ts';

const PAGE = fileURLToPath(new URL('../../docs/partners/events.md', import.meta.url));
/** What partners are told to do: the code of docs/partners/events.md. */
const [, MIRROR = ''] = /^```js\n([^]*?)^```$/m.exec(readFileSync(PAGE, 'utf8')) ?? [];

export interface Mirror {
  readonly cursor: string | null;
  readonly cases: Map<string, unknown>;
}

/** Runs the mirror of the documentation, with what a partner's process keeps. It ends by what one of these throws. */
export const runMirror = (
  api: string,
  key: string,
  kept: {
    readonly load: () => Promise<Mirror>;
    readonly save: (mirror: Mirror) => void;
    readonly wait: () => Promise<void>;
  },
): Promise<void> =>
  runInNewContext(`(async () => {${MIRROR}})()`, {
    ...{ API: api, KEY: key, fetch, URLSearchParams, Map },
    ...kept,
  }) as Promise<void>;

/** All cases of a partner, as its list has what a mirror keeps of them. */
export async function listedCases(api: string, key: string): Promise<Map<string, unknown>> {
  const cases = new Map<string, unknown>();
  for (let query = '?limit=100'; ;) {
    const response = await fetch(`${api}/cases${query}`, { headers: { 'X-API-Key': key } });
    const { data, nextCursor } = (await response.json()) as { data: CaseBody[]; nextCursor: string | null };
    for (const { id, partnerCaseId, status, bookingDeadline, booking } of data) {
      const { bookingId, providerId, start, end } = booking ?? {};
      const appointment = booking && { bookingId, providerId, start, end };
      cases.set(id, { partnerCaseId, status, bookingDeadline, booking: appointment });
    }
    if (nextCursor === null) return cases;
    query = `?limit=100&cursor=${nextCursor}`;
  }
}

const EVERY = 300;

/** A partner that follows the feed from now on, whatever becomes of the API. */
export function followFeed(api: string, key: string) {
  let kept: Mirror = { cursor: null, cases: new Map() };
  let pages = 0;
  let isStopped = false;
  class Stopped extends Error {}
  const stopOr = () => {
    if (isStopped) throw new Stopped();
  };
  const follow = async () => {
    while (!isStopped)
      await runMirror(api, key, {
        load: () => Promise.resolve({ cursor: kept.cursor, cases: new Map(kept.cases) }),
        save({ cursor, cases }) {
          pages += 1;
          kept = { cursor, cases: new Map(cases) };
        },
        async wait() {
          stopOr();
          await delay(EVERY);
          stopOr();
        },
        // its process ends with what it can't reach, and is started again
      }).catch(() => delay(EVERY));
  };
  const following = follow();
  return {
    pages: () => pages,
    cases: () => kept.cases.size,
    /** What it has otherwise than the list, once it has had the time to read all. */
    async differing(): Promise<string[]> {
      const listed = await listedCases(api, key);
      for (let tries = 0; ; tries += 1) {
        const ids = [...new Set([...listed.keys(), ...kept.cases.keys()])];
        const found = ids.filter(
          (id) => JSON.stringify(kept.cases.get(id)) !== JSON.stringify(listed.get(id)),
        );
        if (found.length === 0 || tries === 20)
          return found.map(
            (id) => `${id}: ${JSON.stringify(kept.cases.get(id))}, and not ${JSON.stringify(listed.get(id))}`,
          );
        await delay(EVERY);
      }
    },
    async stop() {
      isStopped = true;
      await following;
    },
  };
}
