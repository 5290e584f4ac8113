import { sql } from 'slonik';
import { z } from 'zod';
import type { Channel } from '../domain/case-state.ts';
import type { CaseId } from '../domain/ids.ts';
import type { Instant } from '../domain/instant.ts';
import { instantColumn, nothing } from './case-row.ts';
import type { Database, Queries } from './database.ts';
import { searchHash } from './sealing.ts';

/** How many messages may leave (docs/contract.md §5). */
export interface MessageBounds {
  /** To one address, in a day in Norway. */
  readonly perRecipientAndDay: number;
  /** For all cases of one partner, in an hour. */
  readonly perPartnerAndHour: number;
}

/** There is no room for a message now. */
export interface NoRoom {
  /** Whose room it is: of a recipient, without a word of who it is, or of a partner. */
  readonly key: string;
  readonly since: Instant;
  /** Seconds until there is room again. */
  readonly retryAfter: number;
}

const windowRow = z.object({ since: instantColumn, retryAfter: z.number() });

/**
 * Takes the room for a message before it is sent; repeated for the same message, it takes none again. However many ask at
 * once, no more room is given than there is.
 *
 * @returns null, or what stands in the way
 */
export async function takeRoom(
  database: Database,
  { dedupId, caseId, channel }: { dedupId: string; caseId: CaseId; channel: Channel },
  recipient: string,
  { perRecipientAndDay, perPartnerAndHour }: MessageBounds,
): Promise<NoRoom | null> {
  const hash = await searchHash(database, 'recipient', `${channel}:${recipient.toLowerCase()}`);
  const address = hash.toString('hex');
  try {
    await database.transaction(async (tx) => {
      const counted = await tx.maybeOne(sql.type(z.object({ partner: z.string() }))`
        UPDATE notifications SET counted = true FROM cases
        WHERE dedup_id = ${dedupId} AND NOT counted AND cases.id = ${caseId}
        RETURNING cases.partner_id AS partner`);
      if (!counted) return;
      const hour = sql.fragment`date_trunc('hour', now())`;
      await take(tx, `partner:${counted.partner}`, hour, sql.fragment`interval '1 hour'`, perPartnerAndHour);
      const day = sql.fragment`date_trunc('day', now(), 'Europe/Oslo')`;
      await take(tx, `recipient:${address}`, day, sql.fragment`interval '1 day'`, perRecipientAndDay);
    });
    return null;
  } catch (error) {
    if (error instanceof Full) return error.noRoom;
    throw error;
  }
}

type Fragment = ReturnType<typeof sql.fragment>;

/** @throws Full, with which the whole transaction is taken back */
async function take(
  tx: Queries,
  key: string,
  start: Fragment,
  length: Fragment,
  limit: number,
): Promise<void> {
  const { rowCount } = await tx.query(sql.type(nothing)`
    INSERT INTO message_quotas AS quota (key, since, used) VALUES (${key}, ${start}, 1)
    ON CONFLICT (key, since) DO UPDATE SET used = quota.used + 1 WHERE quota.used < ${limit}`);
  if (rowCount > 0) return;
  const window = await tx.one(sql.type(windowRow)`
    SELECT ${start} AS since,
           greatest(1, ceil(extract(epoch FROM ${start} + ${length} - now())))::integer AS "retryAfter"`);
  throw new Full({ key, ...window });
}

class Full extends Error {
  override readonly name = 'Full';
  readonly noRoom: NoRoom;

  constructor(noRoom: NoRoom) {
    super('no room for another message');
    this.noRoom = noRoom;
  }
}

/** Deletes what counts no longer. */
export async function deleteOldMessageQuotas(queries: Queries): Promise<void> {
  await queries.query(sql.type(nothing)`DELETE FROM message_quotas WHERE since < now() - interval '2 days'`);
}
