import { describe, expect, it } from '@jest/globals';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { type Claims, createProviderActivities } from '../../activities/provider.ts';
import { daytimeFrom, graceDeadline, reminderOfAppointment } from '../../src/calendar/dates.ts';
import { caseTime } from '../../src/domain/case-state.ts';
import type { BookingId, CaseId, ProviderId } from '../../src/domain/ids.ts';
import { daysAfter, instant } from '../../src/domain/instant.ts';
import { type Slot, slotOf } from '../../src/domain/slot.ts';
import { createFhirClient } from '../../src/fhir/client.ts';
import { connectBookingSystem } from '../../src/providers/connect.ts';
import { type BookingSystem, type ProviderSettings, USUAL_SETTINGS } from '../../src/providers/port.ts';
import { calendarsAtHand } from './caldav-at-hand.ts';
import { bookingOf, clinicAtHand } from './clinic-at-hand.ts';

const SECOND = 1_000;
const claims: Claims = {
  claim: async () => true,
  describe: async () => undefined,
  free: async () => undefined,
};

const activitiesOf = (system: BookingSystem, slot: Slot, bookingId: BookingId, familyName?: string) =>
  createProviderActivities({
    bookingSystemOf: () => system,
    claims,
    noteTransfer: async () => undefined,
    bookingFailures: { failed: async () => undefined, succeeded: async () => undefined },
    noteFinding: () => undefined,
    bookingDetails: async (caseId) => {
      const { patient, ...details } = bookingOf(slot, bookingId);
      return { ...details, caseId, patient: familyName === undefined ? patient : { ...patient, familyName } };
    },
    graceDeadline: (of) => graceDeadline(caseTime(of, new Date())),
    reminderOfAppointment,
    daytime: () => daytimeFrom(new Date()),
    waitingFor: async () => [],
    caseClient: { deliver: async () => 'ended' },
  });

const orderOf = (slot: Slot, bookingId: BookingId) => ({
  ...{ caseId: 'case' as CaseId, bookingId, slot: slotOf(slot), treatmentType: 'psychology' },
});

/** Secures a slot as an attempt that has so much of its 6 seconds left, the last one of which is for what is under way. */
async function secureWithin(ms: number, system: BookingSystem, slot: Slot, bookingId: BookingId) {
  const { secureSlot } = activitiesOf(system, slot, bookingId);
  const scheduledTimestampMs = Date.now() + ms - 5 * SECOND;
  const environment = new MockActivityEnvironment(
    {
      scheduledTimestampMs,
      currentAttemptScheduledTimestampMs: scheduledTimestampMs,
      startToCloseTimeoutMs: 6 * SECOND,
      scheduleToCloseTimeoutMs: 10 * SECOND,
    },
    { logger: new DefaultLogger('ERROR') },
  );
  return environment.run(secureSlot, orderOf(slot, bookingId));
}

describe('an appointment', () => {
  const clinic = clinicAtHand();

  it('is put into no calendar while nobody knows for whom, as after a restore', async () => {
    const [slot, bookingId] = [await clinic.freshSlot(), clinic.newBookingId()];
    const transferAs = (familyName?: string) => {
      const { transferBooking } = activitiesOf(clinic.system(), slot, bookingId, familyName);
      const info = { startToCloseTimeoutMs: 30 * SECOND, scheduleToCloseTimeoutMs: 0 };
      return new MockActivityEnvironment(info, { logger: new DefaultLogger('ERROR') }).run(
        transferBooking,
        orderOf(slot, bookingId),
      );
    };
    const ref = { bookingId, slot: slotOf(slot) };
    await expect(transferAs('')).rejects.toMatchObject({ type: 'NameLost', nonRetryable: false });
    expect(await clinic.system().lookUp([ref])).toEqual([{ state: 'missing' }]);
    expect(await transferAs()).toMatchObject({ outcome: 'booked' });
  });
});

