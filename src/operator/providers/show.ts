import { formatTimestamp } from '../../calendar/format.ts';
import { listFindings } from '../../postgres/provider-findings.ts';
import { findProvider, listProviders, type RegisteredProvider } from '../../postgres/providers.ts';
import { listTreatments } from '../../postgres/treatment-types.ts';
import { answer, type Answer, type Operation } from '../operation.ts';
import { unknown } from '../operator-error.ts';
import { facts, parts } from '../view.ts';
import { describeConnection, describeSettings } from './fields.ts';
import { type Report, reportJson, reportText } from './report.ts';

/** @throws OperatorError when there is no such provider */
export async function requireProvider({ database }: Operation, id: string): Promise<RegisteredProvider> {
  const row = await findProvider(database, id);
  if (row) return row;
  const known = await listProviders(database);
  throw unknown(
    'provider',
    id,
    'providers',
    known.map((provider) => provider.id),
  );
}

/** @throws OperatorError when one of them is no kind of treatment */
export async function requireTreatments({ database }: Operation, codes: readonly string[]): Promise<void> {
  const known = (await listTreatments(database)).map(({ code }) => code);
  const others = codes.filter((code) => !known.includes(code));
  if (others.length > 0) throw unknown('kind of treatment', others.join(', '), 'treatments', known);
}

interface Shown {
  /** What was done to it. */
  readonly did?: string;
  readonly report?: Report | null;
  readonly next?: string | null;
}

/** A provider as it is registered now. */
export async function providerAnswer(
  operation: Operation,
  id: string,
  { did, report = null, next = null }: Shown = {},
): Promise<Answer> {
  const row = await requireProvider(operation, id);
  const findings = await listFindings(operation.database, row.id);
  const problems = [...new Set(findings.map(({ kind }) => kind))];
  return answer(
    parts(
      did ?? null,
      facts([
        ['Id', row.id],
        ['Name', row.name],
        ['Offers', row.treatments.join(', ') || 'nothing, so it cannot be booked'],
        ['Booking system', `${row.kind}, ${row.base_url}`],
        ['Authentication', describeConnection(row.connection, operation.isSet)],
        ['Asked', describeSettings(row.settings)],
        ['To come', `${row.upcoming} appointments`],
        ['Watched', `last compared with our appointments at ${formatTimestamp(row.watched_at)}`],
        [
          'Left alone',
          row.circuit_open_since &&
            `since ${formatTimestamp(row.circuit_open_since)}, after: ${row.circuit_answer}. One call tries it every half minute`,
        ],
        [
          'Problems',
          problems.length > 0 ? `${problems.join(', ')}: \`provider problems ${id}\`` : 'none known',
        ],
      ]),
      report && reportText(report),
      next,
    ),
    { ...providerJson(row), problems, ...(report ? { check: reportJson(report) } : {}) },
  );
}

export const providerJson = ({ base_url: url, treatments, upcoming, ...row }: RegisteredProvider) => ({
  ...{ id: row.id, name: row.name, kind: row.kind, url, connection: row.connection },
  settings: row.settings,
  treatmentTypes: treatments,
  upcomingAppointments: upcoming,
  watchedAt: row.watched_at,
  unwatchedAnswer: row.unwatched_answer,
  circuitOpenSince: row.circuit_open_since,
  circuitAnswer: row.circuit_answer,
});
