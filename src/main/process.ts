import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import pTimeout from 'p-timeout';
import { type Logger, pino } from 'pino';
import type { z } from 'zod';
import { readSettings, SettingsError } from '../config/settings.ts';
import { faultOf, reasonOf } from '../domain/fault.ts';
import { databaseFaultOf } from '../postgres/database-errors.ts';
import { SchemaUnknown } from '../postgres/migrate.ts';
import { startTracing, type TracingSettings } from '../tracing/exporter.ts';
import { currentTraceparent, traceIdOf } from '../tracing/spans.ts';

/** What is wrong is in the settings (`EX_CONFIG` of sysexits): whoever starts us again gets the same. */
const WRONG_SETTINGS = 78;

/** Whether no time will mend it: what PostgreSQL or a certificate refuse was asked for by a setting, read at the start. */
const isHopeless = (error: unknown): boolean =>
  error instanceof SettingsError ||
  error instanceof SchemaUnknown ||
  ['not_let_in', 'tls'].includes(databaseFaultOf(error) ?? '');

/**
 * Runs a composition root that ends by itself. Whatever ends it before its time is one line of the log, with its cause and
 * nothing of what an error's message may quote; status 78 says that a setting is wrong, 1 that trying again may help.
 */
export async function runToCompletion(name: string, work: () => Promise<void>): Promise<void> {
  const log = createLogger(name, 'info');
  const end = (error: unknown, message: string): never => {
    const why =
      error instanceof SettingsError
        ? { faults: error.faults }
        : { reason: reasonOf(error), cause: databaseFaultOf(error) ?? undefined, fault: faultOf(error) };
    log.fatal(why, message);
    process.exit(isHopeless(error) ? WRONG_SETTINGS : 1);
  };
  process.on('uncaughtException', (error) => end(error, 'crashed'));
  // Node's own words, which are no JSON
  process.removeAllListeners('warning');
  process.on('warning', (warning) => log.warn({ fault: faultOf(warning) }, 'warning of Node'));
  try {
    await work();
  } catch (error) {
    end(error, 'could not start');
  }
}

/** Whoever stops us kills after 30 s at the soonest. */
const SHUTDOWN_TIMEOUT = 28_000;

/** What is kept for spans that are on their way when all else has ended (milliseconds). */
const TRACING_TIMEOUT = 1_000;

/**
 * V8's: as it is, it lets a heap of 60 MiB grow to 120 before it looks for what is garbage, and a young generation to 48.
 * The first holds at once and in all threads, the second in threads that begin later, as those of the workflows do.
 */
const FLAGS = ['--heap-growing-percent=20', '--max-semi-space-size=4'];

/**
 * Runs a composition root that goes on, with its settings, its log and its spans: starts it, and stops it at SIGTERM or SIGINT, which may also come while it starts.
 * Any more of them change nothing: they would cut off what the first lets finish.
 */
export const runService = <Settings extends TracingSettings & { readonly LOG_LEVEL: string }>(
  name: string,
  schema: z.ZodObject & z.ZodType<Settings>,
  start: (settings: Settings, log: Logger) => Promise<{ stop(): Promise<void> }>,
): Promise<void> =>
  runToCompletion(name, async () => {
    const settings: Settings = readSettings(schema);
    FLAGS.forEach((flag) => setFlagsFromString(flag));
    const log = createLogger(name, settings.LOG_LEVEL);
    const tracing = await startTracing(name, settings, (error) =>
      log.warn({ reason: reasonOf(error) }, 'spans could not be sent'),
    );
    const { promise: signalled, resolve } = Promise.withResolvers<null>();
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => resolve(null));
    const running = await Promise.race([start(settings, log), signalled]);
    // while it starts it has taken nothing that is not safe elsewhere
    if (running === null) process.exit(0);
    await signalled;
    log.info('SIGTERM: draining');
    const stop = async () => {
      await running.stop();
      await settleWithin(TRACING_TIMEOUT, [tracing.stop()]);
    };
    process.exit((await settleWithin(SHUTDOWN_TIMEOUT, [stop()])) ? 0 : 1);
  });

const RETRY_DELAY = 1_000;

/**
 * Tries until what is needed from the beginning is there: whoever starts us need not mind the order.
 *
 * @throws what no time will mend
 */
export async function retryUntilAvailable<T>(
  attempt: () => Promise<T>,
  onFailure: (error: unknown) => void,
): Promise<T> {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (isHopeless(error)) throw error;
      onFailure(error);
      await delay(RETRY_DELAY);
    }
  }
}

/** Does the work now and every so many milliseconds, never two at once. Stopping waits for what is under way. */
export function every(
  ms: number,
  work: () => Promise<void>,
  onFailure: (error: unknown) => void,
): { stop(): Promise<void> } {
  let working = work().catch(onFailure);
  const timer = setInterval(() => {
    working = working.then(work).catch(onFailure);
  }, ms);
  return {
    async stop() {
      clearInterval(timer);
      await working;
    },
  };
}

/**
 * Waits until all of it has come to its end, one way or the other, and no longer than so many milliseconds: a server that
 * says nothing more must not keep the process. @returns whether all has ended
 */
export const settleWithin = (milliseconds: number, ends: readonly Promise<unknown>[]): Promise<boolean> =>
  pTimeout(
    Promise.allSettled(ends).then(() => true),
    { milliseconds, fallback: () => false },
  );

/** JSON lines on standard output, with the trace that they belong to. Whoever logs gives ids, codes and places, never what a person wrote. */
export const createLogger = (name: string, level: string): Logger =>
  pino({
    ...{ name, level, timestamp: pino.stdTimeFunctions.isoTime },
    mixin: () => ({ traceId: traceIdOf(currentTraceparent()) }),
  });
