import everyTest from '../../jest.config.js';

/** `npm run browser`: what a person at a browser meets, on the same servers as the other tests, and slower than they are. */
export default {
  ...everyTest,
  rootDir: '../..',
  testMatch: ['**/*.browser.ts'],
};
