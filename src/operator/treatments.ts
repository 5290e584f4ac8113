import { addTreatment, listTreatments, setMinimumMinutes } from '../postgres/treatment-types.ts';
import type { InputOf } from './descriptions/index.ts';
import { answer, type Answer, listed, logged, type Operation } from './operation.ts';
import { alreadyExists, notFound } from './operator-error.ts';
import { parts, way } from './view.ts';

// The kinds of treatment that cases can be for.

export const list = async ({ database }: Operation): Promise<Answer> =>
  listed(
    (await listTreatments(database)).map(({ code, name_nb, name_en, minimum_minutes, providers }) => ({
      treatmentType: code,
      name: { nb: name_nb, en: name_en },
      minimumMinutes: minimum_minutes,
      providers,
    })),
    {
      Code: 'treatmentType',
      Norwegian: ({ name }) => name.nb,
      English: ({ name }) => name.en,
      'At least': ({ minimumMinutes }) => lengthText(minimumMinutes),
      'Offered by': ({ providers }) => providers.join(', ') || 'nobody, so it cannot be requested',
    },
    'There are no kinds of treatment.',
    ({ treatmentType: code }) => [way('treatment minutes', { code })],
  );

export async function add(
  operation: Operation,
  { code, nb, en, minutes }: InputOf<'treatment add'>,
): Promise<Answer> {
  const minimumMinutes = minutes ?? null;
  await logged(operation, { subject: code }, async () => {
    if (!(await addTreatment(operation.database, { code, nb, en, minimumMinutes })))
      throw alreadyExists(`There is a kind of treatment ${code} already.`);
  });
  return answer(parts(`${code} is added.`, `Next: \`operator provider offer <provider> ${code}\`.`), {
    treatmentType: code,
    name: { nb, en },
    minimumMinutes,
    providers: [],
  });
}

export async function setMinutes(
  operation: Operation,
  { code, number }: InputOf<'treatment minutes'>,
): Promise<Answer> {
  const minimumMinutes = number ?? null;
  const note = lengthText(minimumMinutes);
  await logged(operation, { subject: code, note }, async () => {
    if (!(await setMinimumMinutes(operation.database, code, minimumMinutes)))
      throw notFound(`There is no kind of treatment "${code}". \`operator treatment list\` shows them.`);
  });
  return answer(`Free times for ${code}: ${minimumMinutes === null ? note : `at least ${note}`}.`, {
    treatmentType: code,
    minimumMinutes,
  });
}

const lengthText = (minutes: number | null): string =>
  minutes === null ? 'any length' : `${minutes} minutes`;
