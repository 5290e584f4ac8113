import { type FragmentSqlToken, type QuerySqlToken, sql } from 'slonik';
import { z } from 'zod';
import type { AttentionKind } from '../domain/attention.ts';
import { type CaseStatus, CHANNELS, dueInvitationOf } from '../domain/case-state.ts';
import { DELIVERY_FAULTS, DELIVERY_STATUSES, type DeliveryFault, MESSAGE_KINDS } from '../domain/events.ts';
import type { CaseId, PartnerId } from '../domain/ids.ts';
import { type Instant, instant } from '../domain/instant.ts';
import type { SlotDetails } from '../domain/slot.ts';
import { caseColumns, caseRow, textColumn } from './case-row.ts';
import { allOf, type Queries } from './database.ts';
import { keyOf, sealed, searchHash } from './sealing.ts';
import { newestVerifications, verificationsColumn } from './verifications.ts';

/** As {@link SlotDetails} was written with the booking. */
const slotDetails = z.custom<SlotDetails>();

/** A case with all that is told of it. */
const caseView = caseRow
  .extend({
    partner_name: z.string(),
    /** By language: what the times are for. */
    treatment_name: z.object({ nb: z.string(), en: z.string() }),
    booking: z
      .object({
        provider_name: z.string(),
        practitioner: z.string(),
        location: z.string(),
        mode: z.enum(['in_person', 'video']),
        details: slotDetails,
      })
      .nullable(),
    notifications: z.array(
      z.object({
        kind: z.enum(MESSAGE_KINDS),
        channel: z.enum(CHANNELS),
        status: z.enum(DELIVERY_STATUSES),
        reason: z.enum(Object.keys(DELIVERY_FAULTS) as DeliveryFault[]).nullable(),
        at: z.string(),
      }),
    ),
    /** Of the text that says why it was recalled. */
    body: z.string().nullable().default(null),
    /** A person has logged in to it by its names. */
    is_bound: z.boolean(),
    verifications: verificationsColumn,
  })
  .transform(({ body, ...row }) => ({ ...row, recall_reason: body }));
export type CaseView = z.infer<typeof caseView>;

/** A message to the customer on one channel, as others read of it. */
export interface Notification extends Omit<CaseView['notifications'][number], 'at'> {
  readonly at: Instant;
}

/** Every message, the oldest first; at the end those that corrected addresses get within a minute. */
export function notificationsOf({
  notifications,
  state,
}: Pick<CaseView, 'notifications' | 'state'>): Notification[] {
  const known = notifications.map((message) => ({ ...message, at: instant(message.at) }));
  const due = dueInvitationOf(state);
  if (!due) return known;
  const invitation = { kind: 'invitation', status: 'queued', reason: null, at: due.since } as const;
  return [...known, ...due.channels.map((channel) => ({ ...invitation, channel }))];
}

// json and not jsonb: it is made to be sent only, which takes a sixth less time for a list of 100
const selectView = sql.fragment`
  SELECT ${caseColumns}, partners.name AS partner_name,
    (SELECT json_build_object('nb', t.name_nb, 'en', t.name_en)
       FROM treatment_types t WHERE t.code = cases.treatment_type) AS treatment_name,
    (SELECT json_build_object('provider_name', providers.name, 'practitioner', b.practitioner,
                              'location', b.location, 'mode', b.mode, 'details', b.details)
       FROM bookings b JOIN providers ON providers.id = b.provider_id WHERE b.id = cases.booking_id) AS booking,
    (SELECT coalesce(json_agg(json_build_object('kind', n.kind, 'channel', n.channel, 'status', n.status,
                                                'reason', n.reason, 'at', n.at) ORDER BY n.at, n.dedup_id), '[]')
       FROM notifications n WHERE n.case_id = cases.id) AS notifications,
    ${sealed(
      sql.fragment`(SELECT t.sealed FROM case_texts t WHERE t.id = (cases.state -> 'recall' ->> 'textId')::uuid)`,
      'case_texts.sealed',
    )},
    EXISTS (SELECT FROM case_persons p WHERE p.case_id = cases.id AND p.unbound_at IS NULL) AS is_bound,
    ${newestVerifications} AS verifications
  FROM cases JOIN partners ON partners.id = cases.partner_id`;

/** An erased case is none that anybody reads. */
export const isThere = sql.fragment`cases.erased_at IS NULL`;

export const readCase = (queries: Queries, id: CaseId): Promise<CaseView | null> =>
  queries.maybeOne(sql.type(caseView)`${selectView} WHERE cases.id = ${id} AND ${isThere}`);

export interface CaseFilter {
  readonly statuses: readonly CaseStatus[];
  readonly partnerCaseId?: string | undefined;
  readonly treatmentType?: string | undefined;
  /** Inclusive. */
  readonly createdFrom?: Instant | undefined;
  /** Exclusive. */
  readonly createdTo?: Instant | undefined;
  readonly updatedSince?: Instant | undefined;
}

