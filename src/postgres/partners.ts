import { randomBytes } from 'node:crypto';
import { sql } from 'slonik';
import { z } from 'zod';
import type { PartnerId } from '../domain/ids.ts';
import { instantColumn, nothing, textColumn } from './case-row.ts';
import { affects, type Database, type Queries } from './database.ts';

const partnerRow = z.object({
  id: textColumn<PartnerId>(),
  name: z.string(),
  created_at: instantColumn,
  /** Since when its keys and users are kept out; null: they are not. */
  suspended_at: instantColumn.nullable(),
  cases: z.number(),
});
export type PartnerRow = z.infer<typeof partnerRow>;

const selectPartners = sql.fragment`
  SELECT p.id, p.name, p.created_at, p.suspended_at, (SELECT count(*) FROM cases WHERE partner_id = p.id) AS cases FROM partners p`;

export const listPartners = (queries: Queries): Promise<readonly PartnerRow[]> =>
  queries.any(sql.type(partnerRow)`${selectPartners} ORDER BY p.id`);

/** @returns false when the id is taken, and nothing is changed */
export const addPartner = (queries: Queries, id: string, name: string): Promise<boolean> =>
  affects(
    queries,
    sql.fragment`INSERT INTO partners (id, name) VALUES (${id}, ${name}) ON CONFLICT (id) DO NOTHING`,
  );

/** @returns false when there is no such partner */
export const renamePartner = (queries: Queries, id: PartnerId, name: string): Promise<boolean> =>
  affects(queries, sql.fragment`UPDATE partners SET name = ${name} WHERE id = ${id}`);

/**
 * Keeps the partner's keys and users out from now on: both are asked for at every call. Its cases go on.
 *
 * @returns false when it is suspended already
 */
export const suspendPartner = (queries: Queries, id: PartnerId): Promise<boolean> =>
  affects(
    queries,
    sql.fragment`UPDATE partners SET suspended_at = now() WHERE id = ${id} AND suspended_at IS NULL`,
  );

/**
 * Lets the partner in again: its keys as they are, its users by a new login.
 *
 * @returns false when it is not suspended
 */
export const resumePartner = (database: Database, id: PartnerId): Promise<boolean> =>
  database.transaction(async (tx) => {
    const resumed = await affects(
      tx,
      sql.fragment`UPDATE partners SET suspended_at = NULL WHERE id = ${id} AND suspended_at IS NOT NULL`,
    );
    // whoever was logged in before is not any more
    if (resumed)
      await tx.query(sql.type(nothing)`
        DELETE FROM access_tokens WHERE user_id IN (SELECT id FROM partner_users WHERE partner_id = ${id})`);
    return resumed;
  });

/**
 * Whether Temporal, whose readers are many, is shown a hash of the references of cases that are handed over from now on.
 * The key stays for as long as that lasts, so that a reference has the same hash in all of them.
 */
export const hashReferences = (queries: Queries, id: PartnerId, isHashed: boolean): Promise<boolean> =>
  affects(
    queries,
    isHashed
      ? sql.fragment`
          UPDATE partners SET reference_key = coalesce(reference_key, ${randomBytes(32).toString('hex')})
          WHERE id = ${id}`
      : sql.fragment`UPDATE partners SET reference_key = NULL WHERE id = ${id}`,
  );

/** @param months for how long personal data is kept after a case is archived; null: as long as the service says */
export const setRetention = (queries: Queries, id: PartnerId, months: number | null): Promise<boolean> =>
  affects(queries, sql.fragment`UPDATE partners SET retention_months = ${months} WHERE id = ${id}`);

/** The partner of this id, in the type that says that there is one; null where there is none. */
export const findPartner = (queries: Queries, id: string): Promise<PartnerId | null> =>
  queries.maybeOneFirst(sql.type(partnerRow.pick({ id: true }))`SELECT id FROM partners WHERE id = ${id}`);

const userRow = z.object({
  id: z.string(),
  email: z.string(),
  partner_id: textColumn<PartnerId>(),
});
export type PartnersUser = z.infer<typeof userRow>;

/** The account of this e-mail address, and whose it is. */
export const findUser = (queries: Queries, email: string): Promise<PartnersUser | null> =>
  queries.maybeOne(sql.type(userRow)`
    SELECT id, email, partner_id FROM partner_users WHERE lower(email) = lower(${email})`);
