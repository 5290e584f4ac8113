import { randomUUID } from 'node:crypto';
import { sql } from 'slonik';
import { z } from 'zod';
import { deadlineOn } from '../src/calendar/dates.ts';
import { openCase } from '../src/domain/decide.ts';
import type { CaseId, PartnerId } from '../src/domain/ids.ts';
import { type CalendarDate, instant } from '../src/domain/instant.ts';
import { createCase } from '../src/postgres/create-case.ts';
import { feedEvents, numberEvents } from '../src/postgres/events.ts';
import { savePartner } from '../src/postgres/providers.ts';
import { openTestDatabase } from '../test/support/database.ts';
import { newCase, today } from '../test/support/new-case.ts';
import { atMost, atOnce, line } from './load/ground.ts';
import { percentile, steadily, timeOf, type Measured } from './measure.ts';
import { onPostgres } from './on-postgres.ts';

const WRITERS = 100;
/** PostgreSQL has a hundred for everybody. */
const CONNECTIONS = 90;
const CASES = 2_000;
const [A_SECOND, SECONDS] = [100, 20];
const PAGE = 1_000;

/**
 * One partner's creates, each on the disk when it is done: as many as a hundred writers at once do, and a hundred a second
 * while the partner follows its feed.
 */
export const feed = (): Promise<Measured> =>
  onPostgres(async (url) => {
    const partnerId = 'bench' as PartnerId;
    const [writers, reader] = [
      await openTestDatabase(url, { maxPoolSize: CONNECTIONS }),
      await openTestDatabase(url, { maxPoolSize: 1 }),
    ];
    await savePartner(reader, { id: partnerId, name: 'Bench' });
    const create = async () => {
      const deadline = deadlineOn(today(20) as CalendarDate);
      const opening = { deadline, archiveAfterDays: 30, hasAddress: { email: true, sms: true } };
      const createdAt = instant(Date.now());
      const outcome = await createCase(writers, {
        ...(newCase() as unknown as Omit<Parameters<typeof createCase>[1], 'id'>),
        ...{ id: randomUUID() as CaseId, partnerId, patientPhone: null, createdAt, traceparent: null },
        ...{ author: { actor: 'partner' }, state: openCase(opening, createdAt).state },
      });
      if (!('created' in outcome)) throw new Error(`it was not created: ${JSON.stringify(outcome)}`);
    };
    await atOnce(WRITERS, WRITERS, create);
    const took = await timeOf(() => atOnce(CASES, WRITERS, create));

    let isDone = false;
    let after = await numberEvents(reader, partnerId);
    let gaps = 0;
    const ages: number[] = [];
    const pages: number[] = [];
    const follow = async () => {
      for (let isLast = false; !isLast;) {
        isLast = isDone;
        let events: Awaited<ReturnType<typeof feedEvents>> = [];
        const page = await timeOf(async () => {
          await numberEvents(reader, partnerId);
          events = await feedEvents(reader, { partnerId, after, limit: PAGE });
        });
        pages.push(page);
        for (const { number, at } of events) {
          if (number !== after + 1) gaps += 1;
          after = Number(number);
          ages.push(Date.now() - Date.parse(at));
        }
      }
    };
    const following = follow();
    await steadily(SECONDS, A_SECOND, create).finally(() => (isDone = true));
    await following;
    const count = await reader.oneFirst(
      sql.type(z.object({ n: z.number() }))`SELECT count(*) AS n FROM events`,
    );
    await Promise.all([writers.end(), reader.end()]);
    return {
      rows: [
        line(`creates of one partner a second, by ${WRITERS} writers`, (CASES * 1_000) / took, 100),
        atMost(
          `with ${A_SECOND} a second: an event is read after, 99 % (s)`,
          percentile(ages, 99) / 1_000,
          2,
        ),
        line('a page of the feed, numbers and all, 99 % (ms)', percentile(pages, 99)),
        atMost('gaps', gaps, 0),
        atMost('events that were not read', count - after, 0),
      ],
      notes: [],
    };
  }, 'durable');
