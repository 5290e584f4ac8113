import type * as real from '../../src/postgres/as-partner.ts';

export * from '../../src/postgres/as-partner.ts';

/** Reads as the API itself, which is shown every partner's. */
export const createAsPartner: typeof real.createAsPartner = (_pool, database) => () => database;
