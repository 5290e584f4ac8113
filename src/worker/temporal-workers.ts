import {
  type ActivityInterceptorsFactory,
  NativeConnection,
  Worker,
  type WorkerOptions,
  type WorkflowBundleOption,
} from '@temporalio/worker';
import type { Activities, ReconcileActivities, RetentionActivities } from '../../activities/contract.ts';
import { messageActivitiesOf } from '../../activities/index.ts';
import { messageQueueOf } from '../../workflows/contract.ts';
import type { WorkerSettings } from '../config/settings.ts';
import { retryUntilAvailable } from '../main/process.ts';
import { dataConverterOf } from '../temporal/payload-codec.ts';
import { temporalConnection } from '../temporal/profile.ts';
import { traceparentIn } from '../temporal/trace-header.ts';
import { inSpan, traceIdOf } from '../tracing/spans.ts';

export interface WorkerParts {
  readonly activities: Activities;
  readonly reconciling: ReconcileActivities & RetentionActivities;
  readonly bundle: WorkflowBundleOption;
  readonly taskQueue: string;
}

/** Half a MiB each. Between one day and the next a case is forgotten anyway, and read again from its history in 10 ms. */
const MAX_CACHED_CASES = 500;

/** As many messages at a time as the mail server and Twilio like to get from one process. */
const MAX_CONCURRENT_MESSAGES = 20;

/** Works on the cases and on their messages, and comes back after Temporal has been away. */
export function runWorkers(
  settings: WorkerSettings,
  { activities, reconciling, bundle, taskQueue }: WorkerParts,
  onFailure: (error: unknown) => void,
): { isRunning(): boolean; stop(): Promise<void> } {
  let workers: Worker[] = [];
  let stopping = false;
  const isStopping = () => stopping;
  const shutDown = () =>
    workers.filter((worker) => worker.getState() === 'RUNNING').forEach((worker) => worker.shutdown());

  const run = async () => {
    const connection = await NativeConnection.connect(temporalConnection(settings));
    const common: Omit<WorkerOptions, 'taskQueue'> = {
      connection,
      namespace: settings.TEMPORAL_NAMESPACE,
      dataConverter: dataConverterOf(settings.TEMPORAL_PAYLOAD_KEYS ?? []),
      interceptors: { activity: [traceActivities] },
      // what is under way may finish; whoever stops us waits 30 s, in which more than this has to end
      shutdownGraceTime: '15s',
      shutdownForceTime: '24s',
      ...versioningOptions(taskQueue, settings),
    };
    try {
      workers = await Promise.all([
        Worker.create({
          ...common,
          taskQueue,
          workflowBundle: bundle,
          activities: { ...activities, ...reconciling },
          maxCachedWorkflows: MAX_CACHED_CASES,
        }),
        Worker.create({
          ...common,
          taskQueue: messageQueueOf(taskQueue),
          activities: messageActivitiesOf(activities),
          maxConcurrentActivityTaskExecutions: MAX_CONCURRENT_MESSAGES,
        }),
      ]);
      // where one ends by itself, the other must be made anew with it
      const running = workers.map((worker) => worker.run().finally(() => shutDown()));
      // SIGTERM while they were being made
      if (isStopping()) shutDown();
      await Promise.all(running);
    } finally {
      workers = [];
      await connection.close();
    }
    if (!isStopping()) throw new Error('worker stopped unexpectedly');
  };
  const running = retryUntilAvailable(
    () => (isStopping() ? Promise.resolve() : run()),
    (error) => onFailure(error),
  );

  return {
    isRunning: () => workers.length > 0 && workers.every((worker) => worker.getState() === 'RUNNING'),
    async stop() {
      stopping = true;
      shutDown();
      await running;
    },
  };
}

/** Each attempt is a step of the trace that its workflow is in, and names it in its lines of the log. */
const traceActivities: ActivityInterceptorsFactory = ({ info }) => {
  const { activityType, attempt, workflowExecution } = info;
  let trace: string | null = null;
  return {
    inbound: {
      execute(input, next) {
        trace = traceparentIn(input.headers);
        const attributes = {
          'temporal.workflow_id': workflowExecution?.workflowId,
          'temporal.attempt': attempt,
        };
        const span = { kind: 'consumer', trace, attributes } as const;
        return inSpan(`activity ${activityType}`, span, () => next(input));
      },
    },
    outbound: {
      getLogAttributes: (attributes, next) => next({ ...attributes, traceId: traceIdOf(trace) }),
    },
  };
};

/**
 * Both of a process's workers are of one version, so both are to be there before it may be promoted. A case that waits
 * goes on with the version that is current then, whichever it began with: none waits for the end of an old one.
 */
const versioningOptions = (
  taskQueue: string,
  { TEMPORAL_WORKER_BUILD_ID: buildId, TEMPORAL_DEPLOYMENT_NAME: deploymentName = taskQueue }: WorkerSettings,
): Pick<WorkerOptions, 'workerDeploymentOptions'> =>
  buildId === undefined
    ? {}
    : {
        workerDeploymentOptions: {
          version: { deploymentName, buildId },
          useWorkerVersioning: true,
          defaultVersioningBehavior: 'AUTO_UPGRADE',
        },
      };
