import { FINDING_KINDS } from '../../domain/findings.ts';
import { countAttentionAtProviders } from '../../postgres/attention.ts';
import { listFindings } from '../../postgres/provider-findings.ts';
import {
  listRegisteredProviders,
  offerTreatments,
  removeProvider,
  withdrawTreatments,
} from '../../postgres/providers.ts';
import type { InputOf } from '../descriptions/index.ts';
import { answer, type Answer, confirm, inCamelCase, listed, logged, type Operation } from '../operation.ts';
import { notFound, refusal, wrongUsage } from '../operator-error.ts';
import { facts, parts, table, titled, way } from '../view.ts';
import { checkProvider, stageOf } from './check.ts';
import { providerAnswer, providerJson, requireProvider, requireTreatments } from './show.ts';

// The clinics, and what they offer.

/** The clinics' board: what each offers, when its calendar was last seen, and what waits there. */
export async function list({ database }: Operation): Promise<Answer> {
  const [providers, findings, waiting] = await Promise.all([
    listRegisteredProviders(database),
    listFindings(database),
    countAttentionAtProviders(database),
  ]);
  return listed(
    providers.map((row) => ({
      ...providerJson(row),
      needsSomebody: waiting.get(row.id) ?? 0,
      problems: [...new Set(findings.filter((one) => one.provider_id === row.id).map(({ kind }) => kind))],
    })),
    {
      Id: 'id',
      Name: 'name',
      Offers: ({ treatmentTypes }) => treatmentTypes.join(', ') || 'nothing',
      'To come': 'upcomingAppointments',
      'Left alone': ({ circuitOpenSince, circuitAnswer }) =>
        circuitOpenSince === null ? null : [circuitOpenSince, circuitAnswer],
      Seen: ({ watchedAt, unwatchedAnswer }) => [watchedAt, unwatchedAnswer ?? []].flat(),
      'Needs somebody': 'needsSomebody',
      Problems: 'problems',
      Kind: 'kind',
      Auth: ({ connection }) => connection?.auth ?? 'unreadable',
      Address: 'url',
    },
    'No provider is registered yet: `operator provider add` does that.',
    ({ id }) => [
      way('provider show', { id }),
      way('provider problems', { id }),
      way('attention', { provider: id }),
    ],
  );
}

export async function show(operation: Operation, input: InputOf<'provider show'>): Promise<Answer> {
  const { id, check: wanted, ...options } = input;
  const stage = stageOf(options);
  if (!wanted && options.write) throw wrongUsage('--write goes with --check.');
  const row = await requireProvider(operation, id);
  if (!wanted) return providerAnswer(operation, id);
  const check = () => checkProvider(operation, row, row.treatments, options);
  const entry = { action: 'provider.check', subject: id, note: `checked by ${stage}` };
  const report = await (options.write ? logged(operation, entry, check) : check());
  return providerAnswer(operation, id, { report });
}

export async function remove(operation: Operation, { id }: InputOf<'provider remove'>): Promise<Answer> {
  const row = await requireProvider(operation, id);
  confirm(operation, `Provider ${id} (${row.name}) will be removed.`);
  await logged(operation, { subject: id }, async () => {
    if (await removeProvider(operation.database, row.id)) return;
    const withdraw = `provider withdraw ${id} ${row.treatments.join(' ') || '<treatment>'}`;
    throw refusal(
      'PROVIDER_IN_USE',
      `Cases refer to ${id}, so it stays. \`operator ${withdraw}\` stops new bookings.`,
    );
  });
  return answer(`Provider ${id} is removed.`, { id, removed: true });
}

export async function offer(
  operation: Operation,
  { id, treatments }: InputOf<'provider offer'>,
): Promise<Answer> {
  const row = await requireProvider(operation, id);
  await requireTreatments(operation, treatments);
  const codes = treatments.join(', ');
  await logged(operation, { subject: id, note: codes }, () =>
    offerTreatments(operation.database, row.id, treatments),
  );
  return providerAnswer(operation, id, { did: `${row.name} can be booked for ${codes}.` });
}

export async function withdraw(
  operation: Operation,
  { id, treatments }: InputOf<'provider withdraw'>,
): Promise<Answer> {
  const row = await requireProvider(operation, id);
  const others = treatments.filter((code) => !row.treatments.includes(code));
  const offers = row.treatments.join(', ') || 'nothing';
  if (others.length > 0)
    throw notFound(`${row.name} does not offer ${others.join(', ')}. It offers: ${offers}.`);
  const codes = treatments.join(', ');
  await logged(operation, { subject: id, note: codes }, () =>
    withdrawTreatments(operation.database, row.id, treatments),
  );
  return providerAnswer(operation, id, { did: `${row.name} is no longer booked for ${codes}.` });
}

const MEANING: Readonly<Record<string, string>> = FINDING_KINDS;

/** What was found at clinics that somebody should know of; customers are not bothered with it. */
export async function problems(operation: Operation, { id }: InputOf<'provider problems'>): Promise<Answer> {
  const row = id === undefined ? null : await requireProvider(operation, id);
  const data = (await listFindings(operation.database, row?.id)).map((finding) => ({
    ...inCamelCase(finding),
    about: finding.about || null,
  }));
  const kinds = [...new Set(data.map(({ kind }) => kind))];
  const meanings = facts(kinds.map((kind) => [kind, MEANING[kind] ?? 'not known to this version']));
  return answer(
    parts(
      table(
        {
          'Last seen': 'lastSeen',
          Provider: 'providerId',
          Problem: 'kind',
          About: 'about',
          Times: 'count',
          'First seen': 'firstSeen',
        },
        data,
        'No problems known.',
      ),
      kinds.length > 0 ? titled('What it means', meanings) : null,
    ),
    { data },
  );
}
