import { createHash, randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import type { CaseId } from '../../src/domain/ids.ts';
import { feedEvents, numberEvents } from '../../src/postgres/events.ts';
import { claimKey, type KeptAnswer, type KeyedRequest } from '../../src/postgres/idempotency.ts';
import { PARTNERS, useCases } from './support/cases.ts';

describe('creating a case under a key', () => {
  const cases = useCases();

  const requestOf = (key: string): KeyedRequest => {
    const hash = (text: string) => createHash('sha256').update(text).digest();
    return {
      partnerId: PARTNERS[0],
      keyHash: hash(key),
      requestHash: hash('request'),
      sentHash: hash('bytes'),
      seal: (answer) => Promise.resolve(`sealed ${JSON.stringify(answer)}`),
      open: (sealed) => Promise.resolve(JSON.parse(sealed.slice('sealed '.length)) as KeptAnswer),
    };
  };
  const count = (id: CaseId) =>
    cases.database.oneFirst(sql.type(z.object({ count: z.number() }))`
      SELECT (SELECT count(*) FROM cases WHERE id = ${id}) + (SELECT count(*) FROM events WHERE case_id = ${id}) AS count`);

  it('keeps case, event and answer together', async () => {
    const [id, request] = [randomUUID() as CaseId, requestOf('kept')];
    await cases.create({ id }, { request, answerOf: () => ({ body: { id }, location: '/there' }) });
    expect(await count(id)).toBe(2);
    const claim = await claimKey(cases.database, request);
    expect(claim.claim === 'answered' && (await claim.answer())).toEqual({
      body: { id },
      location: '/there',
    });
  });

  it('keeps none of them when one can not be kept', async () => {
    const [id, request] = [randomUUID() as CaseId, requestOf('lost')];
    const answerOf = () => {
      throw new Error('in the middle');
    };
    await expect(cases.create({ id }, { request, answerOf })).rejects.toThrow('in the middle');
    expect(await count(id)).toBe(0);
    expect(await claimKey(cases.database, request)).toEqual({ claim: 'new' });
  });
});

describe('creating a burst of cases, some of them twice', () => {
  const cases = useCases();

  it('makes one of those that are the same, keeps up none of the others, and numbers the events without a gap', async () => {
    const references = Array.from({ length: 60 }, (_, i) => (i % 2 === 0 ? 'the same' : `another ${i}`));
    const outcomes = await Promise.allSettled(
      references.map((partnerCaseId) => cases.create({ partnerCaseId })),
    );
    const refusals = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? [String(outcome.reason)] : [],
    );
    expect(refusals).toEqual(
      Array.from({ length: 29 }, (): unknown => expect.stringContaining('duplicateOf')),
    );
    await numberEvents(cases.database, PARTNERS[0]);
    const events = await feedEvents(cases.database, { partnerId: PARTNERS[0], after: 0, limit: 100 });
    expect(events.map(({ number }) => number)).toEqual(Array.from({ length: 31 }, (_, i) => i + 1));
    expect(new Set(events.map(({ partner_case_id }) => partner_case_id)).size).toBe(31);
  });
});
