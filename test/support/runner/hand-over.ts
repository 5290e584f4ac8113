import { tellCpu } from './cpu.ts';

/**
 * Loaded before anything else in a process of the runner. jest-light-runner 0.8.2 hands its settings to all processes
 * as soon as the first one asks for them, and to none that asks later: who is slower to start would wait for ever. So
 * they are kept here until they are asked for.
 */
const ASKED = 'jest-light-runner-get-worker-data';
const GIVEN = 'jest-light-runner-worker-data';

let given: object | null = null;
process.on('message', (message: unknown) => {
  if (typeof message === 'object' && message !== null && 'type' in message && message.type === GIVEN)
    given = message;
});

const send = process.send?.bind(process) as ((message: unknown, ...more: unknown[]) => boolean) | undefined;
process.send = (message: unknown, ...more: unknown[]) => {
  if (message !== ASKED || given === null) return send?.(message, ...more) ?? false;
  process.emit('message', given, undefined);
  return true;
};

if (process.env['TEST_CPU']) tellCpu();
