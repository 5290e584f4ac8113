import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type RunningCalendarClinic, startCalendarClinic } from '../../dev/caldav-clinic/clinic.ts';
import { HAVGLOTT } from '../../dev/caldav-clinic/seed.ts';

const EVENT = [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'PRODID:x',
  'BEGIN:VEVENT',
  'UID:a',
  'DTSTART:20300101T080000Z',
];
const ICS = [...EVENT, 'STATUS:CONFIRMED', 'SUMMARY:<Time>', 'END:VEVENT', 'END:VCALENDAR', ''].join('\r\n');
/** So that what is offered is the same however long it is between two starts. */
const NOW = () => Date.parse('2026-11-16T06:00:00Z');

describe('the clinic with calendars', () => {
  let clinic: RunningCalendarClinic | null = null;
  const start = async (options: Partial<Parameters<typeof startCalendarClinic>[0]> = {}) =>
    (clinic = await startCalendarClinic({ profile: HAVGLOTT, weeks: 1, now: NOW, ...options }));
  const at = (path: string) => new URL(path, clinic?.calDavUrl);
  const put = async (path: string, body: string, headers: Record<string, string> = {}) =>
    (await fetch(at(path), { method: 'PUT', body, headers: { 'content-type': 'text/calendar', ...headers } }))
      .status;
  afterEach(async () => {
    await clinic?.close();
    clinic = null;
  });

  it('changes an event only from the version that is known', async () => {
    await start();
    expect(await put('marihand/a.ics', ICS)).toBe(201);
    const etag = (await fetch(at('marihand/a.ics'))).headers.get('etag') ?? '';
    expect(await put('marihand/a.ics', ICS, { 'if-none-match': '*' })).toBe(412);
    expect(await put('marihand/a.ics', ICS.replace('Time', 'Ny'), { 'if-match': etag })).toBe(204);
    expect(await put('marihand/a.ics', ICS, { 'if-match': etag })).toBe(412);
    await fetch(at('marihand/a.ics'), { method: 'DELETE' });
    expect(await put('marihand/a.ics', ICS, { 'if-match': etag })).toBe(412);
    expect((await fetch(at('marihand/a.ics'))).status).toBe(404);
  });

  it('takes no event that is none', async () => {
    await start();
    expect(await put('marihand/a.ics', 'hello')).toBe(403);
  });

  it('asks who is there', async () => {
    await start({ authorization: 'Basic abc' });
    expect(await put('marihand/a.ics', ICS)).toBe(401);
    expect(await put('marihand/a.ics', ICS, { authorization: 'Basic abc' })).toBe(201);
  });

  it('shows its staff what is booked', async () => {
    const { url } = await start();
    await put('marihand/a.ics', ICS);
    const page = await (await fetch(url)).text();
    expect(page).toContain('tirsdag 1. januar 2030 09:00');
    expect(page).toContain('&lt;Time&gt;');
    expect(page).not.toContain('Ledig time');
  });

  it('goes on with its calendars at the next start', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'calendars-'));
    const dataFile = join(folder, 'clinic.json');
    await start({ dataFile });
    await put('marihand/a.ics', ICS);
    const before = clinic?.staff.list('marihand');
    await clinic?.close();
    await start({ dataFile });
    expect(clinic?.staff.list('marihand')).toEqual(before);
    await rm(folder, { recursive: true });
  });
});
