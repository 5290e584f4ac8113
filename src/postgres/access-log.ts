import { sql } from 'slonik';
import { z } from 'zod';
import type { BookingId, CaseId } from '../domain/ids.ts';
import { type Instant, instant } from '../domain/instant.ts';
import type { SlotRef } from '../domain/slot.ts';
import { instantColumn, nothing } from './case-row.ts';
import { allOf, type Queries } from './database.ts';
import { keyOf, sealed } from './sealing.ts';

/** Who looks at something, or tries to. `nobody`: who did not say who they are. */
export interface Accessor {
  readonly who:
    'partner_key' | 'partner_user' | 'customer' | 'operator' | 'clinic' | 'twilio' | 'service' | 'nobody';
  /** Of the key or user; the customer's person id; the operator's subject; the clinic's id. */
  readonly whoId?: string | null;
  /** Of an operator, as the login says. */
  readonly whoName?: string;
  readonly partnerId?: string | null;
}

export interface AccessEntry extends Accessor {
  /** The operation, the page, or the message. */
  readonly action: string;
  /** `done`, or the code of the refusal. */
  readonly outcome: string;
  /** All that are in the answer. */
  readonly caseIds: readonly string[];
  /** Kept as its network alone (IPv4 /24, IPv6 /48); null where nobody calls. */
  readonly address?: string | null;
  /** Of what a clinic is sent, the booking's: by that the clinic's own records know it. */
  readonly requestId?: string | null;
  /**
   * `soon`: on the disk within a second, and not before the answer as all others (docs/decisions/0120), for nothing was
   * changed, or what was changed says itself who did it.
   */
  readonly commit?: 'soon' | undefined;
}

const networkOf = (address: ReturnType<typeof sql.fragment>) =>
  sql.fragment`network(set_masklen(${address}, CASE family(${address}) WHEN 4 THEN 24 ELSE 48 END))`;

const lineRow = z.object({
  number: z.number(),
  at: instantColumn,
  process: z.string(),
  who: z.string(),
  whoId: z.string().nullable(),
  whoName: z.string().nullable(),
  partnerId: z.string().nullable(),
  action: z.string(),
  outcome: z.string(),
  caseIds: z.array(z.string()).readonly(),
  network: z.string().nullable(),
  requestId: z.string().nullable(),
  hash: z.string(),
});
/** An entry as it is kept, and as it is told to a store elsewhere. */
export type AccessLine = z.infer<typeof lineRow>;

const columns = sql.fragment`number, at, process, who, who_id AS "whoId", who_name AS "whoName",
  partner_id AS "partnerId", action, outcome, case_ids AS "caseIds", network::text, request_id AS "requestId",
  encode(hash, 'hex') AS hash`;

/** As its columns are called; what the database says itself is in {@link keptRow}. */
const rowOf = (process: string, entry: AccessEntry) => ({
  ...{ process, who: entry.who, who_id: entry.whoId, who_name: entry.whoName, partner_id: entry.partnerId },
  ...{ action: entry.action, outcome: entry.outcome, case_ids: entry.caseIds },
  ...{ network: entry.address, request_id: entry.requestId },
});

const keptRow = z.object({
  kept: z.array(
    z.object({
      number: z.number(),
      at: z.string().transform(instant),
      network: z.string().nullable(),
      hash: z.string(),
    }),
  ),
});

/** Resolves when the entry is kept: who waits for it answers afterwards. @throws when it can not be */
export type NoteAccess = (entry: AccessEntry) => Promise<void>;

/**
 * Writes the access log. Entries of the same moment are one statement: while one is under way those that come wait for
 * the next, so that who adds to the chain is one connection a process, however many calls there are.
 *
 * @param told gets each line that is kept, right behind the answers that waited for it
 */
export function createAccessLog(
  queries: Queries,
  process: 'api' | 'worker' | 'operator_api',
  told: (line: AccessLine) => void,
): NoteAccess {
  let next: { readonly entries: AccessEntry[]; readonly kept: Promise<void> } | null = null;
  let last: Promise<unknown> = Promise.resolve();

  const keep = async (entries: readonly AccessEntry[]) => {
    const soon = entries.every(({ commit }) => commit === 'soon');
    const rows = JSON.stringify(entries.map((entry) => rowOf(process, entry)));
    const kept = await queries.oneFirst(sql.type(keptRow)`SELECT note_access(${rows}, ${soon}) AS kept`);
    const lines = kept.map((its, i): AccessLine => {
      const entry = entries[i] as AccessEntry;
      const { whoId = null, whoName = null, partnerId = null, requestId = null } = entry;
      const { who, action, outcome, caseIds } = entry;
      return { ...its, process, who, whoId, whoName, partnerId, action, outcome, caseIds, requestId };
    });
    setImmediate(() => lines.forEach(told));
  };

  return (entry) => {
    if (next === null) {
      const entries: AccessEntry[] = [];
      const kept = last.then(() => {
        next = null;
        return keep(entries);
      });
      last = kept.catch(() => undefined);
      next = { entries, kept };
    }
    next.entries.push(entry);
    return next.kept;
  };
}

