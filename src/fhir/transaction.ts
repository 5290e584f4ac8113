import type { FhirResource } from 'fhir/r4.d.ts';
import { z } from 'zod';
import type { Refused } from './answers.ts';
import type { FhirServer } from './exchange.ts';
import { exchange } from './exchange.ts';
import { isError, outcomeSchema } from './outcome.ts';
import type { AnyKnown } from './resources.ts';
import { parseResource } from './resources.ts';

/** One resource of a transaction, which is done as a whole or not at all. */
export interface TransactionEntry {
  /** What other entries call a resource that is to be made. */
  readonly fullUrl?: string;
  readonly resource: FhirResource;
  readonly request: {
    readonly method: 'POST' | 'PUT';
    readonly url: string;
    readonly ifMatch?: string;
    readonly ifNoneExist?: string;
  };
}

export type TransactionOutcome =
  | { readonly outcome: 'done'; readonly entries: readonly Done[] }
  /** Accepted, but the answer does not say of each entry that it was done. */
  | { readonly outcome: 'unclear' }
  | { readonly outcome: 'conflict' }
  | Refused;

export interface Done {
  readonly status: number;
  /** E.g. `Appointment/17/_history/1`. */
  readonly location: string | null;
  /** Null where the server answers without it. */
  readonly resource: AnyKnown | null;
}

const entrySchema = z.looseObject({
  resource: z.unknown(),
  response: z.looseObject({
    status: z.string().regex(/^2\d\d/),
    location: z.string().optional(),
    outcome: outcomeSchema.optional().catch(undefined),
  }),
});
const answerSchema = z.looseObject({
  resourceType: z.literal('Bundle'),
  type: z.literal('transaction-response'),
  entry: z.array(entrySchema),
});

export async function transaction(
  server: FhirServer,
  url: URL,
  entries: readonly TransactionEntry[],
): Promise<TransactionOutcome> {
  const body = { resourceType: 'Bundle', type: 'transaction', entry: entries };
  const answer = await exchange(server, { method: 'POST', type: 'Bundle', url, body });
  if (answer.status === 409 || answer.status === 412) return { outcome: 'conflict' };
  if (answer.status >= 400) return { outcome: 'refused', cause: `http_${answer.status}` };
  const parsed = answerSchema.safeParse(answer.body);
  if (!parsed.success || parsed.data.entry.length !== entries.length) return { outcome: 'unclear' };
  if (parsed.data.entry.some(({ response }) => response.outcome?.issue.some(isError)))
    return { outcome: 'unclear' };
  return {
    outcome: 'done',
    entries: parsed.data.entry.map(({ resource, response }) => ({
      status: Number(response.status.slice(0, 3)),
      location: response.location ?? null,
      resource: parseResource(resource),
    })),
  };
}
