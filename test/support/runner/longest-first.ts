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
  'workflows/watch',
  'chaos/short',
  'providers/faulty',
  'temporal/reconcile',
  'workflows/clinic-side',
  'workflows/real-server',
  'worker/versions',
  'temporal/away',
  'workflows/model',
  'postgres/disk-full',
  'privacy/canary',
  'http/verification',
  'postgres/half-open',
  'providers/conformance',
  'http/error-codes',
  'pages/confirm',
  'stories/stop',
  'operator/standalone-check',
  'workflows/deadlines',
  'browser/axe',
  'workflows/life',
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
