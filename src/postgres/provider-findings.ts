import { sql } from 'slonik';
import { z } from 'zod';
import type { Finding, FindingKind } from '../domain/findings.ts';
import type { ProviderId } from '../domain/ids.ts';
import { instantColumn, nothing, textColumn } from './case-row.ts';
import { allOf, type Queries } from './database.ts';

const findingRow = z.object({
  provider_id: textColumn<ProviderId>(),
  // of a newer version maybe
  kind: textColumn<FindingKind>(),
  about: z.string(),
  count: z.number(),
  first_seen: instantColumn,
  last_seen: instantColumn,
});
export type FindingRow = z.infer<typeof findingRow>;

/** What was found at this provider, or at all, the newest first. */
export const listFindings = (queries: Queries, providerId?: ProviderId): Promise<readonly FindingRow[]> =>
  queries.any(sql.type(findingRow)`
    SELECT provider_id, kind, about, count, first_seen, last_seen FROM provider_findings
    WHERE ${allOf(providerId && sql.fragment`provider_id = ${providerId}`)}
    ORDER BY last_seen DESC, provider_id, kind, about`);

/** Adds to what is known, in one statement. */
export async function addFindings(queries: Queries, findings: readonly Finding[]): Promise<void> {
  if (findings.length === 0) return;
  await queries.query(sql.type(nothing)`
    INSERT INTO provider_findings (provider_id, kind, about, count, first_seen, last_seen)
    SELECT provider_id, kind, about, sum(count), now(), now()
    FROM ${sql.unnest(
      findings.map(({ providerId, kind, about = '', count = 1 }) => [providerId, kind, about, count]),
      ['text', 'text', 'text', 'int8'],
    )} AS f (provider_id, kind, about, count)
    GROUP BY provider_id, kind, about ORDER BY provider_id, kind, about
    ON CONFLICT (provider_id, kind, about) DO UPDATE
      SET count = provider_findings.count + excluded.count, last_seen = excluded.last_seen`);
}

/** Deletes what was not found again for so long that it is over. */
export async function deleteOldFindings(queries: Queries): Promise<void> {
  await queries.query(sql.type(nothing)`
    DELETE FROM provider_findings WHERE last_seen < now() - interval '30 days'`);
}

export interface Findings {
  /** Costs nothing: it is written with what comes after it. */
  readonly note: (finding: Finding) => void;
  /** Writes what is left. */
  close(): Promise<void>;
}

/** Kinds of findings that are kept until the next write; whatever is more tells nothing new. */
const MAX_BUFFERED = 500;

/** Gathers findings in memory and writes them every few seconds, so that a provider in trouble causes no load of ours. */
export function createFindings(
  queries: Queries,
  onFailure: (error: unknown) => void,
  everyMs = 5_000,
): Findings {
  let gathered = new Map<string, Required<Finding>>();

  const write = async () => {
    const findings = [...gathered.values()];
    gathered = new Map();
    await addFindings(queries, findings).catch((error: unknown) => {
      findings.forEach(note);
      onFailure(error);
    });
  };
  let writing = Promise.resolve();
  const timer = setInterval(() => {
    if (gathered.size > 0) writing = writing.then(write);
  }, everyMs);

  function note({ providerId, kind, about = '', count = 1 }: Finding): void {
    const key = JSON.stringify([providerId, kind, about]);
    const before = gathered.get(key);
    if (!before && gathered.size >= MAX_BUFFERED) return;
    gathered.set(key, { providerId, kind, about, count: (before?.count ?? 0) + count });
  }

  return {
    note,
    async close() {
      clearInterval(timer);
      await writing;
      await write();
    },
  };
}
