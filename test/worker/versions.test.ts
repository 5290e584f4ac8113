import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from '@temporalio/client';
import { sql } from 'slonik';
import { z } from 'zod';
import { createTemporalClient } from '../../src/temporal/connection.ts';
import type { WorkerVersion } from '../../src/temporal/worker-versions.ts';
import { operatorOf } from '../operator/command.ts';
import type { CaseBody } from '../support/caller.ts';
import { PAYLOAD_KEYS } from '../support/service-settings.ts';
import { eventually } from '../support/eventually.ts';
import { newCase, today } from '../support/new-case.ts';
import { runningServers } from '../support/running-servers.ts';
import { startService, type TestService } from '../support/service.ts';

/** It sends nothing to whoever asks for help: a case that has asked does not replay with it. */
async function writeOlder(): Promise<string> {
  const { workflowBundle } = runningServers();
  const now = 'await sendOnChannels(order, aggregate, start);';
  const parts = (await readFile(workflowBundle, 'utf8')).split(now);
  if (parts.length !== 2) throw new Error(`not once in workflows/messages.ts: ${now}`);
  const file = join(dirname(workflowBundle), 'older.js');
  await writeFile(file, parts.join(`if (order.kind !== 'assistance_received') ${now}`));
  return file;
}

/** As an upgrade and the way back from it go, from workers without a build id on: each test begins where the last ended. */
describe('an old and a new version of the workflows, side by side', () => {
  let service: TestService;
  let older: string;
  let client: Client;
  const operator = operatorOf(() => service);
  let stopUnversioned: () => Promise<void>;
  const versioned: { stop(): Promise<void> }[] = [];
  const stopVersioned = () => Promise.all(versioned.map((worker) => worker.stop()));
  const cases = new Map<string, string>();
  beforeAll(async () => {
    [service, older] = await Promise.all([startService({ messages: true }), writeOlder()]);
    client = createTemporalClient({
      address: runningServers().temporalAddress,
      namespace: 'default',
      payloadKeys: PAYLOAD_KEYS,
    });
  });
  afterAll(async () => {
    await service.stop();
    await client.connection.close();
  });

  const idOf = (name: string) => cases.get(name) ?? '';
  const workflow = (name: string) => client.workflow.getHandle(`case-${idOf(name)}`);
  const eventsOf = async (name: string) => (await workflow(name).fetchHistory()).events ?? [];
  /** The builds that worked on the case, one entry a step; null is a worker without. */
  const workedOn = async (name: string) =>
    (await eventsOf(name))
      .map((event) => event.workflowTaskCompletedEventAttributes)
      .filter((done) => done !== null && done !== undefined)
      .map((done) => done.deploymentVersion?.buildId ?? null);
  const deploymentOf = async (name: string) => (await workflow(name).describe()).taskQueue;
  const failedSteps = async (name: string) =>
    (await eventsOf(name)).filter((event) => event.workflowTaskFailedEventAttributes).length;
  /** Of anything beside the invitation. */
  const isCustomerTold = async (name: string) =>
    (await eventsOf(name)).filter(
      ({ activityTaskScheduledEventAttributes: step }) => step?.activityType?.name === 'sendMessage',
    ).length > 1;

  const create = async (...names: readonly string[]) => {
    for (const name of names)
      cases.set(name, (await service.partner.post<CaseBody>('/cases', newCase())).body.id);
  };
  const untilBegun = (name: string) =>
    eventually(async () => (await workedOn(name).catch(() => [])).length > 0, { what: `${name} has begun` });
  /** Cases that wait for their customer. */
  const open = async (...names: readonly string[]) => {
    await create(...names);
    for (const name of names) await untilBegun(name);
  };
  let days = 25;
  const giveMoreTime = async (name: string, plusDays: number) => {
    const { status } = await service.partner.patch(`/cases/${idOf(name)}`, {
      bookingDeadline: today(plusDays),
    });
    expect(status).toBe(200);
  };
  /** Temporal tells the partitions of its task queues one by one, so a step right behind a promotion may go to the version before. */
  const untilGoesTo = async (build: string | null, ...names: readonly string[]) => {
    for (const name of names) {
      await eventually(
        async () => {
          await giveMoreTime(name, (days += 1));
          return (await workedOn(name)).at(-1) === build;
        },
        { what: `a step of ${name} at ${build ?? 'a worker without a build id'}`, everyMs: 500 },
      );
    }
  };
  const askForHelp = async (name: string) => {
    const before = (await workedOn(name)).length;
    const asked = await service.nobody.post(`/booking/${idOf(name)}/assistance`, { message: 'Help' });
    expect(asked.status).toBe(200);
    return before;
  };
  const untilWorkedOn = (name: string, moreThan: number) =>
    eventually(async () => (await workedOn(name)).length > moreThan, { what: `a step of ${name}` });

  const versions = async () => (await operator.json<{ data: WorkerVersion[] }>('worker versions')).data;
  const untilThere = (build: string) =>
    eventually(async () => (await versions()).some((one) => one.build === build && one.workers > 0), {
      what: `a worker of ${build}`,
      everyMs: 250,
    });
  const current = async () =>
    (await versions()).filter(({ isCurrent }) => isCurrent).map(({ build }) => build);

  const isServed = async () =>
    ((await (await fetch(`${service.url}/health/ready`)).json()) as { workers: boolean | null }).workers;

  it('a new one that is not promoted does not even start cases, and the API says that nobody works', async () => {
    versioned.push(await service.work({ buildId: 'new' }));
    await eventually(() => service.log.join('').includes('another worker version is current'));
    await create('waiting', 'helped', 'recalled', 'untouched');
    const started = await service.database.oneFirst(
      sql.type(z.object({ count: z.number() }))`SELECT count(workflow_started_at) FROM cases`,
    );
    expect(started).toBe(0);
    await eventually(async () => (await isServed()) === false, {
      what: 'the version without workers is known',
    });
  });

  it('until it is, cases that wait and new ones go to workers without a build id', async () => {
    const unversioned = await service.work({ codePath: older });
    stopUnversioned = () => unversioned.stop();
    for (const name of cases.keys()) await untilBegun(name);
    await untilThere('new');
    await open('between');
    for (const name of ['waiting', 'helped']) await giveMoreTime(name, 25);
    for (const name of ['waiting', 'helped', 'between'])
      expect(new Set(await workedOn(name))).toEqual(new Set([null]));
    expect(await current()).toEqual(['unversioned']);
  });

  it('once it is, they go on with it from their next step, new ones begin with it, and the old one can stop at once', async () => {
    await operator.done('worker promote new');
    expect(await current()).toEqual(['new']);
    await stopUnversioned();
    await untilGoesTo('new', 'waiting');
    await untilWorkedOn('helped', await askForHelp('helped'));
    await service.partner.post(`/cases/${idOf('recalled')}/recall`, { reason: 'x' });
    await service.partner.post(`/cases/${idOf('recalled')}/archive`);
    await open('begun on the new one');
    for (const name of ['waiting', 'helped', 'recalled', 'begun on the new one'])
      expect((await workedOn(name)).at(-1)).toBe('new');
    expect(new Set(await workedOn('begun on the new one'))).toEqual(new Set(['new']));
    expect(new Set(await workedOn('untouched'))).toEqual(new Set([null]));
    await eventually(async () => (await workflow('recalled').describe()).status.name === 'COMPLETED');
  });

  it('back to the older one, cases go on that did nothing it does not know', async () => {
    await askForHelp('begun on the new one');
    await eventually(() => isCustomerTold('begun on the new one'));
    versioned.push(await service.work({ buildId: 'older', codePath: older }));
    await untilThere('older');
    await operator.done('worker promote older');
    await untilGoesTo('older', 'untouched', 'waiting');
    await open('begun on the older one');
    expect((await workedOn('begun on the older one')).at(-1)).toBe('older');
  });

  it('those that did stand still there, and go on once the newer one is promoted again', async () => {
    const name = 'begun on the new one';
    const before = await askForHelp(name);
    await eventually(async () => (await failedSteps(name)) > 0, { what: 'a step that the older one fails' });
    expect((await workedOn(name)).length).toBe(before);
    await operator.done('worker promote new');
    await untilWorkedOn(name, before);
    expect((await workedOn(name)).at(-1)).toBe('new');
  });

  it('workers without a build id get them back when they are promoted and those with one have stopped', async () => {
    await service.work();
    expect(await operator.done('worker promote unversioned')).toContain('Stop the workers of other versions');
    await stopVersioned();
    await untilGoesTo(null, 'waiting');
  });

  it('a version whose workers have just gone is not promoted, though Temporal still takes them for present', async () => {
    expect(await operator.refused('worker promote new')).toEqual([
      1,
      expect.stringContaining('No worker of'),
    ]);
    expect(await current()).toEqual(['unversioned']);
    await giveMoreTime('waiting', (days += 1));
  });

  it('no other step of any case has failed', async () => {
    for (const name of cases.keys())
      expect([name, await failedSteps(name)]).toEqual([
        name,
        name === 'begun on the new one' ? expect.any(Number) : 0,
      ]);
  });

  it('none is promoted past the Worker Controller that has taken that upon itself', async () => {
    const deploymentName = await deploymentOf('waiting');
    const say = (managerIdentity: string) =>
      client.workflowService.setWorkerDeploymentManager({
        ...{ namespace: 'default', deploymentName, managerIdentity, identity: 'a-controller' },
      });
    await say('a-controller');
    for (const build of ['new', 'unversioned'])
      expect(await operator.refused(`worker promote ${build}`)).toEqual([
        1,
        expect.stringContaining('Worker Controller'),
      ]);
    await say('');
    expect(await current()).toEqual(['unversioned']);
  });

  it('a version without workers, or that nobody has seen, is not promoted', async () => {
    expect(await operator.refused('worker promote newest')).toEqual([1, expect.stringContaining('newest')]);
    expect(await current()).toEqual(['unversioned']);
  });
});
