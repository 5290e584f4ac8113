import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash, randomUUID } from 'node:crypto';
import { sql } from 'slonik';
import { z } from 'zod';
import type { CaseId } from '../../src/domain/ids.ts';
import { claimKey, type KeyedRequest } from '../../src/postgres/idempotency.ts';
import { openCases, PARTNERS, type TestCases } from './cases.ts';

describe('creating a case under a key', () => {
  let cases: TestCases;
  beforeAll(async () => {
    cases = await openCases();
  });
  afterAll(() => cases.close());

  const requestOf = (key: string): KeyedRequest => {
    const hash = (text: string) => createHash('sha256').update(text).digest();
    return {
      partnerId: PARTNERS[0],
      keyHash: hash(key),
      requestHash: hash('request'),
      sentHash: hash('bytes'),
    };
  };
  const count = (id: CaseId) =>
    cases.database.oneFirst(sql.type(z.object({ count: z.number() }))`
      SELECT (SELECT count(*) FROM cases WHERE id = ${id}) + (SELECT count(*) FROM events WHERE case_id = ${id}) AS count`);

  it('keeps case, event and answer together', async () => {
    const [id, request] = [randomUUID() as CaseId, requestOf('kept')];
    await cases.create({ id }, { request, answerOf: () => ({ body: { id }, location: '/there' }) });
    expect(await count(id)).toBe(2);
    expect(await claimKey(cases.database, request)).toEqual({
      claim: 'answered',
      answer: { body: { id }, location: '/there' },
    });
  });

  it('keeps none of them when one can not be kept', async () => {
    const [id, request] = [randomUUID() as CaseId, requestOf('lost')];
    const answerOf = () => {
      throw new Error('in the middle');
    };
    await expect(cases.create({ id }, { request, answerOf })).rejects.toThrow('in the middle');
    expect(await count(id)).toBe(0);
    expect(await claimKey(cases.database, request)).toEqual({ claim: 'mine' });
  });
});
