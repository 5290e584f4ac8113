import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import type { CaseState } from '../../src/domain/case-state.ts';
import type { CaseEvent } from '../../src/domain/events.ts';
import type { CaseId } from '../../src/domain/ids.ts';
import { instant } from '../../src/domain/instant.ts';
import { hashOfKey, issueKey } from '../../src/identity/secrets.ts';
import { createAccessLog } from '../../src/postgres/access-log.ts';
import { addKey } from '../../src/postgres/api-keys.ts';
import { createCase } from '../../src/postgres/create-case.ts';
import { createMessageRepository } from '../../src/postgres/messages.ts';
import { projectCase } from '../../src/postgres/project-case.ts';
import { id, OPENED, opened } from '../domain/lives.ts';
import { lifeOf, type Step, stories } from '../domain/random-lives.ts';
import { listedCases, type Mirror, runMirror } from '../chaos/follow.ts';
import { useService } from '../support/use-service.ts';

const LIVES = 500;

/** A process of the partner's that ends, for whatever reason. */
class Ended extends Error {}

describe('the mirror of docs/partners/events.md', () => {
  const service = useService('api');

  /** As its workflow shows it: all that befell the case since, in one write. */
  async function show(caseId: CaseId, revision: number, state: CaseState, steps: readonly Step[]) {
    const events = steps
      .flatMap(({ decision }): readonly CaseEvent[] =>
        decision.outcome === 'changed' ? decision.events : [],
      )
      .map((event) => ({ ...event, revision }));
    const at = steps.at(-1)?.context.at ?? OPENED;
    await projectCase(service.database, { caseId, revision, state, events, at });
  }

  async function handOver(): Promise<CaseId> {
    const caseId = randomUUID() as CaseId;
    await createCase(service.database, {
      ...{ id: caseId, partnerId: service.partnerId, partnerCaseId: caseId },
      ...{ patientFirstName: 'Kari', patientLastName: 'Nordmann', patientEmail: 'kari@example.com' },
      ...{ patientPhone: null, injuryDate: '2027-02-01' as never, injuryDescription: null },
      ...{ treatmentType: 'psychology', createdAt: OPENED, author: { actor: 'partner' }, state: opened() },
      traceparent: null,
    });
    return caseId;
  }

  /** A message leaves, which its workflow does not tell of. */
  async function send(caseId: CaseId): Promise<void> {
    const message = { caseId, kind: 'invitation', channel: 'email', sequence: 1, contactVersion: 1 } as const;
    const messages = createMessageRepository(
      service.database,
      createAccessLog(service.database, 'worker', () => undefined),
    );
    const dedupId = `${caseId}:invitation:email:1`;
    const task = { ...message, bookingId: null, until: null, orderedAt: instant(Date.now()) };
    await messages.enter({ ...task, channels: ['email'] });
    await messages.sent(task, dedupId, { reference: 'a mail', contactVersion: 1 });
  }

  it(`equals the list after ${LIVES} random lives, though it was killed between two of its writes`, async () => {
    const lives = fc
      .sample(stories, { numRuns: LIVES, seed: 17 })
      .map((chosen) => lifeOf(chosen, () => id(randomUUID())));
    const ids: CaseId[] = [];
    for (const life of lives) {
      const caseId = await handOver();
      ids.push(caseId);
      const half = life.slice(0, life.length / 2);
      const last = half.at(-1);
      if (last) await show(caseId, 1, last.after, half);
      await send(caseId);
    }

    const key = issueKey('test');
    const { partnerId, database } = service;
    await addKey(database, { partnerId, name: 'mirror', keyHash: hashOfKey(key) });
    let kept: Mirror = { cursor: null, cases: new Map() };
    let pages = 0;
    const run = (dieAt: number) =>
      runMirror(service.apiUrl, key, {
        load: () => Promise.resolve({ cursor: kept.cursor, cases: new Map(kept.cases) }),
        save: ({ cursor, cases }) => {
          pages += 1;
          if (pages === dieAt) throw new Ended();
          kept = { cursor, cases: new Map(cases) };
        },
        wait: () => Promise.reject(new Ended()),
      });

    await expect(run(4)).rejects.toThrow(Ended);
    expect(pages).toBe(4);
    for (const [i, life] of lives.entries()) {
      const [caseId, last] = [ids[i], life.at(-1)];
      if (caseId && last) await show(caseId, 2, last.after, life.slice(life.length / 2));
    }
    await expect(run(Infinity)).rejects.toThrow(Ended);
    const list = await listedCases(service.apiUrl, key);
    expect(list.size).toBe(LIVES);
    expect(kept.cases).toEqual(list);
  });
});
