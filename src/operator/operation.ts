import { createHash } from 'node:crypto';
import type { ReconcileResult, ReconcileTask } from '../../workflows/contract.ts';
import type { Actor } from '../identity/operators/actor.ts';
import type { Environment } from '../identity/secrets.ts';
import type { NoteAccess } from '../postgres/access-log.ts';
import type { Database } from '../postgres/database.ts';
import { addLogEntry, type LogEntry, recordOutcome } from '../postgres/operators.ts';
import type { ProviderRow } from '../postgres/providers.ts';
import type { Availability, AvailabilityQuery } from '../providers/availability.ts';
import type { SearchObserver } from '../providers/adapter.ts';
import type { BookingSystem } from '../providers/port.ts';
import type { CaseClient } from '../temporal/case-client.ts';
import type { WebUi } from '../temporal/web-ui.ts';
import type { WorkerVersions } from '../temporal/worker-versions.ts';
import { OperatorError, refusal } from './operator-error.ts';
import { type Columns, table, type View, type Way } from './view.ts';

/** All that operations work with, handed over by the composition root. */
export interface Service {
  readonly settings: {
    readonly environment: Environment;
    /** Without a trailing slash. */
    readonly publicUrl: string;
    /** To whose numbers SMS are sent (ISO 3166). */
    readonly smsCountries: readonly string[];
    readonly archiveAfterDays: number;
  };
  /** Temporal's, for links; null where nobody said where it is. */
  readonly webUi: WebUi | null;
  readonly database: Database;
  /** Who saw which cases, written before the answer. */
  readonly noteAccess: NoteAccess;
  readonly caseClient: CaseClient;
  /** Compares the cases with their workflows. @throws when Temporal does not answer */
  readonly reconcile: (task: Pick<ReconcileTask, 'full' | 'workflowsWin'>) => Promise<ReconcileResult>;
  readonly workerVersions: WorkerVersions;
  readonly availability: (query: AvailabilityQuery) => Promise<Availability>;
  /** The booking system of a provider that may not be registered yet. */
  readonly connect: (
    provider: Pick<ProviderRow, 'id' | 'name' | 'kind' | 'base_url' | 'connection' | 'settings'>,
    observer: SearchObserver,
  ) => BookingSystem;
  /** The kinds of booking systems that can be spoken to. */
  readonly kinds: readonly string[];
  /** Whether this process has the variable, as a provider's credential. */
  readonly isSet: (variable: string) => boolean;
  readonly now: () => Date;
}

/** One operation under way. */
export interface Operation extends Service {
  /** Such as `case retry`. */
  readonly name: string;
  readonly input: unknown;
  /** Who does it. Where another granted it: who asked. */
  readonly actor: Actor;
  readonly grantedBy: Actor | null;
  /** What the answer that asked gave, where it is meant. */
  readonly confirmed: string | undefined;
  /** Tells whoever waits how far it is. */
  readonly say: (line: string) => void;
  /** Whoever asked has gone: what was begun outside is to be undone. */
  readonly signal: AbortSignal;
}

/** What there is to say, for programs and for people. */
export interface Answer {
  readonly result: unknown;
  readonly view: View;
}

export const answer = (view: View, result: unknown): Answer => ({ result, view });

/** A list: a table for people, `data` for programs. @param nothing what people read where it is empty */
export const listed = <Row>(
  rows: readonly Row[],
  columns: Columns<Row>,
  nothing: string,
  waysFrom?: (row: Row) => readonly Way[],
): Answer => answer(table(columns, rows, nothing, waysFrom), { data: rows });

type Camel<S> = S extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : S;
type InCamelCase<Row> = { readonly [K in keyof Row as Camel<K>]: Row[K] };

/** A row of the database in the names of the API. */
export const inCamelCase = <Row extends object>(row: Row) =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      value as unknown,
    ]),
  ) as InCamelCase<Row>;

/** What the operators' log is told; `action` when it is not called like the operation. */
export type Noted = Omit<LogEntry, 'actor' | 'grantedBy' | 'action'> & { readonly action?: string };

/** Does it, with an entry in the operators' log: there before, and with its outcome after. */
export async function logged<T>(
  { database, actor, grantedBy, name }: Operation,
  { action = name.replace(' ', '.'), ...entry }: Noted,
  work: () => Promise<T>,
): Promise<T> {
  const id = await addLogEntry(database, { ...entry, action, actor, grantedBy });
  // what is done is done, even if that can't be noted any more
  const note = (outcome: string) => recordOutcome(database, id, outcome).catch(() => undefined);
  try {
    const result = await work();
    await note('done');
    return result;
  } catch (error) {
    await note(error instanceof OperatorError ? error.code : 'FAULT');
    throw error;
  }
}

/**
 * Asks before what cannot be undone, or not all of it: what it throws says what would be done. Sent again with `confirm`
 * it goes on, if it would still do the same for the same person and input.
 *
 * @param expected what somebody at a terminal has to type
 * @param undo what is possible afterwards
 * @throws OperatorError `CONFIRMATION_REQUIRED`
 */
export function confirm(
  { name, input, actor, confirmed, grantedBy }: Operation,
  what: string,
  { expected = 'yes', undo = 'This cannot be undone' }: { expected?: string; undo?: string } = {},
): void {
  // whoever granted it was shown the same
  if (grantedBy) return;
  const asked = JSON.stringify([name, input, actor.subject, what, undo]);
  const token = createHash('sha256').update(asked).digest('base64url').slice(0, 22);
  if (confirmed === token) return;
  throw refusal('CONFIRMATION_REQUIRED', `${what} ${undo}.`, { details: { confirm: token, expected } });
}
