import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Database } from '../src/postgres/database.ts';
import { logIn } from '../test/stories/log-in.ts';
import { inDays } from '../test/stories/world.ts';
import { openBrowser } from '../test/support/browser.ts';
import { freshAddress } from '../test/support/caller.ts';
import { eventually } from '../test/support/eventually.ts';
import { timeOf } from './measure.ts';

export interface CreatedCase {
  readonly id: string;
  readonly bookingUrl: string;
}

/** @param changes what is otherwise than in the usual case, which has both channels */
export async function createCase(
  api: string,
  key: string,
  changes: Readonly<Record<string, unknown>> = {},
): Promise<CreatedCase> {
  const response = await fetch(`${api}/cases`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({
      partnerCaseId: crypto.randomUUID(),
      patientFirstName: 'Kari',
      patientLastName: 'Nordmann',
      patientEmail: 'kari.nordmann@example.com',
      patientPhone: '+4790000000',
      injuryDate: '2026-10-01',
      injuryDescription: 'Fall on ice',
      treatmentType: 'psychology',
      bookingDeadline: inDays(20),
      ...changes,
    }),
  });
  if (response.status !== 201)
    throw new Error(`create answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as CreatedCase;
}

/**
 * A customer logs in, looks at the times, and confirms one of them; another one where somebody was quicker.
 * @returns how long the confirm that was granted took, in milliseconds
 */
export async function confirmAsCustomer(api: string, { id, bookingUrl }: CreatedCase): Promise<number> {
  const browser = openBrowser(undefined, freshAddress);
  await logIn(browser, bookingUrl, { givenName: 'Kari', familyName: 'Nordmann' });
  const booking = `${api}/booking/${id}`;
  const { slots } = (await browser.json('GET', `${booking}/availability`)).body;
  for (;;) {
    const [slot] = slots.splice(Math.floor(Math.random() * slots.length), 1);
    let answer = { status: 0, body: null as unknown };
    const took = await timeOf(async () => {
      // who is told that nothing happened and to try again does so
      await eventually(async () => {
        answer = await browser.json('POST', `${booking}/confirm`, { slotId: slot.slotId });
        return !JSON.stringify(answer.body).includes('TEMPORARILY_UNAVAILABLE');
      });
    });
    if (answer.status === 200) return took;
    if (!JSON.stringify(answer.body).includes('SLOT_TAKEN'))
      throw new Error(`confirm answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  }
}

/** Until every case is started, transferred where it is booked, and has sent all its messages. */
export async function untilAtRest(on: Database): Promise<void> {
  const underWay = () =>
    on.oneFirst(sql.type(z.object({ n: z.number() }))`
      SELECT (SELECT count(*) FROM cases
              WHERE workflow_started_at IS NULL
                 OR NOT EXISTS (SELECT FROM notifications WHERE case_id = cases.id))
           + (SELECT count(*) FROM notifications WHERE status NOT IN ('sent', 'delivered'))
           + (SELECT count(*) FROM cases
              WHERE status = 'booked'
                AND NOT EXISTS (SELECT FROM notifications WHERE case_id = cases.id AND kind = 'receipt')) AS n`);
  while ((await underWay()) > 0) await delay(100);
}
