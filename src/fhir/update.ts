import type { WriteOutcome } from './answers.ts';
import { readOutcome, writeOutcome } from './answers.ts';
import type { FhirServer } from './exchange.ts';
import { exchange } from './exchange.ts';
import { patchOf } from './json-patch.ts';
import type { Known, ResourceType } from './resources.ts';
import { etagOf } from './resources.ts';
import type { Statement } from './statement.ts';

export interface Target {
  readonly server: FhirServer;
  readonly url: URL;
  readonly statement: Statement;
  readonly signal?: AbortSignal | undefined;
}

/** Replaces the resource; where the server takes no whole ones, changes what is to be changed of it. */
export async function update<T extends ResourceType>(
  { server, url, statement, signal }: Target,
  before: Known<T>,
  after: Known<T>,
): Promise<WriteOutcome<T>> {
  const type = after.resourceType as T;
  const etag = statement.versions(type) === 'no' ? null : etagOf(before);
  const headers: Record<string, string> = etag === null ? {} : { 'if-match': etag };
  if (!takesPatchesOnly(statement, type))
    return writeOutcome(
      type,
      await exchange(server, { method: 'PUT', type, url, headers, body: after, signal }),
    );

  const body = patchOf(before, after, { isGuarded: etag === null });
  const patched = writeOutcome(
    type,
    await exchange(server, { method: 'PATCH', type, url, headers, body, signal }),
  );
  if (patched.outcome !== 'refused' || etag !== null) return patched;
  // A patch whose tests fail is refused with whatever status: the resource shows whether it was them.
  const now = readOutcome(type, await exchange(server, { method: 'GET', type, url }));
  if (now.outcome !== 'found') return now;
  const hasChanged = patchOf(before, now.resource, { isGuarded: false }).length > 0;
  return hasChanged ? { outcome: 'conflict' } : patched;
}

const takesPatchesOnly = ({ interaction }: Statement, type: ResourceType): boolean =>
  interaction(type, 'update') === 'no' && interaction(type, 'patch') === 'yes';
