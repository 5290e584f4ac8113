import { describe, expect, it } from '@jest/globals';
import type { Patient } from 'fhir/r4.d.ts';
import { bookingOf, clinicAtHand } from './clinic-at-hand.ts';

describe('booking a slot', () => {
  const at = clinicAtHand();

  const held = async () => {
    const slot = await at.freshSlot();
    const bookingId = at.newBookingId();
    await at.system().hold(slot, bookingId);
    return { ...bookingOf(slot, bookingId, `case-${bookingId}`), slot };
  };

  it('tells the clinic what it needs, and makes the slot busy', async () => {
    const booking = await held();
    const booked = await at.system().book(booking);
    const [appointment] = await at.liveAppointments(booking.slot);
    expect(booked).toEqual({ outcome: 'booked', reference: appointment?.id });
    expect(appointment).toMatchObject({
      identifier: [
        { system: 'urn:oid:2.25.218689189747903714014484464659380179410', value: booking.bookingId },
        { system: 'urn:oid:2.25.339197754189523432285753920158917890127', value: booking.caseId },
      ],
      status: 'booked',
      serviceType: [{ coding: [{ system: 'urn:sandbox:services', code: 'psychology' }] }],
      start: booking.slot.start,
      end: booking.slot.end,
      minutesDuration: 45,
      created: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as unknown,
      extension: [{ valueDate: '2026-01-15' }],
      supportingInformation: [
        { type: 'Claim', identifier: { value: 'TF-2026-1', assigner: { display: 'Trygg Forsikring' } } },
      ],
      participant: [
        { type: [{ coding: [{ code: 'PART' }] }] },
        { type: [{ coding: [{ code: 'PPRF' }] }], actor: { display: booking.slot.practitioner } },
        { actor: { display: booking.slot.location } },
      ],
      description: 'Time bestilt på nett',
      reasonCode: [{ text: 'Fall på isen' }],
      comment:
        'Forsikringsselskap: Trygg Forsikring\nSaksnummer hos selskapet: TF-2026-1\nSkadedato: 2026-01-15',
    });
    const actors = appointment?.participant.map(({ actor }) => actor?.reference ?? '') ?? [];
    expect(actors.map((actor) => actor.split('/')[0])).toEqual(['Patient', 'Practitioner', 'Location']);
    expect(await at.get<Patient>(actors[0] ?? '')).toMatchObject({
      name: [{ family: 'Nordmann', given: ['Kari', 'Anne'] }],
      telecom: [{ value: '+4799999999' }, { value: 'kari@example.no' }],
      birthDate: '1990-02-03',
    });
    expect(await at.slotAt(booking.slot)).toMatchObject({ status: 'busy' });
  });

  it('makes one appointment however often it is repeated', async () => {
    const booking = await held();
    const first = await at.system().book(booking);
    expect(await at.system().book(booking)).toEqual(first);
    expect(await at.liveAppointments(booking.slot)).toHaveLength(1);
  });

  it.each(['Patient', 'Appointment', 'Slot'])(
    'finds what it made after a lost answer about the %s',
    async (resource) => {
      const booking = await held();
      await at.fault({ effect: 'drop-after-commit', method: resource === 'Slot' ? 'PUT' : 'POST', resource });
      await expect(at.system().book(booking)).rejects.toMatchObject({ name: 'ProviderUnavailable' });
      expect(await at.system().book(booking)).toMatchObject({ outcome: 'booked' });
      expect(await at.liveAppointments(booking.slot)).toHaveLength(1);
      expect(await at.slotAt(booking.slot)).toMatchObject({ status: 'busy' });
    },
  );

  it('ends with one appointment when two attempts run at once at a server that ignores If-None-Exist', async () => {
    const booking = await held();
    await at.fault({ effect: 'ignore-conditions', method: 'POST', times: 4 });
    const outcomes = await Promise.all([at.system().book(booking), at.system().book(booking)]);
    const again = await at.system().book(booking);
    const live = await at.liveAppointments(booking.slot);
    expect(live).toHaveLength(1);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['booked', 'booked']);
    expect(again).toEqual({ outcome: 'booked', reference: live[0]?.id });
  });

  it.each([400, 405, 404, 422])(
    'is refused for good when the server answers %i, and leaves nothing live',
    async (status) => {
      const booking = await held();
      await at.fault({ effect: 'answer', method: 'POST', resource: 'Appointment', status });
      const cause = status === 404 ? 'no_appointments' : `http_${status}`;
      expect(await at.system().book(booking)).toEqual({ outcome: 'refused', cause });
      expect(await at.liveAppointments(booking.slot)).toEqual([]);
      expect(await at.slotAt(booking.slot)).toMatchObject({ status: 'free' });
      expect(await at.slotAt(booking.slot)).not.toHaveProperty('identifier');
    },
  );

  it('is refused when the patient is refused', async () => {
    const booking = await held();
    await at.fault({ effect: 'answer', method: 'POST', resource: 'Patient', status: 422 });
    expect(await at.system().book(booking)).toEqual({ outcome: 'refused', cause: 'http_422' });
    expect(await at.slotAt(booking.slot)).toMatchObject({ status: 'free' });
  });

  it('is gone when the server sees a conflict that is not of our making', async () => {
    const booking = await held();
    await at.fault({ effect: 'answer', method: 'POST', resource: 'Appointment', status: 409 });
    expect(await at.system().book(booking)).toEqual({ outcome: 'gone' });
  });

  it.each([
    ['before the appointment', { method: 'POST', resource: 'Appointment' }],
    ['right after it', { method: 'PUT', resource: 'Slot' }],
  ])('cancels what it made when somebody else takes the slot %s', async (_, when) => {
    const booking = await held();
    // The clinic's own booking, as its receptionist makes it.
    await fetch(`${at.clinic().fhirUrl}/Appointment`, {
      method: 'POST',
      headers: { 'content-type': 'application/fhir+json' },
      body: JSON.stringify({
        resourceType: 'Appointment',
        status: 'booked',
        comment: 'Ringte selv',
        slot: [{ reference: `Slot/${booking.slot.slot}` }],
        participant: [{ status: 'accepted' }],
      }),
    });
    const theirs = { status: 'busy', identifier: null };
    await at.fault({ effect: 'meanwhile', ...when, reference: `Slot/${booking.slot.slot}`, set: theirs });
    expect(await at.system().book(booking)).toEqual({ outcome: 'gone' });
    expect(await at.liveAppointments(booking.slot)).toMatchObject([{ comment: 'Ringte selv' }]);
    expect(await at.slotAt(booking.slot)).toMatchObject({ status: 'busy' });
  });

  it('fails only when nothing of it is under way any more, so that no busy slot comes behind its release', async () => {
    const slot = await at.freshSlot();
    const booking = bookingOf(slot, at.newBookingId());
    // the appointments are looked for twice before, once for others and once for ours after; the mark comes first
    await at.fault({ effect: 'answer', method: 'GET', resource: 'Appointment', after: 3, status: 503 });
    await at.fault({ effect: 'late', method: 'PUT', resource: 'Slot', after: 1, delayMs: 200 });
    await expect(at.system().book(booking)).rejects.toThrow('GET Appointment: HTTP 503');
    expect((await at.slotAt(slot)).status).toBe('busy');
    expect(await at.system().release({ ...booking, cancelledBy: 'service' })).toBe('released');
    expect((await at.slotAt(slot)).status).toBe('free');
  });

  it('is not told as one while a second appointment of it can not be cancelled', async () => {
    const booking = await held();
    await at.system().book(booking);
    const [made] = await at.liveAppointments(booking.slot);
    const { id: _, ...twin } = made ?? {};
    await fetch(`${at.clinic().staffUrl}/Appointment`, {
      method: 'POST',
      headers: { 'content-type': 'application/fhir+json' },
      body: JSON.stringify(twin),
    });
    await at.fault({ effect: 'answer', method: 'PUT', resource: 'Appointment', status: 422 });
    await expect(at.system().book(booking)).rejects.toThrow(
      'PUT Appointment: a double could not be cancelled',
    );
    expect(await at.system().book(booking)).toMatchObject({ outcome: 'booked' });
    expect(await at.liveAppointments(booking.slot)).toHaveLength(1);
  });

  it('knows its own booking at a server that keeps no identifiers of slots', async () => {
    const booking = await held();
    const booked = await at.system().book(booking);
    await at.fault({
      effect: 'meanwhile',
      reference: `Slot/${booking.slot.slot}`,
      set: { identifier: null },
    });
    expect(await at.system().book(booking)).toEqual(booked);
    expect(await at.liveAppointments(booking.slot)).toHaveLength(1);
  });

  it('is gone, and cancelled, when the clinic moved the slot to another time', async () => {
    const booking = await held();
    await at.system().book(booking);
    const set = { start: '2031-01-01T08:00:00Z', end: '2031-01-01T09:00:00Z' };
    await at.fault({ effect: 'meanwhile', reference: `Slot/${booking.slot.slot}`, set });
    expect(await at.system().book(booking)).toEqual({ outcome: 'gone' });
    expect(await at.liveAppointments(booking.slot)).toEqual([]);
    expect(await at.slotAt(booking.slot)).toMatchObject({ status: 'free' });
  });

  it('does not bring back to life what the clinic cancelled', async () => {
    const booking = await held();
    const booked = await at.system().book(booking);
    const reference = `Appointment/${booked.outcome === 'booked' ? booked.reference : ''}`;
    await at.fault({ effect: 'meanwhile', reference, set: { status: 'cancelled' } });
    expect(await at.system().book(booking)).toEqual({ outcome: 'gone' });
    expect(await at.liveAppointments(booking.slot)).toEqual([]);
  });

  it('keeps one patient for one person of a case, with the contacts of today', async () => {
    const first = await held();
    const second = { ...bookingOf(await at.freshSlot(), at.newBookingId(), first.caseId) };
    await at.system().book(first);
    await at.system().book({ ...second, patient: { ...second.patient, phone: '+4741111111' } });
    const of = async (booking: Pick<typeof second, 'slot'>) =>
      (await at.liveAppointments(booking.slot))[0]?.participant[0]?.actor;
    expect(await of(second)).toEqual(await of(first));
    expect(await at.get((await of(first))?.reference ?? '')).toMatchObject({
      telecom: [{ value: '+4741111111' }, { value: 'kari@example.no' }],
    });
  });
});
