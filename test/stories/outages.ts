import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { createTemporalClient } from '../../src/temporal/connection.ts';
import { workflowIdOf } from '../../workflows/contract.ts';
import { eventually } from '../support/eventually.ts';
import { openBrowser, type Json } from '../support/browser.ts';
import { hasLeft } from '../support/partners-cases.ts';
import { logIn } from './log-in.ts';
import type { DevStack } from './dev-stack.ts';
import type { World } from './world.ts';

const KARI = { givenName: 'Kari', familyName: 'Nordmann' };

/** What partners and customers meet while a part is away: none of it may lose what was said, or do it twice. */
export function describeOutages(at: () => { readonly stack: DevStack; readonly world: World }): void {
  const processOf = (words: string): Promise<number> =>
    eventually(() => at().stack.processes(words)[0], { what: `a process: ${words}` });
  const signal = async (words: string, name: NodeJS.Signals): Promise<void> => {
    process.kill(await processOf(words), name);
  };

  const told = (id: string, kind: string) =>
    eventually(
      async () => {
        // the API may be the one that is away
        const answer = await at()
          .world.call('GET', `/cases/${id}`)
          .catch(() => null);
        return answer?.body.notifications?.some((n: Json) => n.kind === kind && hasLeft(n));
      },
      // so long a wait needs a rate of its own to stay within the key's limit
      { what: `the customer got: ${kind}`, withinMs: 45_000, everyMs: 300 },
    );

  /** Whoever was killed last is back. */
  const ready = () =>
    eventually(
      async () => {
        const answer = await fetch(`${at().stack.description.web}/health/ready`).catch(() => null);
        return answer?.status === 200;
      },
      { what: 'the API answers' },
    );

  beforeEach(ready);

  describe('while Temporal does not answer', () => {
    it('takes cases and logins, says of actions that nothing happened, and goes on with all when it is back', async () => {
      const before = await at().world.newCase();
      await told(before.id, 'invitation');
      await signal('server start-dev', 'SIGSTOP');
      try {
        const created = await at().world.newCase();
        expect(created.status).toBe('pending_patient_action');
        const refused = await at().world.call('POST', `/cases/${before.id}/recall`);
        expect(refused.status).toBe(500);
        expect(refused.body.details.code).toBe('TEMPORARILY_UNAVAILABLE');
        expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
        // the worker waits for Temporal to start it by now
        const { url } = await logIn(openBrowser(), created.bookingUrl, KARI);
        expect(url.pathname).toBe(`/b/${created.id}/times`);
        expect((await at().world.call('GET', `/cases/${before.id}`)).body.status).toBe(
          'pending_patient_action',
        );

        await signal('server start-dev', 'SIGCONT');
        await told(created.id, 'invitation');
        const recalled = await eventually(
          async () => {
            const answer = await at().world.call('POST', `/cases/${before.id}/recall`);
            return answer.status === 200 && answer.body;
          },
          { what: 'the recall is granted' },
        );
        expect(recalled.status).toBe('recalled');
      } finally {
        await signal('server start-dev', 'SIGCONT');
      }
    });
  });

  describe('after a kill -9 that comes right behind a confirm and a 201', () => {
    it.each([
      ['of the worker', 'src/main/worker.ts'],
      ['of Temporal', 'server start-dev'],
      ['of the API', 'src/main/api.ts'],
      ['of PostgreSQL', 'server-process.ts'],
    ])('%s, both cases go on by themselves', async (_who, words) => {
      const [confirmed, browser] = [await at().world.newCase(), openBrowser()];
      const booking = `${at().stack.description.api}/booking/${confirmed.id}`;
      await logIn(browser, confirmed.bookingUrl, KARI);
      // of a clinic that can be asked what it has by FHIR
      const isFhir = ({ providerId }: Json) =>
        at().stack.description.providers.some(({ id }) => id === providerId);
      const [slot] = await eventually(
        async () => {
          // just after a return, a request can still meet a connection of before
          const { body } = await browser.json('GET', `${booking}/availability`);
          const found = ((body.slots ?? []) as Json[]).filter(isFhir);
          return found.length > 0 && found;
        },
        { what: 'times are offered' },
      );
      const pid = await processOf(words);
      await eventually(
        async () => {
          const answer = await browser.json('POST', `${booking}/confirm`, { slotId: slot?.slotId });
          return answer.status === 200;
        },
        { what: 'the confirm is granted' },
      );
      const created = await at().world.newCase();
      process.kill(pid, 'SIGKILL');
      // PostgreSQL serves for some seconds more whom it has let in
      await eventually(
        () =>
          at()
            .stack.processes(words)
            .some((one) => one !== pid),
        {
          what: `another process: ${words}`,
        },
      );
      await ready();

      await told(created.id, 'invitation');
      await told(confirmed.id, 'receipt');
      const appointments = await at().world.appointments(confirmed.id);
      expect(appointments.filter(({ status }: Json) => status === 'booked')).toHaveLength(1);
    });
  });

  describe('while a workflow can not go on', () => {
    it('its worker’s log says which run it is, and why', async () => {
      const { stack, world } = at();
      const { id } = await world.newCase();
      await told(id, 'invitation');
      const namespace = 'default';
      const { connection, workflow, workflowService } = createTemporalClient({
        address: stack.description.temporalAddress,
        namespace,
      });
      try {
        const { runId } = await workflow.getHandle(workflowIdOf(id)).describe();
        const unreadable = { metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from('{') };
        await workflowService.signalWorkflowExecution({
          namespace,
          workflowExecution: { workflowId: workflowIdOf(id) },
          signalName: 'requestAssistance',
          input: { payloads: [unreadable] },
        });
        const line = await eventually(
          async () => {
            const log = await readFile(join(stack.directory, 'logs', 'worker.log'), 'utf8');
            return log.split('\n').find((each) => each.includes('"msg":"Failing workflow task"'));
          },
          { what: 'the line' },
        );
        expect(JSON.parse(line)).toMatchObject({ runId, failure: expect.any(String) });
      } finally {
        await connection.close();
      }
    });
  });
}
