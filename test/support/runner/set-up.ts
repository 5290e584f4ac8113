import { registerHooks } from 'node:module';
import fc from 'fast-check';

/**
 * What a process of the runner does before its first test file. Node itself loads the tests here, and would take
 * `@jest/globals` for the package, which knows only Jest's own loader.
 */
const globals = new URL('./globals.ts', import.meta.url).href;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@jest/globals' ? { url: globals, shortCircuit: true } : next(specifier, context),
});
// the same each time, so that what fails is what was changed; `npm run chaos -- --lives N` looks further
fc.configureGlobal({
  seed: Number(process.env['PROPERTY_SEED'] ?? 1),
  numRuns: Number(process.env['PROPERTY_RUNS'] ?? 400),
});
// a server that a test left behind must not keep the process when the run is over
process.on('disconnect', () => process.exit());
