import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Appointment, Bundle, Slot } from 'fhir/r4.d.ts';
import { type RunningClinic, startClinic } from '../../dev/fhir-clinic/clinic.ts';
import { faultSchema } from '../../dev/fhir-clinic/fault.ts';
import { eventually } from '../support/eventually.ts';

describe('what the development clinic does wrong', () => {
  let clinic: RunningClinic;
  let slotIds: string[] = [];
  beforeAll(async () => {
    clinic = await startClinic({ profile: 'fjordklinikken', weeks: 1 });
    slotIds = (await clinic.listResources<Slot>('Slot')).map(({ id }) => id ?? '');
  });
  afterEach(() => fetch(`${clinic.url}/_faults`, { method: 'DELETE' }));
  afterAll(() => clinic.close());

  const place = (fault: Record<string, unknown>) =>
    fetch(`${clinic.url}/_faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(fault),
    });
  const read = async (id: string) => (await (await fetch(`${clinic.fhirUrl}/Slot/${id}`)).json()) as Slot;
  const send = (method: string, path: string, body: unknown, headers = {}) =>
    fetch(`${clinic.fhirUrl}/${path}`, {
      method,
      headers: { 'content-type': 'application/fhir+json', ...headers },
      body: JSON.stringify(body),
    });
  /** A slot of one's own that was changed once. */
  const changedSlot = async () => {
    const id = slotIds.shift() ?? '';
    const before = await read(id);
    await send('PUT', `Slot/${id}`, { ...before, status: 'busy' });
    return { id, before, now: await read(id) };
  };
  const appointment = (comment: string) => ({ resourceType: 'Appointment', status: 'booked', comment });
  const made = async (comment: string) =>
    (await clinic.listResources<Appointment>('Appointment')).filter((one) => one.comment === comment).length;

  it('half an answer that looks whole', async () => {
    const whole = await (await fetch(`${clinic.fhirUrl}/Slot`)).text();
    await place({ effect: 'half' });
    const answer = await fetch(`${clinic.fhirUrl}/Slot`);
    const text = await answer.text();
    expect([answer.status, answer.headers.get('content-length')]).toEqual([200, String(text.length)]);
    expect(whole.startsWith(text)).toBe(true);
    expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError);
  });

  it('half an answer, and then a reset', async () => {
    await place({ effect: 'half', then: 'reset' });
    const { host, hostname, port } = new URL(clinic.fhirUrl);
    const socket = connect(Number(port), hostname);
    socket.write(`GET /fhir/Slot HTTP/1.1\r\nhost: ${host}\r\n\r\n`);
    let heard = '';
    const error = await new Promise<NodeJS.ErrnoException>((resolve) => {
      socket.on('data', (chunk) => (heard += chunk.toString())).on('error', resolve);
    });
    const [head, body] = heard.split('\r\n\r\n');
    expect(error.code).toBe('ECONNRESET');
    expect(Number(/content-length: (\d+)/i.exec(head ?? '')?.[1])).toBeGreaterThan(body?.length ?? 0);
    expect(body?.length).toBeGreaterThan(0);
  });

  it('an answer that comes in drops', async () => {
    await place({ effect: 'trickle', bytesPerSecond: 2_000 });
    const { body } = await fetch(`${clinic.fhirUrl}/Slot/${slotIds[0] ?? ''}`);
    const drops: Uint8Array[] = [];
    for await (const drop of body ?? []) drops.push(drop);
    expect(drops.length).toBeGreaterThan(3);
    expect(JSON.parse(Buffer.concat(drops).toString())).toMatchObject({ resourceType: 'Slot' });
  });

  it('the same request twice, with the second answer', async () => {
    await place({ effect: 'duplicate', times: 2 });
    expect((await send('POST', 'Appointment', appointment('twice'))).status).toBe(201);
    expect(await made('twice')).toBe(2);
    const slot = await read(slotIds.at(-1) ?? '');
    const ifMatch = { 'if-match': `W/"${slot.meta?.versionId ?? ''}"` };
    await place({ effect: 'duplicate', method: 'PUT' });
    expect((await send('PUT', `Slot/${slot.id ?? ''}`, slot, ifMatch)).status).toBe(412);
  });

  it('versions from before the last change, with the resource of today', async () => {
    const { id, before, now } = await changedSlot();
    await place({ effect: 'stale-etag', times: 2 });
    const answer = await fetch(`${clinic.fhirUrl}/Slot/${id}`);
    expect(await answer.json()).toMatchObject({
      status: 'busy',
      meta: { versionId: before.meta?.versionId },
    });
    expect(answer.headers.get('etag')).toBe(`W/"${before.meta?.versionId ?? ''}"`);
    const found = (await (await fetch(`${clinic.fhirUrl}/Slot?_id=${id}`)).json()) as Bundle;
    expect(found.entry?.[0]?.resource?.meta?.versionId).toBe(before.meta?.versionId);
    expect((await read(id)).meta?.versionId).toBe(now.meta?.versionId);
  });

  it('resources from before the last change, and none where there was none', async () => {
    const { id, before } = await changedSlot();
    await send('POST', 'Appointment', appointment('just now'));
    await place({ effect: 'stale', times: 2 });
    expect(await read(id)).toEqual(before);
    const found = (await (await fetch(`${clinic.fhirUrl}/Appointment`)).json()) as Bundle;
    expect(found.entry).toEqual([]);
  });

  it('times of slots with another offset', async () => {
    const slot = await read(slotIds[0] ?? '');
    await place({ effect: 'wrong-offset', offset: '+05:00', elements: ['start'] });
    const wrong = await read(slotIds[0] ?? '');
    expect([wrong.start, wrong.end]).toEqual([slot.start.replace('Z', '+05:00'), slot.end]);
  });

  it('what was asked for, when nobody waits for it any more', async () => {
    await place({ effect: 'late', delayMs: 100 });
    const asked = fetch(`${clinic.fhirUrl}/Appointment`, {
      method: 'POST',
      headers: { 'content-type': 'application/fhir+json' },
      body: JSON.stringify(appointment('late')),
      signal: AbortSignal.timeout(50),
    });
    await expect(asked).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(await made('late')).toBe(0);
    await eventually(async () => (await made('late')) === 1, { what: 'a late appointment' });
  });

  it('and only with the requests that it is placed for: after so many, every so many, so often', async () => {
    await place({ effect: 'answer', status: 500, resource: 'Slot', after: 2, every: 3, times: 2 });
    const statuses: number[] = [];
    for (let i = 0; i < 10; i += 1) statuses.push((await fetch(`${clinic.fhirUrl}/Slot?_count=1`)).status);
    expect(statuses.flatMap((status, i) => (status === 500 ? i : []))).toEqual([2, 5]);
    expect(await (await fetch(`${clinic.url}/_faults`)).json()).toMatchObject([{ seen: 10, fired: 2 }]);
  });

  it('is all written down', () => {
    const page = readFileSync(new URL('../../docs/development-clinics.md', import.meta.url), 'utf8');
    const [, effects = ''] = page.split('## What can go wrong');
    const described = [...effects.matchAll(/^\| `([a-z-]+)` /gm)].map(([, name]) => name).slice(1);
    expect(described).toEqual(faultSchema.options.map(({ shape }) => shape.effect.value));
  });
});
