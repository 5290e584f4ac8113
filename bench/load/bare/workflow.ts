import { condition, defineUpdate, proxyActivities, setHandler } from '@temporalio/workflow';

const { nothing } = proxyActivities<{ nothing(): Promise<void> }>({ startToCloseTimeout: '1 minute' });

export const finish = defineUpdate<string>('finish');

/**
 * What the engine's SDK does with as little of ours as can be: so many activities that do nothing, as many before an
 * update as after it.
 */
export async function bareLife(activities: number): Promise<void> {
  let isAsked = false;
  setHandler(finish, () => {
    isAsked = true;
    return 'done';
  });
  for (let i = 0; i < activities; i += 1) {
    if (i === Math.ceil(activities / 2)) await condition(() => isAsked);
    await nothing();
  }
  await condition(() => isAsked);
}

/** What a workflow is that has nothing to do: its start, and one task. */
export const bareStart = async (): Promise<void> => undefined;
