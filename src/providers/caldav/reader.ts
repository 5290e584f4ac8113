import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import pLimit from 'p-limit';
import { ProviderUnavailable } from '../port.ts';
import type { ReadAnswer, ReadTask } from './answers.ts';

/** Two, so that a clinic whose answers take long leaves one to the others. */
const THREADS = 2;
/** For one answer (milliseconds); an honest one of the longest kind takes a tenth of it. */
const DEADLINE_MS = 2_000;
/** Of one thread (MB): an honest answer takes a tenth of it, too. */
const MAX_HEAP_MB = 256;

export type Reader = (task: ReadTask) => Promise<ReadAnswer>;

interface Thread {
  readonly worker: Worker;
  /** Rejected where it could not start. */
  readonly ready: Promise<unknown>;
}

const atOnce = pLimit(THREADS);
const idle: Thread[] = [];

/**
 * Reads a clinic's answers, one at a time, outside of the thread that serves everybody. One that takes too long, or too
 * much memory, is given up, and its thread ended: no answer can keep a customer of another clinic waiting.
 *
 * @returns one that throws ProviderUnavailable for an answer that is given up
 */
export function createReader(): Reader {
  const oneAtATime = pLimit(1);
  let givenUp = 0;
  return (task) => {
    const before = givenUp;
    return oneAtATime(async () => {
      // a hundred calendars that are asked at once would take a hundred times as long to be given up
      if (givenUp > before)
        throw new ProviderUnavailable('CalDAV: an answer right before took too long to read');
      try {
        return await atOnce(() => read(task));
      } catch (error) {
        givenUp += 1;
        throw error;
      }
    });
  };
}

async function read(task: ReadTask): Promise<ReadAnswer> {
  const thread = idle.pop() ?? start();
  const { worker } = thread;
  // while it works the process waits for it; idle ones keep no process
  worker.ref();
  try {
    await thread.ready;
    const answer = await answerOf(worker, task);
    worker.unref();
    idle.push(thread);
    if (answer === null) throw new ProviderUnavailable('CalDAV: the answer can not be read');
    return answer;
  } catch (error) {
    if (!idle.includes(thread)) void worker.terminate();
    throw error;
  }
}

function start(): Thread {
  const worker = new Worker(new URL('./reader-thread.ts', import.meta.url), {
    // it has use for neither our secrets nor what the process was started with
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  });
  const ready = once(worker, 'message');
  // who waits is told; and an error of one that is ended must not be unheard
  worker.on('error', () => undefined);
  ready.catch(() => undefined);
  const thread = { worker, ready };
  worker.once('exit', () => {
    const at = idle.indexOf(thread);
    if (at >= 0) idle.splice(at, 1);
  });
  return thread;
}

/** @returns null for what can't be read */
function answerOf(worker: Worker, task: ReadTask): Promise<ReadAnswer | null> {
  const { promise, resolve, reject } = Promise.withResolvers<ReadAnswer | null>();
  const giveUp = (what: string) => () => reject(new ProviderUnavailable(`CalDAV: ${what}`));
  const onAnswer = ({ answer }: { readonly answer: ReadAnswer | null }) => resolve(answer);
  const onError = giveUp('reading the answer takes too much memory');
  const timer = setTimeout(giveUp('reading the answer takes too long'), DEADLINE_MS);
  worker.once('message', onAnswer);
  worker.once('error', onError);
  worker.postMessage(task);
  return promise.finally(() => {
    clearTimeout(timer);
    worker.off('message', onAnswer);
    worker.off('error', onError);
  });
}
