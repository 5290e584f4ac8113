import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Client, ServiceError, WorkflowFailedError } from '@temporalio/client';
import { PROBE_TYPE, TASK_QUEUE } from '../../workflows/contract.ts';
import { UNVERSIONED } from '../domain/ids.ts';
import { instant, type Instant } from '../domain/instant.ts';

const CALL_TIMEOUT = 5_000;
/** Of a look that a process which ends waits for. */
const LOOK_TIMEOUT = 1_000;
const PROMOTE_TIMEOUT = 20_000;
/** Room for a first step that a dying worker has taken along, which is given to another after ten seconds. */
const PROBE_TIMEOUT = 20_000;
/** A worker that has just come is known on one of its queues before it is on the other. */
const REGISTRATION_TIMEOUT = 10_000;
const RETRY_DELAY = 500;
/** A poll lasts a minute, so whoever works has begun one since. */
const POLLER_TTL = 70_000;
/** `WORKER_VERSIONING_MODE_VERSIONED`, which the SDK has as a type only. */
const VERSIONED = 2;
/** `ROUTING_CONFIG_UPDATE_STATE_IN_PROGRESS`, likewise. */
const IN_PROGRESS = 1;
/** gRPC's codes for what Temporal says no to. */
const NOT_FOUND = 5;
const FAILED_PRECONDITION = 9;

export interface WorkerVersion {
  readonly build: string;
  /** Processes that worked a minute ago. */
  readonly workers: number;
  /** The cases go to this one. */
  readonly isCurrent: boolean;
  /** When they began to, or had ceased to; null: they never have. */
  readonly since: Instant | null;
}

export type Promotion = 'done' | 'no_such_version' | 'nobody_works' | 'others_decide';

/**
 * The versions of the workers on a task queue. They are one "worker deployment" of Temporal's, which has the queue's
 * name where nobody gives it another, so that a test's or a developer's queue has versions of its own. Each call throws
 * when Temporal does not answer.
 */
