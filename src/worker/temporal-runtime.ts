import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { ApplicationFailure, type LogLevel, type LogMetadata } from '@temporalio/common';
import { Runtime } from '@temporalio/worker';
import type { Logger } from 'pino';
import { reasonOf } from '../domain/fault.ts';

/** What of Temporal's own words about a line is ids, names of ours and numbers. All else may quote what somebody wrote. */
const PASSED_ON = [
  'traceId',
  'workflowId',
  'workflowType',
  'activityType',
  'attempt',
  'durationMs',
  'taskQueue',
  'state',
  'runId',
] as const;
/** Core describes a failed workflow task as Rust prints it, stack and all; a workflow has no personal data to say. */
const LONGEST_FAILURE = 300;

/** Temporal's levels as ours. */
const LEVELS = { TRACE: 'trace', DEBUG: 'debug', INFO: 'info', WARN: 'warn', ERROR: 'error' } as const;

/** In seconds. The objectives' bounds are among them, as in src/metrics. */
const BUCKETS = {
  workflow_task_schedule_to_start_latency: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 5, 15, 60],
  activity_schedule_to_start_latency: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 5, 15, 60],
  activity_succeed_endtoend_latency: [0.1, 0.5, 1, 5, 15, 60, 300, 600, 3_600],
};
const SCRAPE_TIMEOUT = 2_000;

/**
 * Sets up Temporal's runtime, which a process has one of: its lines, those of its native core too, are lines of our log.
 * Core's own come from `warn` on, as it tells of each poll below that.
 *
 * @returns the SDK's metrics, which it serves to this machine alone
 */
export async function installTemporalRuntime(log: Logger): Promise<{ metrics(): Promise<string> }> {
  const address = `127.0.0.1:${await pickPort()}`;
  const write = (level: LogLevel, message: string, meta?: LogMetadata) =>
    log[LEVELS[level]](meaningOf(meta ?? {}), message);
  Runtime.install({
    logger: {
      log: write,
      trace: (message, meta) => write('TRACE', message, meta),
      debug: (message, meta) => write('DEBUG', message, meta),
      info: (message, meta) => write('INFO', message, meta),
      warn: (message, meta) => write('WARN', message, meta),
      error: (message, meta) => write('ERROR', message, meta),
    },
    telemetryOptions: {
      logging: { filter: { core: 'WARN', other: 'ERROR' }, forward: {} },
      metrics: {
        attachServiceName: false,
        prometheus: {
          bindAddress: address,
          countersTotalSuffix: true,
          unitSuffix: true,
          useSecondsForDurations: true,
          histogramBucketOverrides: BUCKETS,
        },
      },
    },
    // the process itself says when its workers stop
    shutdownSignals: [],
  });
  return {
    async metrics() {
      const signal = AbortSignal.timeout(SCRAPE_TIMEOUT);
      return (await fetch(`http://${address}/metrics`, { signal })).text();
    },
  };
}

/** One that is free now: the SDK does not say which one it has taken. */
async function pickPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** A line's fields: whose step it is about, and how it failed. */
function meaningOf(meta: LogMetadata): Readonly<Record<string, unknown>> {
  const { error, failure } = meta as { error?: unknown; failure?: unknown };
  return {
    ...Object.fromEntries(
      PASSED_ON.flatMap((name) => (meta[name] === undefined ? [] : [[name, meta[name]]])),
    ),
    ...(error !== undefined && { failure: typeof error === 'string' ? cut(error) : failureOf(error) }),
    ...(typeof failure === 'string' && {
      failure: cut(/message: "((?:[^"\\]|\\.)*)"/.exec(failure)?.[1] ?? failure),
    }),
  };
}

/** What activities fail with holds nothing personal, as histories keep it (activities/failures.ts); of all else, the kind. */
const failureOf = (error: unknown) =>
  error instanceof ApplicationFailure
    ? { type: error.type, message: error.message }
    : { type: reasonOf(error) };

/** Why Temporal could not be reached, or does not take us: name server, certificate, namespace. */
export const temporalReasonOf = (error: unknown): string =>
  error instanceof Error && error.name === 'TransportError' ? cut(error.message) : reasonOf(error);

const cut = (text: string): string => text.slice(0, LONGEST_FAILURE);
