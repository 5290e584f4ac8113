import { readFile } from 'node:fs/promises';
import type { Client } from '@temporalio/client';
import type { Json } from '../../support/browser.ts';
import { eventually } from '../../support/eventually.ts';
import type { Lived } from '../actors/run.ts';
import type { Ground } from '../ground.ts';
import { inTurns } from '../in-turns.ts';
import type { Outside, SeenCase } from '../outside.ts';
import { seeBooks } from './books.ts';
import { seeClinics } from './clinics.ts';
import { seeMessages } from './messages.ts';
import { seeWorkflows } from './workflows.ts';

/** Asks everybody outside the service what they have, each in their own words. */
export async function seeOutside(
  ground: Ground,
  client: Client,
  { accounts, answers }: Lived,
  restless: Outside['restless'],
): Promise<Outside> {
  const { described, directory } = ground;
  // one after the other: the stand-ins are in this process, and what they are asked for takes its time
  const books = await eventually(() => seeBooks(described.databaseUrl).catch(() => null), {
    what: 'PostgreSQL answers',
    withinMs: 60_000,
  });
  const temporal = await seeWorkflows(client);
  const clinics = await seeClinics(described.providers);
  const messages = await seeMessages(`${directory}/mail`, described.phone);
  const shown = await seeShown(ground, accounts);
  const logs = await Promise.all(
    ['api', 'worker'].map(async (name) => readFile(`${directory}/logs/${name}.log`, 'utf8')),
  );
  const writings = [
    ...temporal.writings,
    ...logs.map((text, i) => ({ where: `the log of the ${i === 0 ? 'API' : 'worker'}`, text })),
  ];
  return { accounts, answers, restless, ...clinics, ...messages, ...books, ...temporal, shown, writings };
}

/** What each partner reads in the end. */
async function seeShown({ described, keys }: Ground, accounts: Lived['accounts']): Promise<SeenCase[]> {
  const created = accounts.filter(({ created: ids }) => ids.length > 0);
  return inTurns(created, 4, async ({ created: [caseId = ''], planned }) => {
    const own = keys[planned.partner] ?? [];
    const headers = { 'x-api-key': own[planned.number % own.length] ?? '' };
    const answer = await fetch(`${described.api}/cases/${caseId}`, { headers });
    const body = (await answer.json()) as Json;
    return { caseId, status: body.status ?? `${answer.status}`, bookingId: body.booking?.bookingId ?? null };
  });
}
