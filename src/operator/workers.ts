import { UNVERSIONED } from '../domain/ids.ts';
import type { InputOf } from './descriptions/index.ts';
import { answer, type Answer, logged, type Operation } from './operation.ts';
import { notFound, refusal, temporalUnavailable } from './operator-error.ts';
import { parts, table } from './view.ts';

/*
 * Which version of the workers the cases go to. Temporal's command line can do the same; what it lacks is the entry in
 * the operators' log, the look for workers without a version, and the warning that nobody works.
 */

export async function versions({ workerVersions }: Operation): Promise<Answer> {
  const all = await workerVersions.list().catch(unavailable);
  const deserted = all.find(({ isCurrent, workers }) => isCurrent && workers === 0);
  const columns = {
    Version: 'build',
    Workers: 'workers',
    Current: ({ isCurrent, since }: (typeof all)[number]) =>
      isCurrent ? 'yes' : since ? 'no longer' : 'not yet',
    Since: 'since',
  } as const;
  const warning = `No worker of ${deserted?.build} is running: all cases stand still until one is, or another version is promoted.`;
  return answer(parts(table(columns, all, 'There are none.'), deserted ? warning : null), { data: all });
}

export async function promote(operation: Operation, { build }: InputOf<'worker promote'>): Promise<Answer> {
  await logged(operation, { subject: build }, async () => {
    const promotion = await operation.workerVersions.promote(build).catch(unavailable);
    if (promotion === 'no_such_version')
      throw notFound(`No worker of "${build}" has ever run. \`operator worker versions\` shows all.`);
    if (promotion === 'others_decide')
      throw refusal(
        'OTHERS_DECIDE',
        'Temporal’s Worker Controller, or somebody in its place, decides which version is current: roll out or back there.',
      );
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
}

const unavailable = () => {
  throw temporalUnavailable(
    'Temporal unreachable. `operator worker versions` shows which version is current.',
  );
};
