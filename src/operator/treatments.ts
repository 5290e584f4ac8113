import type { Command } from '@commander-js/extra-typings';
import { addTreatment, listTreatments, setMinimumMinutes } from '../postgres/treatment-types.ts';
import { examples, label, newCode, wholeNumber } from './arguments.ts';
import { answer, listed, logged, type Run } from './operation.ts';
import { alreadyExists, notFound } from './operator-error.ts';
import { parts } from './terminal.ts';

/** The kinds of treatment that cases can be for. */
export function treatmentCommands(program: Command, run: Run): void {
  const treatment = program.command('treatment').description('kinds of treatment that cases can be for');

  treatment
    .command('list')
    .description('all kinds, and who offers them')
    .addHelpText('after', examples('treatment list  # all of them'))
    .action(() =>
      run(async ({ database }) =>
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
        ),
      ),
    );

  treatment
    .command('add')
    .description('add a kind of treatment; partners can ask for it once a provider offers it')
    .argument('<code>', "the API's treatmentType, and the code by which clinics name the service", newCode)
    .requiredOption('--nb <name>', 'what customers read in Norwegian', label)
    .requiredOption('--en <name>', 'what customers read in English', label)
    .option('--minutes <number>', 'free times that are shorter are not offered', ...MINUTES)
    .addHelpText(
      'after',
      examples(
        'treatment add occupational_therapy --nb Ergoterapi --en "Occupational therapy"  # a new kind',
      ),
    )
    .action((code, { nb, en, minutes: minimumMinutes = null }) =>
      run(async (operation) => {
        await logged(operation, { action: 'treatment.add', subject: code }, async () => {
          if (!(await addTreatment(operation.database, { code, nb, en, minimumMinutes })))
            throw alreadyExists(`There is a kind of treatment ${code} already.`);
        });
        return answer(parts(`${code} is added.`, `Next: \`operator provider offer <provider> ${code}\`.`), {
          treatmentType: code,
          name: { nb, en },
          minimumMinutes,
          providers: [],
        });
      }),
    );

  treatment
    .command('minutes')
    .description('set how long a free time must be at least; existing bookings stay')
    .argument('<code>', 'the kind of treatment')
    .argument('[number]', 'minutes; without it any length will do', ...MINUTES)
    .addHelpText(
      'after',
      examples(
        'treatment minutes psychology 45  # nothing shorter than 45 minutes',
        'treatment minutes psychology  # any length',
      ),
    )
    .action((code, number) =>
      run(async (operation) => {
        const minimumMinutes = number ?? null;
        const note = lengthText(minimumMinutes);
        await logged(operation, { action: 'treatment.minutes', subject: code, note }, async () => {
          if (!(await setMinimumMinutes(operation.database, code, minimumMinutes)))
            throw notFound(
              `There is no kind of treatment "${code}". \`operator treatment list\` shows them.`,
            );
        });
        return answer(`Free times for ${code}: ${minimumMinutes === null ? note : `at least ${note}`}.`, {
          treatmentType: code,
          minimumMinutes,
        });
      }),
    );
}

/** A working day at most, as the table has it. */
const MINUTES = [wholeNumber(1, 480)] as const;

const lengthText = (minutes: number | null): string =>
  minutes === null ? 'any length' : `${minutes} minutes`;
