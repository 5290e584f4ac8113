import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Appointment, Bundle, Slot } from 'fhir/r4.d.ts';
import { type ClinicOptions, type RunningClinic, startClinic } from '../../dev/fhir-clinic/clinic.ts';
import { workingTimes } from '../../dev/working-times.ts';

describe('the development clinic', () => {
  let directory: string;
  let running: RunningClinic[] = [];
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'clinic-'));
  });
  afterEach(async () => {
    await Promise.all(running.map((clinic) => clinic.close()));
    running = [];
    await rm(directory, { recursive: true });
  });

  const start = async (options: Partial<ClinicOptions> = {}) => {
    const clinic = await startClinic({ profile: 'fjordklinikken', weeks: 1, ...options });
    running.push(clinic);
    return clinic;
  };
  const get = async <T>(clinic: RunningClinic, path: string) =>
    (await (await fetch(`${clinic.fhirUrl}/${path}`)).json()) as T;
  const send = (clinic: RunningClinic, method: string, path: string, body: unknown, headers = {}) =>
    fetch(`${clinic.fhirUrl}/${path}`, {
      method,
      headers: { 'content-type': 'application/fhir+json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  const slots = async (clinic: RunningClinic) =>
    (await get<Bundle<Slot>>(clinic, 'Slot?_count=1000')).entry ?? [];
  const appointment = (comment: string) => ({ resourceType: 'Appointment', status: 'booked', comment });

  it('goes on with the same data after a restart, ids and versions included', async () => {
    const dataFile = join(directory, 'deep', 'clinic.json');
    const first = await start({ dataFile });
    const made = (await (await send(first, 'POST', 'Appointment', appointment('hei'))).json()) as Appointment;
    const before = await slots(first);
    await first.close();
    const second = await start({ dataFile });
    expect(await get(second, `Appointment/${made.id ?? ''}`)).toEqual(made);
    expect(await slots(second)).toEqual(before);
  });

  it('adds the days that have come into reach, and leaves what is there', async () => {
    const dataFile = join(directory, 'clinic.json');
    const monday = Date.parse('2026-06-01T10:00:00Z');
    const first = await start({ dataFile, now: () => monday });
    const slot = await get<Slot>(first, 'Slot/fjellrev-2026-06-02-0800');
    await send(first, 'PUT', `Slot/${slot.id ?? ''}`, { ...slot, status: 'busy' });
    const before = (await slots(first)).length;
    await first.close();
    const second = await start({ dataFile, now: () => monday + 24 * 60 * 60 * 1000 });
    expect(await get(second, `Slot/${slot.id ?? ''}`)).toMatchObject({ status: 'busy' });
    expect((await slots(second)).length).toBe(before + before / 5);
  });

  it('says which file it cannot read', async () => {
    const dataFile = join(directory, 'clinic.json');
    await writeFile(dataFile, '[{"half":');
    await expect(start({ dataFile })).rejects.toThrow(`${dataFile} can't be read`);
    expect(await readFile(dataFile, 'utf8')).toBe('[{"half":');
  });

  it('starts its slots at the same time on the clock before and after both changes of the clock', () => {
    const startsAround = (sunday: string) => {
      const times = workingTimes(
        Date.parse(`${sunday}T12:00:00Z`) - 4 * 24 * 60 * 60 * 1000,
        1,
        ['08:00'],
        45,
      );
      return times.map(({ start: time }) => time.toUTC().toISO({ suppressMilliseconds: true }));
    };
    expect(startsAround('2026-03-29')).toEqual(
      ['2026-03-26T07', '2026-03-27T07', '2026-03-30T06', '2026-03-31T06', '2026-04-01T06'].map(
        (t) => `${t}:00:00Z`,
      ),
    );
    expect(startsAround('2026-10-25')).toEqual(
      ['2026-10-22T06', '2026-10-23T06', '2026-10-26T07', '2026-10-27T07', '2026-10-28T07'].map(
        (t) => `${t}:00:00Z`,
      ),
    );
  });

  it('answers as FHIR does: 201 with an address, ETags, 412, 404, 400', async () => {
    const clinic = await start();
    const created = await send(clinic, 'POST', 'Appointment', appointment('hei'));
    expect(created.status).toBe(201);
    expect(created.headers.get('location')).toMatch(/\/fhir\/Appointment\/[\w-]+\/_history\/[\w-]+$/);
    const made = (await created.json()) as Appointment;
    expect(created.headers.get('etag')).toBe(`W/"${made.meta?.versionId ?? ''}"`);
    const stale = await send(clinic, 'PUT', `Appointment/${made.id ?? ''}`, made, { 'if-match': 'W/"old"' });
    expect(stale.status).toBe(412);
    expect(await stale.json()).toMatchObject({
      resourceType: 'OperationOutcome',
      issue: [{ severity: 'error' }],
    });
    expect((await fetch(`${clinic.fhirUrl}/Slot/none`)).status).toBe(404);
    expect((await fetch(`${clinic.fhirUrl}/Observation`)).status).toBe(404);
    expect((await send(clinic, 'POST', 'Appointment', '{"half":')).status).toBe(400);
    expect(await get(clinic, 'metadata')).toMatchObject({ fhirVersion: '4.0.1' });
  });

  it('lets exactly one of two updates of the same version through, time after time', async () => {
    const clinic = await start();
    for (let round = 0; round < 20; round += 1) {
      const slot = await get<Slot>(clinic, `Slot/${(await slots(clinic))[0]?.resource?.id ?? ''}`);
      const etag = { 'if-match': `W/"${slot.meta?.versionId ?? ''}"` };
      const put = (comment: string) =>
        send(clinic, 'PUT', `Slot/${slot.id ?? ''}`, { ...slot, comment }, etag);
      const answers = await Promise.all([put('a'), put('b')]);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412]);
    }
  });

  it('shows its calendar with everything escaped', async () => {
    const clinic = await start();
    await send(clinic, 'POST', 'Appointment', {
      ...appointment('<script>alert(1)</script>'),
      start: '2026-07-01T08:00:00Z',
      end: '2026-07-01T08:45:00Z',
      participant: [{ actor: { reference: 'Practitioner/fjellrev' }, status: 'accepted' }],
    });
    const page = await (await fetch(clinic.url)).text();
    expect(page).toContain('<html lang="nb">');
    expect(page).toContain('onsdag 1. juli 2026 10:00–10:45');
    expect(page).toContain('Ingeborg Fjellrev');
    expect(page).toContain('Bestilt');
    expect(page).not.toContain('<script>');
  });

  it('lists its faults, refuses what is none, and forgets them when told', async () => {
    const clinic = await start();
    const headers = { 'content-type': 'application/json' };
    const post = (body: unknown) =>
      fetch(`${clinic.url}/_faults`, { method: 'POST', headers, body: JSON.stringify(body) });
    expect((await post({ effect: 'magic' })).status).toBe(400);
    await post({ effect: 'answer', status: 500, method: 'GET', resource: 'Slot', times: 2 });
    expect((await fetch(`${clinic.fhirUrl}/Schedule`)).status).toBe(200);
    expect((await fetch(`${clinic.fhirUrl}/Slot`)).status).toBe(500);
    expect(await (await fetch(`${clinic.url}/_faults`)).json()).toMatchObject([
      { resource: 'Slot', fired: 1 },
    ]);
    await fetch(`${clinic.url}/_faults`, { method: 'DELETE' });
    expect((await fetch(`${clinic.fhirUrl}/Slot`)).status).toBe(200);
  });

  it('says so when its port is in use', async () => {
    const { url } = await start();
    await expect(start({ port: Number(new URL(url).port) })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });
});
