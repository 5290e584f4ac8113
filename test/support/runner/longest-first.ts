import { createRequire } from 'node:module';
import type Package from '@jest/test-sequencer';

// its types are those of CommonJS only
const { default: Sequencer } = createRequire(import.meta.url)('@jest/test-sequencer') as typeof Package;
type Tests = Parameters<Package.default['sort']>[0];

/**
 * Suites that take twenty seconds or more, the longest first: one that began last would be waited for alone. Jest knows
 * how long each took only where it has run before, so not in a fresh clone.
 */
const LONGEST = [
  'stories/spine',
  'temporal/reconcile',
  'chaos/short',
  'privacy/canary',
  'http/sandbox',
  'worker/versions',
  'http/error-codes',
  'browser/axe',
  'operator/act',
  'operator/day',
  'temporal/away',
  'postgres/half-open',
  'providers/caldav-failures',
  'providers/faulty',
  'postgres/disk-full',
  'operator/book',
  'providers/races',
  'stories/stop',
  'providers/conformance-lies',
  'temporal/watch',
  'http/verification',
  'operator/standalone-check',
  'workflows/watch',
  'stories/journey',
].map((suite) => `/test/${suite}.test.ts`);

export default class LongestFirst extends Sequencer {
  override async sort(tests: Tests): Promise<Tests> {
    const rankOf = (path: string) => {
      const rank = LONGEST.findIndex((suite) => path.endsWith(suite));
      return rank < 0 ? LONGEST.length : rank;
    };
    const sorted = await super.sort(tests);
    return [...sorted].sort((a, b) => rankOf(a.path) - rankOf(b.path));
  }
}
