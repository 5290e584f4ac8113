import { setTimeout as delay } from 'node:timers/promises';

/** A part that is a process of its own. */
export interface Part {
  /** Says how it ended; never rejects. Absent where it is not ours to start. */
  readonly exited?: Promise<string>;
  stop(): Promise<void>;
}

const RESTART_AFTER_MS = 1_500;

/**
 * Starts a part, and starts it anew whenever it ends by itself: what is killed comes back, as it would in production.
 *
 * @param onEnded told why, each time
 * @throws when it does not start the first time
 */
export async function supervise<P extends Part>(
  start: () => Promise<P>,
  onEnded: (why: string) => void,
): Promise<{ readonly first: P; stop(): Promise<void> }> {
  const stopping = new AbortController();
  const isStopping = () => stopping.signal.aborted;
  const first = await start();
  let part: Part = first;

  const startAnew = async () => {
    while (!isStopping()) {
      await delay(RESTART_AFTER_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (isStopping()) return;
      try {
        part = await start();
        return;
      } catch (error) {
        onEnded(error instanceof Error ? error.message : String(error));
      }
    }
  };
  const watch = async () => {
    while (part.exited) {
      const why = await part.exited;
      if (isStopping()) return;
      onEnded(why);
      await startAnew();
      if (isStopping()) return;
    }
  };
  const watching = watch();

  return {
    first,
    async stop() {
      stopping.abort();
      await part.stop();
      if (first.exited) await watching;
      // one that was just being started
      await part.stop();
    },
  };
}
