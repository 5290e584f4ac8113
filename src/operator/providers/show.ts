import { listFindings } from '../../postgres/provider-findings.ts';
import { findProvider, listRegisteredProviders, type RegisteredProvider } from '../../postgres/providers.ts';
import { listTreatments } from '../../postgres/treatment-types.ts';
import { answer, type Answer, type Operation } from '../operation.ts';
import { notFound } from '../operator-error.ts';
import { facts, parts } from '../terminal.ts';
import { describeConnection } from './options.ts';
import { type Report, reportJson, reportText } from './report.ts';

export const PROVIDER = ['<id>', 'which provider'] as const;

/** @throws Ending when there is no such provider */
export async function requireProvider({ database }: Operation, id: string): Promise<RegisteredProvider> {
  const row = await findProvider(database, id);
  if (row) return row;
  const known = (await listRegisteredProviders(database)).map((provider) => provider.id);
  const there = known.length > 0 ? `There are: ${known.join(', ')}.` : 'None is registered yet.';
  throw notFound(`There is no provider "${id}". ${there}`, { providers: known });
}

/** @throws Ending when one of them is no kind of treatment */
export async function requireTreatments({ database }: Operation, codes: readonly string[]): Promise<void> {
  const known = (await listTreatments(database)).map(({ code }) => code);
  const others = codes.filter((code) => !known.includes(code));
  if (others.length === 0) return;
  throw notFound(`There is no kind of treatment ${others.join(', ')}. There are: ${known.join(', ')}.`, {
    treatments: known,
  });
}

/** A provider as it is registered now, with what was done to it. */
export async function providerAnswer(
  operation: Operation,
  id: string,
  did: string | null,
  report: Report | null,
  next: string | null = null,
): Promise<Answer> {
  const row = await requireProvider(operation, id);
  const findings = await listFindings(operation.database, row.id);
  const problems = [...new Set(findings.map(({ kind }) => kind))];
  return answer(
    parts(
      did,
      facts([
        ['Id', row.id],
        ['Name', row.name],
        ['Offers', row.treatments.join(', ') || 'nothing, so it can not be booked'],
        ['Booking system', `${row.kind}, ${row.base_url}`],
        ['It is shown', describeConnection(row.connection, operation.isSet)],
        ['To come', `${row.upcoming} appointments`],
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

export const providerJson = ({
  id,
  name,
  kind,
  base_url,
  connection,
  treatments,
  upcoming,
}: RegisteredProvider) => ({
  id,
  name,
  kind,
  url: base_url,
  connection,
  treatmentTypes: treatments,
  upcomingAppointments: upcoming,
});
