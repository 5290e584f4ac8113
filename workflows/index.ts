/** All that the worker finds by name. */
export { treatmentCase } from './treatment-case.ts';
export { eraseOverdueCases } from './erase-overdue.ts';
export { reconcile } from './reconcile.ts';
export { watchProviders } from './watch-providers.ts';

/** Shows that whoever has it works: a version of the workers is given one before it gets the cases. */
export const workerProbe = (): Promise<void> => Promise.resolve();

/**
 * The SDK notes a stack for each promise, so that Temporal's Web UI can show where a workflow waits: with ten frames, and
 * each found in the source map, four times what it costs with two, and an eighth of a worker's time. Where a case waits
 * stands in its details. What a fault of ours throws still names its place.
 */
Error.stackTraceLimit = 2;
