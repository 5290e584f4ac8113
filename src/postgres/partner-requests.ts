import { sql } from 'slonik';
import { z } from 'zod';
import type { PartnerId } from '../domain/ids.ts';
import type { Instant } from '../domain/instant.ts';
import { instantColumn, nothing } from './case-row.ts';
import type { Database, Queries } from './database.ts';

/** So many of a partner's calls are kept, the last ones (docs/contract.md §4). */
export const KEPT_REQUESTS = 1_000;

/** A call of a partner's, by one of its keys or its users. Nothing of what was sent or answered. */
export interface PartnerRequest {
  readonly partnerId: PartnerId;
  readonly at: Instant;
  readonly method: string;
  /** With its parameters' names in braces; null where there is nothing. */
  readonly route: string | null;
  readonly status: number;
  readonly requestId: string;
  readonly correlationId: string | null;
  readonly apiKeyId: string | null;
  readonly userId: string | null;
}

/** Keeps them as their partners' newest, and forgets those that there is no room for any more. */
export const saveRequests = (database: Database, requests: readonly PartnerRequest[]): Promise<void> =>
  database.transaction(async (tx) => {
    await tx.query(sql.type(nothing)`
      INSERT INTO partner_requests
        (partner_id, at, method, route, status, request_id, correlation_id, api_key_id, user_id)
      SELECT r ->> 'partnerId', (r ->> 'at')::timestamptz, r ->> 'method', r ->> 'route', (r ->> 'status')::smallint,
             (r ->> 'requestId')::uuid, r ->> 'correlationId', (r ->> 'apiKeyId')::uuid, (r ->> 'userId')::uuid
      FROM jsonb_array_elements(${sql.jsonb(requests as never)}) WITH ORDINALITY AS sent (r, place) ORDER BY place`);
    for (const partnerId of new Set(requests.map((request) => request.partnerId))) {
      await tx.query(sql.type(nothing)`
        DELETE FROM partner_requests WHERE partner_id = ${partnerId} AND number <= (
          SELECT number FROM partner_requests WHERE partner_id = ${partnerId}
          ORDER BY number DESC OFFSET ${KEPT_REQUESTS} LIMIT 1)`);
    }
  });

const requestRow = z.object({
  number: z.number(),
  at: instantColumn,
  method: z.string(),
  route: z.string().nullable(),
  status: z.number(),
  request_id: z.string(),
  correlation_id: z.string().nullable(),
  api_key_id: z.string().nullable(),
  user_id: z.string().nullable(),
});
export type RequestRow = z.infer<typeof requestRow>;

/** The newest first: up to `limit` before number `before`. */
export const listRequests = (
  queries: Queries,
  { partnerId, before, limit }: { partnerId: PartnerId; before: number; limit: number },
): Promise<readonly RequestRow[]> =>
  queries.any(sql.type(requestRow)`
    SELECT number, at, method, route, status, request_id, correlation_id, api_key_id, user_id
    FROM partner_requests WHERE partner_id = ${partnerId} AND number < ${before} ORDER BY number DESC LIMIT ${limit}`);