export function createWorkerVersions(
  client: Client,
  taskQueue: string = TASK_QUEUE,
  deploymentName: string = taskQueue,
) {
  const { namespace } = client.options;
  const withTimeout = <T>(ms: number, call: () => Promise<T>) => client.withDeadline(Date.now() + ms, call);

  const deployment = async (timeout = CALL_TIMEOUT) => {
    try {
      const { workerDeploymentInfo } = await withTimeout(timeout, () =>
        client.workflowService.describeWorkerDeployment({ namespace, deploymentName }),
      );
      return workerDeploymentInfo ?? null;
    } catch (error) {
      if (codeOf(error) === NOT_FOUND) return null;
      throw error;
    }
  };

  /** How many processes of each build work on the queue. */
  const workers = async (timeout = CALL_TIMEOUT): Promise<ReadonlyMap<string, number>> => {
    const { pollers } = await withTimeout(timeout, () =>
      client.workflowService.describeTaskQueue({ namespace, taskQueue: { name: taskQueue } }),
    );
    const now = Date.now();
    const builds = pollers
      .filter(({ lastAccessTime }) => now - millisOf(lastAccessTime) < POLLER_TTL)
      .map(({ deploymentOptions }) => deploymentOptions)
      .map(
        (options) =>
          (Number(options?.workerVersioningMode) === VERSIONED ? options?.buildId : null) ?? UNVERSIONED,
      );
    return new Map(builds.map((build) => [build, builds.filter((other) => other === build).length]));
  };

  const setCurrent = async (buildId: string): Promise<Promotion> => {
    try {
      await withTimeout(PROMOTE_TIMEOUT, () =>
        client.workflowService.setWorkerDeploymentCurrentVersion({
          namespace,
          deploymentName,
          buildId,
        }),
      );
      return 'done';
    } catch (error) {
      if (codeOf(error) === NOT_FOUND) return 'no_such_version';
      // on one of the queues at least; or no worker of any version was ever there
      if (codeOf(error) === FAILED_PRECONDITION) return 'nobody_works';
      throw error;
    }
  };

  /** From server 1.32 on the answer comes before every partition of the task queues goes by it. */
  const untilRouted = async (): Promise<void> => {
    const deadline = Date.now() + PROMOTE_TIMEOUT;
    while (Number((await deployment())?.routingConfigUpdateState) === IN_PROGRESS) {
      if (Date.now() > deadline) throw new Error('Temporal did not finish to route tasks to the version');
      await delay(RETRY_DELAY);
    }
  };

  /**
   * Whether a worker does something, and not only was there: Temporal takes one that has been gone for minutes for
   * present, and with it every case would stand still.
   *
   * @param build null: whoever the cases go to
   */
  const works = async (build: string | null): Promise<boolean> => {
    try {
      await withTimeout(2 * PROBE_TIMEOUT, () =>
        client.workflow.execute(PROBE_TYPE, {
          workflowId: `worker-probe-${randomUUID()}`,
          taskQueue,
          workflowExecutionTimeout: PROBE_TIMEOUT,
          ...(build !== null && {
            versioningOverride: { pinnedTo: { deploymentName, buildId: build } },
          }),
        }),
      );
      return true;
    } catch (error) {
      if (error instanceof WorkflowFailedError) return false;
      // on one of the queues at least, as right after it has come
      if (error instanceof ServiceError && codeOf(error.cause) === FAILED_PRECONDITION) return false;
      throw error;
    }
  };

  /** Temporal itself looks for workers with a version only, so these are tried when they have the cases. */
  const promoteUnversioned = async (): Promise<Promotion> => {
    const before = await deployment();
    if (before === null) return 'done';
    if (!(await workers()).has(UNVERSIONED)) return 'nobody_works';
    const outcome = await setCurrent('');
    if (outcome !== 'done') return outcome;
    await untilRouted();
    if (await works(null)) return 'done';
    await setCurrent(before.routingConfig?.currentDeploymentVersion?.buildId ?? '');
    return 'nobody_works';
  };

  return {
    /** Whether anybody has worked on the version that the cases go to, within the last minute. */
    async isCurrentServed(): Promise<boolean> {
      // one after the other: neither is under way when this has come to its end
      const current = currentOf(await deployment(LOOK_TIMEOUT));
      return (await workers(LOOK_TIMEOUT)).has(current);
    },

    /** Whether somebody does what the cases ask for: tried, which takes up to 20 s where nobody does. */
    isWorking: (): Promise<boolean> => works(null),

    /** The build that the cases go to. */
    current: async (): Promise<string> => currentOf(await deployment()),

    /** The newest first. */
    async list(): Promise<readonly WorkerVersion[]> {
      const [info, working] = await Promise.all([deployment(), workers()]);
      const current = currentOf(info);
      const versions = [...(info?.versionSummaries ?? [])]
        .sort((a, b) => millisOf(b.createTime) - millisOf(a.createTime))
        .map(({ deploymentVersion, currentSinceTime, lastDeactivationTime }) => ({
          build: deploymentVersion?.buildId ?? '',
          since: currentSinceTime ?? lastDeactivationTime,
        }));
      const changed = current === UNVERSIONED ? info?.routingConfig?.currentVersionChangedTime : null;
      return [...versions, { build: UNVERSIONED, since: changed }].map(({ build, since }) => ({
        build,
        workers: working.get(build) ?? 0,
        isCurrent: build === current,
        since: since ? instant(millisOf(since)) : null,
      }));
    },

    /** Has all cases go to the workers of this build, which have shown that they work: each with its next step, and new ones from now on. */
    async promote(build: string): Promise<Promotion> {
      const info = await deployment();
      // Temporal's Worker Controller, or whoever took over from it: it would be refused to us, and is theirs to say
      if (info?.managerIdentity) return 'others_decide';
      if (build === UNVERSIONED) return promoteUnversioned();
      const known = info?.versionSummaries ?? [];
      if (!known.some(({ deploymentVersion }) => deploymentVersion?.buildId === build))
        return 'no_such_version';
      const deadline = Date.now() + REGISTRATION_TIMEOUT;
      for (;;) {
        const outcome = (await works(build)) ? await setCurrent(build) : 'nobody_works';
        if (outcome === 'done') await untilRouted();
        if (outcome !== 'nobody_works' || Date.now() > deadline) return outcome;
        await delay(RETRY_DELAY);
      }
    },
  };
}

export type WorkerVersions = ReturnType<typeof createWorkerVersions>;

interface Deployment {
  readonly routingConfig?: {
    readonly currentDeploymentVersion?: { readonly buildId?: string | null } | null;
  } | null;
}
const currentOf = (deployment: Deployment | null): string =>
  deployment?.routingConfig?.currentDeploymentVersion?.buildId ?? UNVERSIONED;

interface Timestamp {
  readonly seconds?: unknown;
  readonly nanos?: number | null;
}
const millisOf = (time: Timestamp | null | undefined): number =>
  time ? Number(time.seconds) * 1_000 + Math.floor((time.nanos ?? 0) / 1e6) : 0;

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined;