describe('a hold whose time is over', () => {
  const fhir = clinicAtHand();
  const calDav = calendarsAtHand();

  it('holds what can be held in time', async () => {
    const [slot, event] = [await fhir.freshSlot(), await calDav.freeTime()];
    expect(await secureWithin(4 * SECOND, fhir.system(), slot, fhir.newBookingId())).toBe('secured');
    expect(await secureWithin(4 * SECOND, calDav.system(), event, calDav.newBookingId())).toBe('secured');
  });

  it('is not sent to a FHIR server that was slow to show the slot', async () => {
    const slot = await fhir.freshSlot();
    await fhir.fault({ effect: 'delay', method: 'GET', resource: 'Slot', delayMs: 700 });
    const late = secureWithin(300, fhir.system(), slot, fhir.newBookingId());
    await expect(late).rejects.toThrow('cancelled by caller');
    expect(await fhir.slotAt(slot)).toMatchObject({ status: 'free' });
  });

  it('is not sent to a CalDAV server that was slow to show the hour', async () => {
    const slot = await calDav.freeTime();
    const before = calDav.events().join();
    await calDav.fault({ effect: 'delay', method: 'REPORT', delayMs: 700 });
    const late = secureWithin(300, calDav.system(), slot, calDav.newBookingId());
    await expect(late).rejects.toThrow('cancelled by caller');
    expect(calDav.events().join()).toBe(before);
  });

  it('is not even begun where the worker was late', async () => {
    const slot = await fhir.freshSlot();
    await fhir.fault({ effect: 'answer', status: 503 });
    await expect(secureWithin(-1, fhir.system(), slot, fhir.newBookingId())).rejects.toThrow(
      'timed out before start',
    );
  });

  it('is not sent by a process that has slept until after it', async () => {
    const slot = await fhir.freshSlot();
    const client = createFhirClient({ baseUrl: fhir.clinic().fhirUrl, timeoutMs: SECOND });
    await client.metadata.fresh();
    const read = await client.read('Slot', slot.slot);
    if (read.outcome !== 'found') throw new Error(read.outcome);
    const signal = AbortSignal.timeout(50);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    const late = client.update(read.resource, { ...read.resource, status: 'busy' }, signal);
    await expect(late).rejects.toThrow('cancelled by caller');
    expect(await fhir.slotAt(slot)).toMatchObject({ status: 'free' });
  });
});

describe('what a provider may take', () => {
  const fhir = clinicAtHand();
  const connect = (settings: ProviderSettings) =>
    connectBookingSystem({
      ...{ id: 'x' as ProviderId, name: 'x', kind: 'fhir', baseUrl: fhir.clinic().fhirUrl },
      settings,
    });
  const search = (settings: ProviderSettings) => {
    const from = instant(Date.now());
    return connect(settings).search({ treatmentType: 'psychology', from, to: daysAfter(from, 14) });
  };

  it('is three seconds for a search and five for a request, unless its settings say otherwise', () => {
    expect(USUAL_SETTINGS).toEqual({
      searchTimeoutMs: 3_000,
      requestTimeoutMs: 5_000,
      metadataTimeoutMs: 2_000,
    });
  });

  it.each([
    [{ searchTimeoutMs: 200 }, 'search timed out after 200 ms'],
    [{ requestTimeoutMs: 200 }, 'GET Slot: timed out'],
  ])('is cut at %j', async (settings, message) => {
    await fhir.fault({ effect: 'delay', method: 'GET', resource: 'Slot', delayMs: 60_000 });
    await expect(search(settings)).rejects.toMatchObject({ message, reason: 'timed_out' });
    expect((await search({})).length).toBeGreaterThan(50);
  });

  it('is not cut for what a server says of itself, which nobody waits for', async () => {
    await fhir.fault({ effect: 'delay', resource: 'metadata', delayMs: 300 });
    const system = connect({ metadataTimeoutMs: 100 });
    expect((await system.capabilities())[0]).toMatchObject({ state: 'yes' });
  });
});
