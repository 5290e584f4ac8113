import type { Command } from '@commander-js/extra-typings';
import { addTreatment, listTreatments, type TreatmentRow } from '../postgres/treatment-types.ts';
import { alreadyThere } from './ending.ts';
import { examples } from './examples.ts';
import { label, newCode } from './inputs.ts';
import { answer, logged, type Run } from './operation.ts';
import { parts, table } from './text.ts';

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
            ['Code', 'Norwegian', 'English', 'Offered by'],
            rows.map(({ code, name_nb, name_en, providers }) => [
              code,
              name_nb,
              name_en,
              providers.join(', ') || 'nobody, so it can not be asked for',
            ]),
            'There are no kinds of treatment.',
          ),
          { data: rows.map(json) },
        );
      }),
    );

  treatment
    .command('add')
    .description('add a kind of treatment; partners can ask for it once a provider offers it')
    .argument('<code>', "the API's treatmentType, and the code by which clinics name the service", newCode)
    .requiredOption('--nb <name>', 'what customers read in Norwegian', label)
    .requiredOption('--en <name>', 'what customers read in English', label)
    .addHelpText(
      'after',
      examples([
        'treatment add occupational_therapy --nb Ergoterapi --en "Occupational therapy"',
        'a new kind',
      ]),
    )
    .action((code, { nb, en }) =>
      run(async (operation) => {
        await logged(operation, { action: 'treatment.add', subject: code }, async () => {
          if (!(await addTreatment(operation.database, { code, nb, en })))
            throw alreadyThere(`There is a kind of treatment ${code} already.`);
        });
        return answer(parts(`${code} is added.`, `Next: \`operator provider offer <provider> ${code}\`.`), {
          treatmentType: code,
          name: { nb, en },
          providers: [],
        });
      }),
    );
}

const json = ({ code, name_nb, name_en, providers }: TreatmentRow) => ({
  treatmentType: code,
  name: { nb: name_nb, en: name_en },
  providers,
});
