import { setTimeout as delay } from 'node:timers/promises';

/**
 * Lets all timers go off that are due. A process that was held, or had no share of the machine, reads the answers that
 * came meanwhile before it looks at its clock, and would go on with what it should have given up long ago.
 */
export const dueTimers = (): Promise<void> => delay(0);
