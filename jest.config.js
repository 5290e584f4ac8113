// what Node has compiled once is read by all processes after, the runner's and those that the tests start
process.env.NODE_COMPILE_CACHE ??= `${import.meta.dirname}/node_modules/.cache/node`;
// every process of the runner begins with these, as it inherits Node's arguments; suites leave much short-lived behind
process.execArgv.push(
  `--import=${import.meta.dirname}/test/support/runner/hand-over.ts`,
  '--max-semi-space-size=64',
  // marking what is alive, again and again as it grows to this (MB), was a sixth of what the largest suites took
  '--initial-old-space-size=1024',
  // more processes than cores: threads that help with the garbage are in each other's way
  '--single-threaded-gc',
);

/**
 * The tests run in bare Node, which takes TypeScript as it is, and not in Jest's own virtual machine: that loads every
 * module anew for every file, which was more than half of all the time.
 */
export default {
  runner: 'jest-light-runner/child-process',
  setupFiles: ['<rootDir>/test/support/runner/set-up.ts'],
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  transform: {},
  testSequencer: '<rootDir>/test/support/runner/longest-first.ts',
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/teardown.ts',
  // three more than the cores there are where it runs: with two more, a quarter of both cores waited for servers and clocks
  maxWorkers: 5,
};
