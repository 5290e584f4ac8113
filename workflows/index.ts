/** All that the worker finds by name. */
export { treatmentCase } from './treatment-case.ts';
export { eraseOverdueCases } from './erase-overdue.ts';
export { reconcile } from './reconcile.ts';
export { watchProviders } from './watch-providers.ts';

/** Shows that whoever has it works: a version of the workers is given one before it gets the cases. */
export const workerProbe = (): Promise<void> => Promise.resolve();
