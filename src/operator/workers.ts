import type { Command } from '@commander-js/extra-typings';
import { formatTimestamp } from '../calendar/format.ts';
import { examples } from './arguments.ts';
import { answer, logged, type Run } from './operation.ts';
import { notFound, OperatorError } from './operator-error.ts';
import { parts, table } from './terminal.ts';

/** Which version of the workers the cases go to, where workers have a build id. */
export function workerCommands(program: Command, run: Run): void {
  const worker = program.command('worker').description("the workers' versions: which one has the cases");

  worker
    .command('versions')
    .description('the versions that there are, and which one the cases go to')
    .addHelpText('after', examples(['worker versions', 'before and after an upgrade']))
    .action(() =>
      run(async ({ workerVersions }) => {
        const versions = await workerVersions.list().catch(() => {
          throw temporalUnavailable();
        });
        const deserted = versions.find(({ isCurrent, workers }) => isCurrent && workers === 0);
        return answer(
          parts(
            table(
              ['Version', 'Workers', 'Has the cases', 'Since'],
              versions.map(({ build, workers, isCurrent, since }) => [
                build,
                String(workers),
                isCurrent ? 'yes' : since ? 'no longer' : 'not yet',
                since ? formatTimestamp(since) : '',
              ]),
              'There are none.',
            ),
            deserted
              ? `No worker of ${deserted.build} is there: all cases stand still until one is, or another version is promoted.`
              : null,
          ),
          { data: versions },
        );
      }),
    );

  worker
    .command('promote')
    .description('have all cases go to the workers of this version: the newer, or an older one again')
    .argument('<build>', 'their WORKER_BUILD_ID; "unversioned" for those that have none')
    .addHelpText(
      'after',
      examples(
        ['worker promote 2026-11-21', 'when its workers are there, beside the old ones or in their place'],
        ['worker promote unversioned', 'back to workers without a WORKER_BUILD_ID'],
      ),
    )
    .action((build) =>
      run(async (operation) => {
        await logged(operation, { action: 'worker.promote', subject: build }, async () => {
          const promotion = await operation.workerVersions.promote(build).catch(() => {
            throw temporalUnavailable();
          });
          if (promotion === 'no_such_version')
            throw notFound(`No worker of "${build}" was ever there. \`operator worker versions\` shows all.`);
          if (promotion === 'nobody_works')
            throw new OperatorError(
              'refused',
              'NOBODY_WORKS',
              `No worker of "${build}" is there, so the cases stay where they are. Start one, and try again.`,
            );
        });
        return answer(`All cases go to ${build} now. The workers of other versions can be stopped.`, {
          current: build,
        });
      }),
    );
}

const temporalUnavailable = () =>
  new OperatorError(
    'away',
    'TEMPORARILY_UNAVAILABLE',
    'Temporal does not answer. `operator worker versions` shows which version has the cases.',
  );
