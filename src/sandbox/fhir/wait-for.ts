import { setTimeout as wait } from 'node:timers/promises';

/** Until then, or until nobody waits for the answer any more. */
export async function waitFor(delayMs: number, socket: NodeJS.EventEmitter): Promise<void> {
  const gone = new AbortController();
  const stop = () => gone.abort();
  socket.once('close', stop);
  await wait(delayMs, undefined, { signal: gone.signal }).catch(() => undefined);
  socket.off('close', stop);
}