/**
 * Writes down that a clinic is sent what it needs for a booking, before it is: once a booking, however often it is tried.
 */
export const createTransferLog =
  (queries: Queries, note: NoteAccess) =>
  async ({
    caseId,
    bookingId,
    slot,
  }: {
    caseId: CaseId;
    bookingId: BookingId;
    slot: SlotRef;
  }): Promise<void> => {
    const { providerId } = slot;
    const isKept = await queries.exists(sql.type(nothing)`
      SELECT FROM access_log
      WHERE who_id = ${providerId} AND who = 'clinic' AND request_id = ${bookingId} AND case_ids @> ARRAY[${caseId}::uuid]`);
    if (isKept) return;
    const to = { who: 'clinic', whoId: providerId, requestId: bookingId } as const;
    await note({ ...to, action: 'transfer', outcome: 'done', caseIds: [caseId] });
  };

export interface AccessFilter {
  readonly caseId?: CaseId | undefined;
  readonly whoId?: string | undefined;
  /** Its whole network: no more is kept of it. */
  readonly address?: string | undefined;
  readonly from?: Instant | undefined;
  readonly to?: Instant | undefined;
}

const matching = ({ caseId, whoId, address, from, to }: AccessFilter) =>
  allOf(
    caseId && sql.fragment`case_ids @> ARRAY[${caseId}::uuid]`,
    whoId !== undefined && sql.fragment`who_id = ${whoId}`,
    address !== undefined && sql.fragment`network = ${networkOf(sql.fragment`${address}::inet`)}`,
    from && sql.fragment`at >= ${from}`,
    to && sql.fragment`at < ${to}`,
  );

/** The newest first. */
export const readAccessLog = (queries: Queries, filter: AccessFilter & { readonly limit: number }) =>
  queries.any(sql.type(lineRow)`
    SELECT ${columns} FROM access_log WHERE ${matching(filter)} ORDER BY at DESC, number DESC LIMIT ${filter.limit}`);

const touchedRow = z
  .object({
    caseId: z.string(),
    partnerId: z.string().nullable(),
    partner_case_id: z.string().nullable().default(null),
    who: z.string(),
    whoId: z.string().nullable(),
    times: z.number(),
    refused: z.number(),
    first: instantColumn,
    last: instantColumn,
  })
  .transform(({ partner_case_id: partnerCaseId, ...row }) => ({ ...row, partnerCaseId }));

/** Which cases were in what matches, by whom: the latest first. A case that never was, or is erased, has no partner. */
export const readTouchedCases = (queries: Queries, filter: AccessFilter & { readonly limit: number }) =>
  queries.any(sql.type(touchedRow)`
    SELECT touched.*, cases.partner_id AS "partnerId",
      ${sealed(sql.fragment`cases.sealed`, 'cases.sealed')}, ${keyOf(sql.fragment`cases.id`)} FROM (
      SELECT case_id AS "caseId", who, who_id AS "whoId", count(*) AS times,
        count(*) FILTER (WHERE outcome <> 'done') AS refused, min(at) AS first, max(at) AS last
      FROM access_log, unnest(case_ids) AS case_id WHERE ${matching(filter)}
      GROUP BY 1, 2, 3) AS touched LEFT JOIN cases ON cases.id = "caseId"
    ORDER BY last DESC LIMIT ${filter.limit}`);

/** What customers are told of, in the order in which they are. */
const READER_KINDS = [
  'partner_opened',
  'partner_listed',
  'operator_revealed',
  'operator_worked',
  'messages',
  'clinic',
  'turned_away',
  'link_opened',
  'yours',
] as const;
const readerRow = z.object({ kind: z.enum(READER_KINDS), times: z.number(), last: instantColumn });
/** Who has seen a case, as its customer is told: how often, and when last. */
export type CaseReader = z.infer<typeof readerRow>;