export interface CasePage {
  readonly partnerId: PartnerId;
  readonly filter: CaseFilter;
  readonly limit: number;
  /** The last case of the page before. */
  readonly after: { readonly createdAt: Instant; readonly id: CaseId } | null;
}

/** A partner's cases, newest first. */
export async function listCases(queries: Queries, page: CasePage): Promise<readonly CaseView[]> {
  const { partnerCaseId } = page.filter;
  const reference =
    partnerCaseId === undefined ? null : await searchHash(queries, 'reference', partnerCaseId);
  return queries.any(listQuery(page, reference));
}

/**
 * First which cases, then all that is told of these few. Each status is a read of its own, off the index by status, which
 * is in the list's order for one status only. They come as rows, since a status that PostgreSQL knew to be frequent it
 * would look for in all of the partner's cases: that those of one status lie together it does not know.
 */
function listQuery(page: CasePage, reference: Buffer | null): QuerySqlToken<typeof caseView> {
  const few = newestOf(
    { partnerId: page.partnerId, ...page.filter },
    page.limit,
    conditions(page, reference),
  );
  return sql.type(caseView)`
    ${selectView} WHERE cases.id IN (${few}) ORDER BY cases.created_at DESC, cases.id DESC`;
}

/** The newest ids. Everybody's are the newest of each partner's, so that operators' lists have no indexes of their own. */
function newestOf(
  { partnerId, statuses }: Pick<OperatorCaseFilter, 'partnerId' | 'statuses'>,
  limit: number,
  where: ReturnType<typeof allOf>,
): FragmentSqlToken {
  const first = sql.fragment`ORDER BY created_at DESC, id DESC LIMIT ${limit}`;
  const those = allOf(
    sql.fragment`partner_id = ${partnerId ?? sql.fragment`partner.id`} AND ${where}`,
    statuses.length > 0 && sql.fragment`status = wanted.status`,
  );
  const lists = [
    ...(partnerId ? [] : [sql.fragment`partners AS partner`]),
    ...(statuses.length > 0
      ? [sql.fragment`unnest(${sql.array([...new Set(statuses)], 'text')}) AS wanted (status)`]
      : []),
  ];
  if (lists.length === 0) return sql.fragment`SELECT id FROM cases WHERE ${those} ${first}`;
  return sql.fragment`
    SELECT page.id FROM ${sql.join(lists, sql.fragment`, `)},
      LATERAL (SELECT cases.id, cases.created_at FROM cases WHERE ${those} ${first}) AS page
    ORDER BY page.created_at DESC, page.id DESC LIMIT ${limit}`;
}

function conditions({ filter, after }: CasePage, reference: Buffer | null) {
  const { treatmentType, createdFrom, createdTo, updatedSince } = filter;
  return allOf(
    isThere,
    reference && sql.fragment`reference_hash = ${sql.binary(reference)}`,
    treatmentType !== undefined && sql.fragment`treatment_type = ${treatmentType}`,
    createdFrom && sql.fragment`created_at >= ${createdFrom}`,
    createdTo && sql.fragment`created_at < ${createdTo}`,
    updatedSince && sql.fragment`updated_at >= ${updatedSince}`,
    after && sql.fragment`(created_at, id) < (${after.createdAt}::timestamptz, ${after.id}::uuid)`,
  );
}

/** A case without anything personal, as the operator's lists show it. */
const plainCase = caseRow
  .pick({
    id: true,
    partner_id: true,
    partner_case_id: true,
    treatment_type: true,
    created_at: true,
    updated_at: true,
    status: true,
    state: true,
  })
  .extend({
    /** What it needs an operator for. */
    attention: z.array(
      z.object({
        kind: textColumn<AttentionKind>(),
        cause: z.string(),
        since: z.string().transform((text) => instant(text)),
        answer: z.string().nullable(),
      }),
    ),
  });
export type PlainCase = z.infer<typeof plainCase>;

const plainColumns = sql.fragment`
  id, partner_id, ${sealed(sql.fragment`sealed`, 'cases.sealed')}, ${keyOf(sql.fragment`cases.id`)}, treatment_type, created_at,
  updated_at, status, state,
  (SELECT coalesce(json_agg(json_build_object('kind', a.kind, 'cause', a.cause, 'since', a.since, 'answer', a.answer)
                            ORDER BY a.since, a.id), '[]')
     FROM attention a WHERE a.case_id = cases.id AND a.over_at IS NULL) AS attention`;

