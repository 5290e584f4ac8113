import type { Command } from '@commander-js/extra-typings';
import { UNVERSIONED } from '../domain/ids.ts';
import { examples } from './arguments.ts';
import { answer, logged, type Run } from './operation.ts';
import { notFound, refusal, temporalUnavailable } from './operator-error.ts';
import { parts, table } from './terminal.ts';

/**
 * Which version of the workers the cases go to. Temporal's command line can do the same; what it lacks is the entry in
 * the operators' log, the look for workers without a version, and the warning that nobody works.
 */
export function workerCommands(program: Command, run: Run): void {
  const worker = program.command('worker').description("the workers' versions, and which one is current");

  worker
    .command('versions')
    .description('all worker versions, and which one is current')
    .addHelpText('after', examples('worker versions  # before and after an upgrade'))
    .action(() =>
      run(async ({ workerVersions }) => {
        const versions = await workerVersions.list().catch(unavailable);
        const deserted = versions.find(({ isCurrent, workers }) => isCurrent && workers === 0);
        const columns = {
          Version: 'build',
          Workers: 'workers',
          Current: ({ isCurrent, since }: (typeof versions)[number]) =>
            isCurrent ? 'yes' : since ? 'no longer' : 'not yet',
          Since: 'since',
        } as const;
        const warning = `No worker of ${deserted?.build} is running: all cases stand still until one is, or another version is promoted.`;
        return answer(parts(table(columns, versions, 'There are none.'), deserted ? warning : null), {
          data: versions,
        });
      }),
    );

  worker
    .command('promote')
    .description('make this the current worker version, newer or older: all cases go to its workers')
    .argument('<build>', 'their WORKER_BUILD_ID; "unversioned" for those that have none')
    .addHelpText(
      'after',
      examples(
        'worker promote 2026-11-21  # when its workers run, beside the old ones or in their place',
        'worker promote unversioned  # back to workers without a WORKER_BUILD_ID',
      ),
    )
    .action((build) =>
      run(async (operation) => {
        await logged(operation, { action: 'worker.promote', subject: build }, async () => {
          const promotion = await operation.workerVersions.promote(build).catch(unavailable);
          if (promotion === 'no_such_version')
            throw notFound(`No worker of "${build}" has ever run. \`operator worker versions\` shows all.`);
          if (promotion === 'nobody_works')
            throw refusal(
              'NOBODY_WORKS',
              `No worker of "${build}" is running, so nothing was changed. Start one, and try again.`,
            );
        });
        return answer(
          build === UNVERSIONED
            ? `${build} is current. Stop the workers of other versions: the cases that they have in memory stay with them until then.`
            : `${build} is current: all cases go to its workers. Those of other versions can be stopped.`,
          { current: build },
        );
      }),
    );
}

const unavailable = () => {
  throw temporalUnavailable(
    'Temporal unreachable. `operator worker versions` shows which version is current.',
  );
};
