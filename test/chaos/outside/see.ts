import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '@temporalio/client';
import { sql } from 'slonik';
import { z } from 'zod';
import pMap from 'p-map';
import type { Json } from '../../support/browser.ts';
import { eventually } from '../../support/eventually.ts';
import type { Lived } from '../actors/run.ts';
import { BOOKING_SYSTEM, CASE_SYSTEM } from '../../../src/providers/fhir/mark.ts';
import type { Outside, SeenAppointment, SeenCase, SeenSlot } from '../outside.ts';
import type { ChaosStack } from '../stack.ts';
import { seeWorkflows } from './workflows.ts';
import type { StackDescription } from '../../../dev/stack/stack.ts';
import type { PartnerId } from '../../../src/domain/ids.ts';
import { caseColumns, caseRow, textColumn } from '../../../src/postgres/case-row.ts';
import { numberEvents } from '../../../src/postgres/events.ts';
import { openTestDatabase } from '../../support/database.ts';

/** Asks everybody outside the service what they have, each in their own words. */
export async function seeOutside(
  stack: ChaosStack,
  client: Client,
  { accounts, answers }: Lived,
  { restless, lost = null }: Pick<Outside, 'restless'> & Partial<Pick<Outside, 'lost'>>,
): Promise<Outside> {
  const { described, directory } = stack;
  // one after the other: the stand-ins are in this process, and what they are asked for takes its time
  const books = await eventually(() => seeBooks(described).catch(() => null), {
    what: 'PostgreSQL answers',
    withinMs: 60_000,
  });
  const temporal = await seeWorkflows(client);
  const clinics = await seeClinics(described.providers);
  const messages = await seeMessages(`${directory}/mail`, described.phone);
  const shown = await seeShown(stack, accounts);
  const logs = (await readdir(`${directory}/logs`)).filter((file) => /^(api|worker)\b/.test(file));
  const texts = await Promise.all(logs.map((file) => readFile(`${directory}/logs/${file}`, 'utf8')));
  const writings = [...temporal.writings, ...texts.map((text, i) => ({ where: `logs/${logs[i]}`, text }))];
  return {
    accounts,
    answers,
    restless,
    lost,
    ...clinics,
    ...messages,
    ...books,
    ...temporal,
    shown,
    writings,
  };
}

/** What each partner reads in the end. */
async function seeShown({ described, keys }: ChaosStack, accounts: Lived['accounts']): Promise<SeenCase[]> {
  const created = accounts.filter(({ created: ids }) => ids.length > 0);
  return pMap(
    created,
    async ({ created: [caseId = ''], planned }) => {
      const own = keys[planned.partner] ?? [];
      const headers = { 'x-api-key': own[planned.number % own.length] ?? '' };
      const answer = await fetch(`${described.api}/cases/${caseId}`, { headers });
      const body = (await answer.json()) as Json;
      return {
        caseId,
        status: body.status ?? `${answer.status}`,
        bookingId: body.booking?.bookingId ?? null,
      };
    },
    { concurrency: 4 },
  );
}

const row = caseRow
  .pick({ id: true, partner_case_id: true, status: true, state: true })
  .extend({ bookingDeadline: z.string(), bookingId: z.string().nullable() })
  .transform(({ partner_case_id: partnerCaseId, ...rest }) => ({ ...rest, partnerCaseId }));
const event = z.object({
  partnerId: z.string(),
  number: z.number(),
  caseId: z.string(),
  type: z.string(),
  at: z.string().transform((text) => Date.parse(text)),
  actor: z.string(),
  status: z.string(),
  data: z.record(z.string(), z.unknown()),
});
const claim = z.object({ bookingId: z.string(), caseId: z.string(), isForGood: z.boolean() });
const feed = z.object({ partnerId: z.string(), lastEvent: z.number() });
const messageBody = z.object({ dedupId: z.string(), body: z.string() });

/** What PostgreSQL holds, read over a connection of our own. */
export async function seeBooks({
  databaseUrl,
  masterKeys,
}: Pick<StackDescription, 'databaseUrl' | 'masterKeys'>): Promise<
  Pick<Outside, 'rows' | 'events' | 'feeds' | 'claims' | 'bodies'>