/** The partner's cases of these references, in whatever status; the newest last. */
export async function findCasesOf(
  queries: Queries,
  partnerId: PartnerId,
  references: readonly string[],
): Promise<readonly z.infer<typeof referenceRow>[]> {
  const hashes = await Promise.all(references.map((each) => searchHash(queries, 'reference', each)));
  return queries.any(sql.type(referenceRow)`
    SELECT id, ${sealed(sql.fragment`sealed`, 'cases.sealed')}, ${keyOf(sql.fragment`cases.id`)},
      treatment_type AS "treatmentType"
    FROM cases WHERE partner_id = ${partnerId} AND reference_hash = ANY(${sql.array(hashes, 'bytea')})
    ORDER BY created_at`);
}

const referenceRow = z
  .object({ id: textColumn<CaseId>(), partner_case_id: z.string(), treatmentType: z.string() })
  .transform(({ partner_case_id: partnerCaseId, ...row }) => ({ ...row, partnerCaseId }));

/** How many matches of a reference are told apart; whoever has more uses the id. */
const MAX_MATCHES = 20;

/** Cases of this id, of an id that begins so (8 digits or more), or with this reference of a partner's, or its hash. */
export async function findCases(queries: Queries, text: string): Promise<readonly PlainCase[]> {
  const prefix = text.toLowerCase();
  const [first, last] = ['0', 'f'].map((digit) => prefix + blank(digit).slice(prefix.length)) as [
    string,
    string,
  ];
  const byId =
    prefix.length >= 8 && UUID.test(first)
      ? sql.fragment`id BETWEEN ${first}::uuid AND ${last}::uuid`
      : sql.fragment`false`;
  const reference = sql.binary(await searchHash(queries, 'reference', text));
  return queries.any(sql.type(plainCase)`
    SELECT ${plainColumns} FROM cases
    WHERE ${isThere} AND id IN (
      SELECT id FROM cases WHERE ${byId}
      UNION SELECT id FROM cases WHERE hashed_reference = ${text}
      UNION SELECT theirs.id FROM partners, LATERAL (
        SELECT id FROM cases WHERE partner_id = partners.id AND reference_hash = ${reference}) AS theirs)
    ORDER BY created_at DESC LIMIT ${MAX_MATCHES}`);
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const blank = (digit: string): string => [8, 4, 4, 4, 12].map((length) => digit.repeat(length)).join('-');

export interface OperatorCaseFilter {
  readonly partnerId?: PartnerId | undefined;
  readonly statuses: readonly CaseStatus[];
  readonly updatedSince?: Instant | undefined;
  /** Only those that need an operator, for one of these. */
  readonly attention?: readonly AttentionKind[] | undefined;
}

/** Everybody's cases, newest first. */
export function listAllCases(
  queries: Queries,
  filter: OperatorCaseFilter,
  { limit, after }: { limit: number; after: Pick<PlainCase, 'created_at' | 'id'> | null },
): Promise<readonly PlainCase[]> {
  const { partnerId, statuses, updatedSince, attention } = filter;
  const before = (place: FragmentSqlToken) =>
    after && sql.fragment`${place} < (${after.created_at}::timestamptz, ${after.id}::uuid)`;
  const changed = updatedSince && sql.fragment`cases.updated_at >= ${updatedSince}`;
  const few = attention
    ? sql.fragment`
        -- in the order of the index, so that no more are looked at than are shown
        SELECT case_id FROM (
          SELECT case_created_at, case_id FROM attention
          WHERE ${allOf(
            sql.fragment`over_at IS NULL AND case_id IS NOT NULL AND kind = ANY(${sql.array(attention, 'text')})`,
            partnerId && sql.fragment`partner_id = ${partnerId}`,
            before(sql.fragment`(case_created_at, case_id)`),
          )}
          GROUP BY case_created_at, case_id ORDER BY case_created_at DESC, case_id DESC
        ) AS needing JOIN cases ON cases.id = case_id
        WHERE ${allOf(
          isThere,
          changed,
          statuses.length > 0 && sql.fragment`cases.status = ANY(${sql.array(statuses, 'text')})`,
        )}
        ORDER BY case_created_at DESC, case_id DESC LIMIT ${limit}`
    : newestOf(
        { partnerId, statuses },
        limit,
        allOf(isThere, changed, before(sql.fragment`(cases.created_at, cases.id)`)),
      );
  return queries.any(sql.type(plainCase)`
    SELECT ${plainColumns} FROM cases WHERE id IN (${few}) ORDER BY created_at DESC, id DESC`);
}

const bookedRow = z.object({
  id: z.string(),
  provider_name: z.string(),
  practitioner: z.string(),
  location: z.string(),
  mode: z.enum(['in_person', 'video']),
});
export type BookedRow = z.infer<typeof bookedRow>;

/** What was ever booked for the case, in words. */
export const listBookings = (queries: Queries, caseId: CaseId): Promise<readonly BookedRow[]> =>
  queries.any(sql.type(bookedRow)`
    SELECT b.id, p.name AS provider_name, b.practitioner, b.location, b.mode
    FROM bookings b JOIN providers p ON p.id = b.provider_id WHERE b.case_id = ${caseId}`);
