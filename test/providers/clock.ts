import { jest } from '@jest/globals';

const real = Date.now.bind(Date);
let ahead = 0;

/** What `Date.now` says in a test file: it goes on as ever, only from another time. */
export const clock = {
  moveBy(seconds: number): void {
    ahead += seconds * 1_000;
    jest.spyOn(Date, 'now').mockImplementation(() => real() + ahead);
  },
  putBack(): void {
    ahead = 0;
    jest.restoreAllMocks();
  },
};
