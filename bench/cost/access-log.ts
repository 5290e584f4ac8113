import type * as real from '../../src/postgres/access-log.ts';

export * from '../../src/postgres/access-log.ts';

/** Writes nothing. */
export const createAccessLog: typeof real.createAccessLog = () => () => Promise.resolve();
