import type { Command } from '@commander-js/extra-typings';
import {
  addTreatment,
  listTreatments,
  setMinimumMinutes,
  type TreatmentRow,
} from '../postgres/treatment-types.ts';
import { examples, label, newCode, wholeNumber } from './arguments.ts';
import { answer, logged, type Run } from './operation.ts';
import { alreadyExists, notFound } from './operator-error.ts';
import { parts, table } from './terminal.ts';

/** The kinds of treatment that cases can be for. */
export function treatmentCommands(program: Command, run: Run): void {
  const treatment = program.command('treatment').description('kinds of treatment that cases can be for');

  treatment
    .command('list')
    .description('all kinds, and who offers them')
    .addHelpText('after', examples(['treatment list', 'all of them']))
    .action(() =>
      run(async ({ database }) => {
        const rows = await listTreatments(database);
        return answer(
          table(
            ['Code', 'Norwegian', 'English', 'At least', 'Offered by'],
            rows.map(({ code, name_nb, name_en, minimum_minutes, providers }) => [
              code,
              name_nb,
              name_en,
              minimum_minutes === null ? 'any length' : `${minimum_minutes} minutes`,
              providers.join(', ') || 'nobody, so it can not be asked for',
            ]),
            'There are no kinds of treatment.',
          ),
          { data: rows.map(treatmentJson) },
        );
      }),
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
      examples([
        'treatment add occupational_therapy --nb Ergoterapi --en "Occupational therapy"',
        'a new kind',
      ]),
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
    .description('say how long a free time has to be at least; what is booked already stays')
    .argument('<code>', 'the kind of treatment')
    .argument('[number]', 'minutes; any length will do when left out', ...MINUTES)
    .addHelpText(
      'after',
      examples(
        ['treatment minutes psychology 45', 'nothing shorter than 45 minutes'],
        ['treatment minutes psychology', 'any length'],
      ),
    )
    .action((code, number) =>
      run(async (operation) => {
        const minutes = number ?? null;
        const note = minutes === null ? 'any length' : `${minutes} minutes`;
        await logged(operation, { action: 'treatment.minutes', subject: code, note }, async () => {
          if (!(await setMinimumMinutes(operation.database, code, minutes)))
            throw notFound(
              `There is no kind of treatment "${code}". \`operator treatment list\` shows them.`,
            );
        });
        return answer(`Free times for ${code}: ${minutes === null ? note : `at least ${note}`}.`, {
          treatmentType: code,
          minimumMinutes: minutes,
        });
      }),
    );
}

/** A day's work at most, as the table has it. */
const MINUTES = [wholeNumber(1, 480)] as const;

const treatmentJson = ({ code, name_nb, name_en, minimum_minutes, providers }: TreatmentRow) => ({
  treatmentType: code,
  name: { nb: name_nb, en: name_en },
  minimumMinutes: minimum_minutes,
  providers,
});
