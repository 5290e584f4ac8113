import { setTimeout as delay } from 'node:timers/promises';
import type { Child } from './child.ts';

export interface Readiness {
  /** What is started, as it is called in an error message. */
  readonly name: string;
  /** True once it answers. A rejection counts as "not yet". */
  readonly probe: () => boolean | Promise<boolean>;
  readonly timeoutMs: number;
}

/**
 * Waits until `probe` holds while the child lives.
 *
 * @throws with the child's last output when it ends first, or is not ready in time; it is stopped then
 */
export async function untilReady(child: Child, { name, probe, timeoutMs }: Readiness): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const answers = await Promise.resolve(probe()).catch(() => false);
    // asked after the answer: somebody else on our port would answer for a child that has given up
    if (!child.running()) throw new Error(`${name} ended with ${await child.exited}:\n${child.tail()}`);
    if (answers) return;
    if (Date.now() > deadline) {
      await child.stop();
      throw new Error(`${name} was not ready after ${Math.round(timeoutMs / 1000)} s:\n${child.tail()}`);
    }
    await Promise.race([child.exited, delay(50)]);
  }
}