/** Of a case; what shows nothing of it (events, reports on messages, the handing over itself) is left out. */
export const readCaseReaders = (queries: Queries, caseId: CaseId): Promise<readonly CaseReader[]> =>
  queries.any(sql.type(readerRow)`
    SELECT kind, count(DISTINCT look) AS times, max(at) AS last FROM (
      SELECT at,
        -- a page of Temporal's has hundreds decrypted, one by one
        CASE WHEN action LIKE 'codec.decode.%' THEN who_id || date_trunc('hour', at) ELSE number::text END AS look,
        CASE
        WHEN outcome = 'IDENTITY_MISMATCH' THEN 'turned_away'
        WHEN outcome = 'EID_LOGIN_REQUIRED' THEN 'link_opened'
        WHEN outcome <> 'done' OR action IN ('createCase', 'listEvents') THEN NULL
        WHEN action = 'listCases' THEN 'partner_listed'
        WHEN who IN ('partner_key', 'partner_user') THEN 'partner_opened'
        WHEN action IN ('case.reveal', 'person.export') THEN 'operator_revealed'
        WHEN who = 'operator' THEN 'operator_worked'
        WHEN who = 'service' THEN 'messages'
        WHEN who = 'clinic' THEN 'clinic'
        WHEN who = 'customer' THEN 'yours'
      END AS kind FROM access_log WHERE case_ids @> ARRAY[${caseId}::uuid]) AS seen
    WHERE kind IS NOT NULL GROUP BY kind
    ORDER BY array_position(${sql.array([...READER_KINDS], 'text')}, kind)`);

/** The logs that are chained. */
export const CHAINED_LOGS = ['access_log', 'operator_log', 'operator_log_outcomes'] as const;
export type ChainedLog = (typeof CHAINED_LOGS)[number];

const checkedRow = z.object({
  number: z.number(),
  hash: z.string(),
  at: instantColumn,
  isWhole: z.boolean(),
});

/** What checking a log found: which rows are there, and the first that is not as it was written, or lacks. */
export interface ChainCheck {
  readonly log: ChainedLog;
  readonly rows: number;
  readonly from: number | null;
  readonly since: Instant | null;
  readonly broken: { readonly number: number; readonly at: Instant | null } | null;
}

const PAGE = 10_000;

/**
 * Goes through a log from its first row: each has the number and the hash of the one before, its own hash, and the last is
 * the one that was written last. Before the first are those that were dropped with age.
 */
export async function checkChain(queries: Queries, log: ChainedLog): Promise<ChainCheck> {
  // first, so that what is written meanwhile is no fault
  const head = await queries.one(sql.type(z.object({ number: z.number(), hash: z.string() }))`
    SELECT number, encode(hash, 'hex') AS hash FROM log_heads WHERE log = ${log}`);
  const table = sql.identifier([log]);
  let rows = 0;
  let first: z.infer<typeof checkedRow> | null = null;
  let before: { number: number; hash: string } | null = null;
  const found = (broken: ChainCheck['broken']): ChainCheck => ({
    ...{ log, rows, from: first?.number ?? null, since: first?.at ?? null, broken },
  });
  for (;;) {
    const after: number = before?.number ?? 0;
    const page: readonly z.infer<typeof checkedRow>[] = await queries.any(sql.type(checkedRow)`
      SELECT number, encode(hash, 'hex') AS hash, at,
        hash = log_hash(number, previous, ${table}) AND previous = coalesce(lag(hash) OVER (ORDER BY number, at),
          decode(${before?.hash ?? null}::text, 'hex'), previous) AS "isWhole"
      FROM ${table} WHERE number > ${after} AND number <= ${head.number} ORDER BY number, at LIMIT ${PAGE}`);
    for (const row of page) {
      first ??= row;
      const expected: number = before ? before.number + 1 : row.number;
      if (row.number !== expected) return found({ number: Math.min(row.number, expected), at: null });
      if (!row.isWhole) return found({ number: row.number, at: row.at });
      before = row;
      rows += 1;
    }
    if (page.length < PAGE) break;
  }
  if (head.number > 0 && (before?.number !== head.number || before.hash !== head.hash))
    return found({ number: head.number, at: null });
  return found(null);
}

/** Drops the access log's months that are older than so many, and has those to come ready. @param months 6 to 120 */
export async function keepAccessLog(queries: Queries, months: number): Promise<void> {
  await queries.query(sql.type(nothing)`SELECT keep_access_log(${months})::text AS kept`);
}
