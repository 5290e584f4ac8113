import { sql } from 'slonik';
import { z } from 'zod';
import type { Channel } from '../domain/case-state.ts';
import { nothing } from './case-row.ts';
import type { Queries } from './database.ts';
import { searchHash } from './sealing.ts';

/** How many messages may leave (docs/contract.md §5). */
export interface MessageBounds {
  /** To one address, in a day in Norway. */
  readonly perRecipientAndDay: number;
  /** For all cases of one partner, in an hour. */
  readonly perPartnerAndHour: number;
}

const noRoomRow = z.object({
  /** Whose room it is: of a recipient, without a word of who it is, or of a partner. */
  key: z.string(),
  /** Seconds until there is room again. */
  retryAfter: z.number(),
});
type NoRoom = z.infer<typeof noRoomRow>;

/**
 * Takes the room for a message before it is sent; repeated for the same message, it takes none again. However many ask at
 * once, no more room is given than there is.
 *
 * @returns null, or what stands in the way
 */
export async function takeRoom(
  queries: Queries,
  { dedupId, channel }: { dedupId: string; channel: Channel },
  recipient: string,
  { perRecipientAndDay, perPartnerAndHour }: MessageBounds,
): Promise<NoRoom | null> {
  const hash = await searchHash(queries, 'recipient', `${channel}:${recipient.toLowerCase()}`);
  return queries.maybeOne(sql.type(noRoomRow)`
    SELECT key, greatest(1, ceil(extract(epoch FROM free_at - now())))::integer AS "retryAfter"
    FROM take_room(${dedupId}, ${`recipient:${hash.toString('hex')}`}, ${perPartnerAndHour}, ${perRecipientAndDay})`);
}

/** Deletes what counts no longer. */
export async function deleteOldMessageQuotas(queries: Queries): Promise<void> {
  await queries.query(sql.type(nothing)`DELETE FROM message_quotas WHERE since < now() - interval '2 days'`);
}
