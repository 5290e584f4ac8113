import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { formatTimestamp } from '../../src/calendar/format.ts';
import type { Instant } from '../../src/domain/instant.ts';
import { today } from '../support/new-case.ts';
import { partnersCases } from '../support/partners-cases.ts';
import { startService, type TestService } from '../support/service.ts';
import { operatorOf } from './command.ts';

const CHECKED = ['--identity-checked', 'called back on the number of the case'] as const;

describe('the operator books for a customer without eID', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ worker: true, messages: true, clinics: ['fjordklinikken', 'nordlys'] });
  });
  afterAll(() => service.stop());

  const { create, read, timeline, until } = partnersCases(() => service);
  const { done, json, refuses, run } = operatorOf(() => service);

  const given = new Set<string>();
  /** A free time that no other test was given. */
  const freshTime = async (id: string) => {
    const { slots } = JSON.parse(await done(`case availability ${id} --json`));
    const time = slots.find(({ slot }: any) => !given.has(slot));
    given.add(time.slot);
    return time;
  };
  const booked = async (): Promise<[id: string, time: any]> => {
    const { id } = await create();
    const time = await freshTime(id);
    await done(`case book ${id} --slot ${time.slot}`, ...CHECKED);
    return [id, time];
  };
  const actorsOf = async (id: string, wanted: string) =>
    (await timeline(id)).data.filter(({ type }) => type === wanted).map(({ actor }) => actor);
  const appointmentsOf = async (id: string) => {
    const found = await Promise.all(
      service.clinics.map(async ({ fhirUrl }) => {
        const bundle = await (await fetch(`${fhirUrl}/Appointment?_count=1000`)).json();
        return ((bundle as any).entry ?? []).map(({ resource }: any) => resource);
      }),
    );
    return found
      .flat()
      .filter(
        ({ status, identifier }) => status === 'booked' && identifier?.some(({ value }: any) => value === id),
      );
  };
  const patientOf = async ({ participant }: any) => {
    const patient = participant.find(({ actor }: any) => actor.reference.startsWith('Patient/'));
    const answers = await Promise.all(
      service.clinics.map(({ fhirUrl }) => fetch(`${fhirUrl}/${patient.actor.reference}`)),
    );
    return answers.find(({ ok }) => ok)?.json();
  };
  const fault = (fault: object) =>
    Promise.all(
      service.clinics.map(({ url }) =>
        fetch(`${url}/_faults`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify(fault),
        }),
      ),
    );
  const noFaults = () =>
    Promise.all(service.clinics.map(({ url }) => fetch(`${url}/_faults`, { method: 'DELETE' })));

  describe('case availability', () => {
    it('lists the free times of all clinics, or of one, with the words to book them by', async () => {
      const { id } = await create();
      const { slots, providers } = await json(`case availability ${id}`);
      expect(new Set(slots.map(({ providerId }: any) => providerId))).toEqual(
        new Set(['fjordklinikken', 'nordlys']),
      );
      expect(providers.map(({ state }: any) => state)).toEqual(['live', 'live']);
      const { slot, start, practitioner } = slots[0];
      const text = await done(`case availability ${id}`);
      expect(text).toContain(`${formatTimestamp(start as Instant)}  `);
      expect(text).toContain(slot);
      expect(text).toContain(practitioner);
      const one = await json(
        `case availability ${id} --provider nordlys --from ${today(2)} --to ${today(5)}`,
      );
      expect(new Set(one.slots.map(({ providerId }: any) => providerId))).toEqual(new Set(['nordlys']));
    });

    it.each([
      ['--provider nowhere', 1, 'No provider "nowhere" offers psychology'],
      ['--from 2026-02-30', 2, '2026-11-24'],
      ['--from 2031-02-01 --to 2031-01-01', 2, '--to must not be before --from'],
      ['--from 2031-01-01 --to 2031-12-01', 2, 'up to 90 days'],
    ])('refuses %s', async (options, exit, why) => {
      const { id } = await create();
      await refuses(exit, why, `case availability ${id} ${options}`);
    });

    it('says who is not asked, since they do not answer', async () => {
      const { id } = await create();
      await fault({ effect: 'drop', resource: 'Slot', times: null });
      try {
        expect(await done(`case availability ${id}`)).toContain(
          'times are missing: Fjordklinikken, Nordlys Helse',
        );
        await refuses(
          69,
          'nothing can be booked',
          `case book ${id} --start`,
          `${today(3)} 08:00`,
          ...CHECKED,
        );
      } finally {
        await noFaults();
      }
    });
  });

  describe('case book', () => {
    it('books a time of the listing: at the clinic, in the partner’s name of the customer, told as the operator', async () => {
      const { id } = await create();
      const time = await freshTime(id);
      expect(await done(`case book ${id} --slot ${time.slot}`, ...CHECKED)).toContain(
        `Booked ${formatTimestamp(time.start)}: ${time.practitioner}`,
      );
      const { booking } = await until(id, (theCase) => theCase.booking?.transferredAt !== null);
      expect(booking).toMatchObject({ providerId: time.providerId, start: time.start });
      expect(await actorsOf(id, 'booking.confirmed')).toEqual(['operator']);
      const [appointment] = await appointmentsOf(id);
      expect(await patientOf(appointment)).toMatchObject({ name: [{ family: 'Nordmann' }] });
      await until(id, ({ notifications }) => notifications.some(({ kind }) => kind === 'receipt'));
    });

    it('keeps in the log how the identity was checked', async () => {
      const [id, time] = await booked();
      const { data } = await json(`log --case ${id}`);
      expect(data).toEqual([
        expect.objectContaining({
          action: 'case.book',
          operator: 'ola',
          subject: time.slot,
          note: 'called back on the number of the case',
          outcome: 'done',
        }),
      ]);
      expect(JSON.stringify(await timeline(id))).not.toContain('called back');
    });

    it('takes a time that was agreed on, with a part of a name', async () => {
      const { id } = await create();
      const { start, practitioner, providerId } = await freshTime(id);
      const surname = practitioner.split(' ').at(-1).toLowerCase();
      await done(
        `case book ${id} --start ${start} --provider ${providerId} --practitioner ${surname}`,
        ...CHECKED,
      );
      expect((await read(id)).booking).toMatchObject({ start, practitioner });
    });

    it('asks whose, where several have time then', async () => {
      const { id } = await create();
      const { slots } = await json(`case availability ${id} --provider fjordklinikken`);
      const twice = slots.find(
        ({ start }: any) => slots.filter((other: any) => other.start === start).length > 1,
      );
      const err = await refuses(
        2,
        '--practitioner',
        `case book ${id} --start ${twice.start} --provider fjordklinikken`,
        ...CHECKED,
      );
      expect(err).toContain(twice.slot);
    });

    it('lists the times to somebody at a terminal, who types a number', async () => {
      const { id } = await create();
      const { exit, err } = await run(['case', 'book', id, '--provider', 'nordlys', ...CHECKED], {
        typed: ['1'],
      });
      expect([exit, err]).toEqual([0, expect.stringMatching(/^1 +\d{4}-\d\d-\d\d \d\d:\d\d CES?T/m)]);
      expect((await read(id)).booking).toMatchObject({ providerId: 'nordlys' });
      const other = await create();
      const none = await run(['case', 'book', other.id, ...CHECKED], { typed: [''] });
      expect([none.exit, none.err]).toEqual([1, expect.stringContaining('Nothing was done.')]);
      await refuses(2, '--slot', `case book ${other.id}`, ...CHECKED);
    });

    it('offers the nearest times in place of one that is not free', async () => {
      const [, time] = await booked();
      const { id } = await create();
      const { error } = await json(`case book ${id} --slot ${time.slot}`, ...CHECKED);
      expect(error).toMatchObject({ code: 'NOT_FREE' });
      expect(error.alternatives).toHaveLength(3);
      const err = await refuses(
        1,
        'The nearest free times:',
        `case book ${id} --start`,
        `${today(3)} 03:17`,
        ...CHECKED,
      );
      expect(err).toContain(error.alternatives[0].practitioner);
    });

    it('offers others when somebody is a moment quicker, and the log says so', async () => {
      const { id } = await create();
      const { slot } = await freshTime(id);
      const reference = `Slot/${slot.split('/')[2]}`;
      await fault({
        effect: 'meanwhile',
        method: 'PUT',
        resource: 'Slot',
        reference,
        set: { status: 'busy' },
      });
      try {
        const { error } = await json(`case book ${id} --slot ${slot}`, ...CHECKED);
        expect(error).toMatchObject({ code: 'SLOT_TAKEN', alternatives: expect.any(Array) });
        expect((await json(`log --case ${id}`)).data).toMatchObject([{ outcome: 'SLOT_TAKEN' }]);
        expect((await read(id)).status).toBe('pending_patient_action');
      } finally {
        await noFaults();
      }
    });

    it('needs to know how the identity was checked, and a slot that reads as one', async () => {
      const { id } = await create();
      const { slot } = await freshTime(id);
      await refuses(2, '--identity-checked', `case book ${id} --slot ${slot}`);
      await refuses(2, '', `case book ${id} --slot ${slot} --identity-checked`, ' ');
      for (const odd of ['x', 'nordlys', 'nordlys/now/x', '//'])
        await refuses(2, '', `case book ${id} --slot ${odd}`, ...CHECKED);
      for (const odd of ['08:00', '2026-02-30 08:00', 'soon'])
        await refuses(2, '', `case book ${id} --start`, odd, ...CHECKED);
    });

    it('of a case that is over is refused, refuses, with what is possible', async () => {
      const { id } = await create();
      await service.partner.post(`/cases/${id}/recall`);
      const { error } = await json(`case book ${id} --start ${today(2)}`, ...CHECKED);
      expect(error).toMatchObject({ code: 'ACTION_NOT_ALLOWED', status: 'recalled', possible: ['archive'] });
    });
  });

  describe('case change', () => {
    it('books another time, and the old one is let go', async () => {
      const [id, before] = await booked();
      await until(id, ({ booking }) => booking?.transferredAt !== null);
      const time = await freshTime(id);
      expect(await done(`case change ${id} --slot ${time.slot}`, ...CHECKED)).toContain('Changed to');
      await until(id, ({ notifications }) => notifications.some(({ kind }) => kind === 'changed'));
      expect((await read(id)).booking).toMatchObject({ start: time.start, practitioner: time.practitioner });
      expect(await actorsOf(id, 'booking.changed')).toEqual(['operator']);
      expect(await appointmentsOf(id)).toHaveLength(1);
      const { slots } = await json(`case availability ${id}`);
      expect(slots.map(({ slot }: any) => slot)).toContain(before.slot);
    });

    it('is for booked cases, and book for the others', async () => {
      const [id] = await booked();
      const { slot } = await freshTime(id);
      await refuses(1, 'case change', `case book ${id} --slot ${slot}`, ...CHECKED);
      const other = await create();
      await refuses(1, 'case book', `case change ${other.id} --slot ${slot}`, ...CHECKED);
    });
  });
});
