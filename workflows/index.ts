/** All that the worker finds by name. */
export { treatmentCase } from './treatment-case.ts';
export { reconcile } from './reconcile.ts';
export { watchProviders } from './watch-providers.ts';
