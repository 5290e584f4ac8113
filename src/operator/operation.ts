import type { ReconcileResult, ReconcileTask } from '../../workflows/contract.ts';
import type { Environment } from '../identity/secrets.ts';
import type { Database } from '../postgres/database.ts';
import { addLogEntry, type LogEntry, recordOutcome } from '../postgres/operators.ts';
import type { ProviderRow } from '../postgres/providers.ts';
import type { Availability, AvailabilityQuery } from '../providers/availability.ts';
import type { SearchObserver } from '../providers/adapter.ts';
import type { BookingSystem } from '../providers/port.ts';
import type { CaseClient } from '../temporal/case-client.ts';
import type { WorkerVersions } from '../worker/versions.ts';
import { OperatorError, refusal, wrongUsage } from './operator-error.ts';
import { type Columns, table, type Terminal, type Text } from './terminal.ts';

/** All that the commands work with, handed over by the composition root. */
export interface Service {
  readonly settings: {
    readonly environment: Environment;
    /** Without a trailing slash. */
    readonly publicUrl: string;
    /** To whose numbers SMS are sent (ISO 3166). */
    readonly smsCountries: readonly string[];
  };
  readonly database: Database;
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
}

/** One command under way. */
export interface Operation extends Service {
  /** Who it is that gives the command, by their own word. */
  readonly operator: string;
  readonly terminal: Terminal;
  readonly now: () => Date;
}

/** What a command has to say, for scripts and for people. */
export interface Answer {
  readonly json: unknown;
  readonly text: Text;
  /** 0 when left out. */
  readonly exit?: number;
}

export const answer = (text: Text | string, json: unknown): Answer => ({
  json,
  text: typeof text === 'string' ? () => text : text,
});

/** A list: a table for people, `data` for scripts. @param nothing what people read where it is empty */
export const listed = <Row>(rows: readonly Row[], columns: Columns<Row>, nothing: string): Answer =>
  answer(table(columns, rows, nothing), { data: rows });

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

/** Runs a command: opens what it needs, and prints its answer. */
export type Run = (work: (operation: Operation) => Promise<Answer>) => Promise<void>;

/** Does it, with an entry in the operators' log: there before, and with its outcome after. */
export async function logged<T>(
  { database, operator }: Operation,
  entry: Omit<LogEntry, 'operator'>,
  work: () => Promise<T>,
): Promise<T> {
  const id = await addLogEntry(database, { ...entry, operator });
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

/** The option of every command that asks. */
export const YES = ['-y, --yes', 'do it without asking'] as const;

/**
 * Asks before what cannot be undone, or not all of it. Never waits for somebody who is not there.
 *
 * @param expected what must be typed
 * @param undo what is possible afterwards
 */
export async function confirm(
  { terminal }: Operation,
  what: string,
  {
    yes,
    expected = 'yes',
    undo = 'This cannot be undone',
  }: { yes: true | undefined; expected?: string; undo?: string },
): Promise<void> {
  if (yes) return;
  if (!terminal.canAsk)
    throw wrongUsage(`${what} ${undo}, and there is nobody to ask: add --yes if you mean it.`);
  const typed = await terminal.ask(`${what} ${undo}.\nType ${expected} to go on: `);
  if (typed?.trim().toLowerCase() !== expected) throw refusal('NOT_CONFIRMED', 'Nothing was changed.');
}
