import { SettingsError } from './config.ts';
import { endWithin } from './end-within.ts';

/** Runs a composition root that ends by itself. A wrong setting ends it with words instead of a stack. */
export async function runOnce(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(78);
  }
}

/** Whoever stops us kills after 30 s at the soonest. */
const STOPS_WITHIN = 28_000;

/**
 * Runs a composition root that goes on: starts it, and stops it at SIGTERM or SIGINT, which may also come while it starts.
 * Any more of them change nothing: they would cut off what the first lets finish.
 */
export const runRoot = (start: () => Promise<{ stop(): Promise<void> }>): Promise<void> =>
  runOnce(async () => {
    const { promise: told, resolve: tell } = Promise.withResolvers<null>();
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => tell(null));
    const running = await Promise.race([start(), told]);
    // while it starts it has taken nothing that is not safe elsewhere
    if (running === null) process.exit(0);
    await told;
    process.exit((await endWithin(STOPS_WITHIN, [running.stop()])) ? 0 : 1);
  });

const RETRY_AFTER = 1_000;

/** Tries until what is needed from the beginning is there: whoever starts us need not mind the order. */
export async function untilThere<T>(
  attempt: () => Promise<T>,
  onFailure: (error: unknown) => void,
): Promise<T> {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      onFailure(error);
      await new Promise((resolve) => setTimeout(resolve, RETRY_AFTER));
    }
  }
}
