import type { Activities, ProjectionDeps } from './contract.ts';
import { guard } from './failures.ts';
import { createMessageActivities, type MessageDeps } from './messages.ts';
import { createProviderActivities, type ProviderDeps } from './provider.ts';
import { createSweepActivities, type SweepDeps } from './sweep.ts';
import { createWatchActivities, type WatchDeps } from './watch.ts';

/** Everything that touches the world on behalf of a workflow. Each may run more than once, and then finds what it made. */
export const createActivities = (
  deps: ProviderDeps & MessageDeps & ProjectionDeps & WatchDeps & SweepDeps,
): Activities =>
  guard({
    ...createProviderActivities(deps),
    ...createMessageActivities(deps),
    project: deps.writeSnapshot,
    ...createWatchActivities(deps),
    ...createSweepActivities(deps),
  });

/** What runs on the queue of messages. */
export const messageActivitiesOf = (activities: Activities): Pick<Activities, 'sendMessage'> => ({
  sendMessage: (task) => activities.sendMessage(task),
});