> {
  const database = await openTestDatabase(databaseUrl, { maxPoolSize: 1, keys: masterKeys });
  try {
    for (const id of await database.anyFirst(
      sql.type(z.object({ id: textColumn<PartnerId>() }))`SELECT id FROM partners`,
    ))
      await numberEvents(database, id);
    return {
      rows: await database.any(sql.type(row)`
        SELECT ${caseColumns}, booking_deadline AS "bookingDeadline", booking_id AS "bookingId" FROM cases`),
      events: await database.any(sql.type(event)`
        SELECT partner_id AS "partnerId", number, case_id AS "caseId", type, at, actor, status, data
        FROM events ORDER BY partner_id, number`),
      feeds: await database.any(sql.type(feed)`
        SELECT id AS "partnerId", last_event AS "lastEvent" FROM partners`),
      claims: await database.any(sql.type(claim)`
        SELECT booking_id AS "bookingId", case_id AS "caseId", expires_at IS NULL AS "isForGood" FROM slot_claims`),
      bodies: await database.any(sql.type(messageBody)`
        SELECT dedup_id AS "dedupId", body FROM test_messages`),
    };
  } finally {
    await database.end();
  }
}

const OVER = ['cancelled', 'entered-in-error', 'noshow', 'fulfilled'];

/** Every appointment and slot, as the clinics' own staff have them over FHIR. */
async function seeClinics(
  clinics: readonly { readonly id: string; readonly staffUrl: string }[],
): Promise<Pick<Outside, 'appointments' | 'slots'>> {
  const seen = await Promise.all(clinics.map(seeClinic));
  return {
    appointments: seen.flatMap(({ appointments }) => appointments),
    slots: seen.flatMap(({ slots }) => slots),
  };
}

async function seeClinic({ id: clinic, staffUrl }: { id: string; staffUrl: string }) {
  const [appointments, slots, practitioners] = await Promise.all(
    ['Appointment', 'Slot', 'Practitioner'].map((type) => allOf(staffUrl, type)),
  );
  const nameOf = (reference: string) => {
    const [name] = (practitioners ?? []).find(({ id }) => reference === `Practitioner/${id}`)?.name ?? [];
    return name ? [...(name.given ?? []), name.family].join(' ') : reference;
  };
  return {
    appointments: (appointments ?? []).map((one): SeenAppointment => {
      const actors: string[] = one.participant.map(({ actor }: Json) => actor?.reference ?? '');
      return {
        clinic,
        id: one.id,
        caseId: identifierOf(one, CASE_SYSTEM),
        bookingId: identifierOf(one, BOOKING_SYSTEM),
        slots: (one.slot ?? []).map(({ reference }: Json) => String(reference).replace('Slot/', '')),
        practitioner: nameOf(actors.find((actor) => actor.startsWith('Practitioner/')) ?? ''),
        start: Date.parse(one.start),
        end: Date.parse(one.end),
        isLive: !OVER.includes(one.status),
      };
    }),
    slots: (slots ?? []).map((one): SeenSlot => ({
      clinic,
      id: one.id,
      isFree: one.status === 'free',
      heldFor: one.status === 'busy-tentative' ? Date.now() - Date.parse(one.meta.lastUpdated) : null,
      mark: identifierOf(one, BOOKING_SYSTEM),
    })),
  };
}

const identifierOf = (resource: Json, system: string): string | null =>
  (resource.identifier ?? []).find((one: Json) => one.system === system)?.value ?? null;

async function allOf(baseUrl: string, type: string): Promise<Json[]> {
  const found: Json[] = [];
  let next: string | undefined = `${baseUrl}/${type}?_count=500`;
  while (next !== undefined) {
    const answer = await fetch(next);
    if (!answer.ok) throw new Error(`${next} answered ${answer.status}`);
    const bundle = (await answer.json()) as Json;
    found.push(...(bundle.entry ?? []).map(({ resource }: Json) => resource));
    next = bundle.link?.find(({ relation }: Json) => relation === 'next')?.url;
  }
  return found;
}

/** The customers' mail box, as it lies on disk, and their telephones. */
async function seeMessages(
  mailDirectory: string,
  phoneUrl: string,
): Promise<Pick<Outside, 'mails' | 'texts'>> {
  const files = (await readdir(mailDirectory)).filter((name) => name.endsWith('.eml'));
  const mails = await Promise.all(
    files.map(async (name) => headersOf(await readFile(join(mailDirectory, name), 'utf8'))),
  );
  const texts = (await (await fetch(`${phoneUrl}/messages`)).json()) as Json[];
  return { mails, texts: texts.map(({ to, body }) => ({ to, body })) };
}

function headersOf(mail: string) {
  const [head = ''] = mail.split(/\r?\n\r?\n/, 1);
  // a long header goes on in the next line
  const lines = head.replaceAll(/\r?\n[ \t]+/g, ' ').split(/\r?\n/);
  const valueOf = (name: string) =>
    lines
      .find((line) => line.toLowerCase().startsWith(`${name}:`))
      ?.slice(name.length + 1)
      .trim() ?? '';
  return { to: valueOf('to').replaceAll(/^.*<|>$/g, ''), messageId: valueOf('message-id') };
}
