import type { Terminal } from '../terminal.ts';

/**
 * Lets work end in good order when somebody presses Ctrl-C: what it has made at a clinic is taken back first. A second
 * Ctrl-C ends the process at once.
 */
export async function unlessInterrupted<T>(
  terminal: Pick<Terminal, 'say'>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const stop = () => {
    terminal.say('Breaking off, and taking back what was made. Ctrl-C again ends it at once.');
    controller.abort();
  };
  process.once('SIGINT', stop);
  try {
    return await work(controller.signal);
  } finally {
    process.removeListener('SIGINT', stop);
  }
}
