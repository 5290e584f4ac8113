import { SettingsError } from './config.ts';

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

/** Runs a composition root that goes on: starts it, and stops it once at SIGTERM or SIGINT. */
export const runRoot = (start: () => Promise<{ stop(): Promise<void> }>): Promise<void> =>
  runOnce(async () => {
    const running = await start();
    const { promise, resolve } = Promise.withResolvers<undefined>();
    process.once('SIGTERM', () => resolve(undefined));
    process.once('SIGINT', () => resolve(undefined));
    await promise;
    await running.stop();
    process.exit(0);
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
