import { Context } from '@temporalio/activity';
import type { Activities, ProjectionDeps } from './contract.ts';
import { guard } from './failures.ts';
import { createMessageActivities, type MessageDeps } from './messages.ts';
import { createProviderActivities, type ProviderDeps } from './provider.ts';
import { createSweepActivities, type SweepDeps } from './sweep.ts';
import { createWatchActivities, type WatchDeps } from './watch.ts';

/** Everything that touches the world on behalf of a workflow. Each may run more than once, and then finds what it made. */
export const createActivities = (
  deps: ProviderDeps & MessageDeps & ProjectionDeps & WatchDeps & SweepDeps,
): Activities => {
  const { sendMessage } = createMessageActivities(deps);
  return guard({
    ...createProviderActivities(deps),
    sendMessage,
    project: deps.writeSnapshot,
    async projectAndSend({ snapshot, message }) {
      const overlap = await deps.writeSnapshot(snapshot);
      // what could not leave is ordered as a step of its own, which says why: what readers see waits for no channel
      const outcomes = await sendMessage(message).catch(() => ({}));
      return { overlap, outcomes };
    },
    ...createWatchActivities(deps),
    ...createSweepActivities(deps),
  });
};

type MessageActivities = Pick<Activities, 'sendMessage' | 'projectAndSend'>;

/** Sooner than Temporal's patience ends (workflows/activity-proxies.ts); most are done before the first one (milliseconds). */
const HEARTBEAT_EVERY = 3_000;

/**
 * What runs on the queue of messages. Each says that it is alive: a step that comes by a queue can be lost on its way, and
 * only the missing word tells that nobody works on it (docs/decisions/0122).
 */
export function messageActivitiesOf({ sendMessage, projectAndSend }: MessageActivities): MessageActivities {
  const alive =
    <I, O>(activity: (input: I) => Promise<O>) =>
    (input: I): Promise<O> => {
      const context = Context.current();
      const heartbeats = setInterval(() => context.heartbeat(), HEARTBEAT_EVERY);
      return activity(input).finally(() => clearInterval(heartbeats));
    };
  return { sendMessage: alive(sendMessage), projectAndSend: alive(projectAndSend) };
}
