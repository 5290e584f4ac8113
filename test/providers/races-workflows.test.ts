import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, Connection, WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { dataConverterOf } from '../../src/temporal/payload-codec.ts';
import type { ProviderId } from '../../src/domain/ids.ts';
import { daysAfter, instant } from '../../src/domain/instant.ts';
import type { Refusal } from '../../src/domain/permit.ts';
import { type Slot, slotOf, type SlotRef } from '../../src/domain/slot.ts';
import { connectBookingSystem } from '../../src/providers/connect.ts';
import { confirmBooking, type UpdateRequest, workflowIdOf } from '../../workflows/contract.ts';
import { drawsOf } from '../chaos/plan/draws.ts';
import { booksOf, clinicFaults, markOf } from '../support/clinics.ts';
import { eventually } from '../support/eventually.ts';
import { partnersCases } from '../support/partners-cases.ts';
import { runningServers } from '../support/running-servers.ts';
import { startService, type TestService } from '../support/service.ts';
import { PAYLOAD_KEYS } from '../support/service-settings.ts';
import { FAULTS } from './races-plan.ts';

const CONTESTS = 12;
const A_WHILE = 60_000;

describe('cases with workflows that meet over slots, at a clinic in trouble', () => {
  let service: TestService;
  let connection: Connection;
  let slots: Slot[];
  const faults = clinicFaults(() => service);
  const { create, read } = partnersCases(() => service);
  const draws = drawsOf(20_261_121);
  beforeAll(async () => {
    service = await startService({ worker: true, clinics: ['fjordklinikken'] });
    connection = await Connection.connect({ address: runningServers().temporalAddress });
    const [clinic] = service.clinics;
    if (!clinic) throw new Error('no clinic');
    const providerId = 'fjordklinikken' as ProviderId;
    const system = connectBookingSystem({
      id: providerId,
      name: clinic.name,
      kind: 'fhir',
      baseUrl: clinic.fhirUrl,
    });
    const from = instant(Date.now());
    slots = await system.search({ treatmentType: 'psychology', from, to: daysAfter(from, 14) });
  });
  afterAll(async () => {
    await connection.close();
    await service.stop();
  });

  /**
   * A clinic that is away, or left alone since it was, is tried again. Its trouble ends then: each further fault would
   * be met by the one call that tries it, and have it left alone for twice as long.
   * @returns whether it was granted
   */
  const dataConverter = dataConverterOf(PAYLOAD_KEYS);
  const confirm = async (caseId: string, slot: SlotRef): Promise<boolean> => {
    let refusals = 0;
    const handle = new Client({ connection, dataConverter }).workflow.getHandle(
      workflowIdOf(caseId as never),
    );
    const ask = async () => {
      const notAfter = instant(Date.now() + A_WHILE);
      const args: [UpdateRequest & { slot: SlotRef }] = [{ slot: slotOf(slot), actor: 'customer', notAfter }];
      try {
        await handle.executeUpdate(confirmBooking, { args });
        return 'granted';
      } catch (error) {
        const cause = error instanceof WorkflowUpdateFailedError ? error.cause : null;
        if (!(cause instanceof ApplicationFailure)) throw error;
        const { code } = cause.details?.[0] as Refusal;
        if (code !== 'PROVIDER_UNAVAILABLE') return code;
        refusals += 1;
        if (refusals > 2) await faults.clear();
        return null;
      }
    };
    const answer = await eventually(ask, { what: 'a clinic that answers', withinMs: A_WHILE, everyMs: 500 });
    return answer === 'granted';
  };
  const newCase = async (): Promise<string> => {
    const { id } = await create();
    const handle = new Client({ connection, dataConverter }).workflow.getHandle(workflowIdOf(id as never));
    await eventually(() => handle.describe().catch(() => null), { what: 'a workflow' });
    return id;
  };
  const nextSlot = (): Slot => {
    const slot = slots.shift();
    if (!slot) throw new Error('no slot left');
    return slot;
  };
  const inTrouble = async (): Promise<void> => {
    if (draws.between(1, 2) === 1)
      await faults.add({ ...draws.weighted(FAULTS), after: draws.between(0, 12) });
  };
  /** The case once it has what it wants, or nothing. */
  const atRest = (id: string) =>
    eventually(
      async () => {
        const theCase = await read(id);
        return (theCase.booking === null || theCase.booking.transferredAt !== null) && theCase;
      },
      { what: `case ${id} at rest`, withinMs: A_WHILE },
    );

  it(
    'end with one appointment for one winner a slot, and one for one case, and no slot that is blocked',
    async () => {
      const [pairs, changers] = [
        await Promise.all(Array.from({ length: CONTESTS }, () => Promise.all([newCase(), newCase()]))),
        await Promise.all(Array.from({ length: CONTESTS }, newCase)),
      ];
      const granted = await Promise.all([
        ...pairs.map(async ([one, other]) => {
          const slot = nextSlot();
          await inTrouble();
          return Promise.all([confirm(one, slot), confirm(other, slot)]);
        }),
        ...changers.map(async (id) => {
          const [one, other] = [nextSlot(), nextSlot()];
          await inTrouble();
          return Promise.all([confirm(id, one), confirm(id, other)]);
        }),
      ]);
      const cases = await Promise.all([...pairs.flat(), ...changers].map(atRest));
      const booked = cases.flatMap(({ booking }) => booking?.bookingId ?? []);
      const [clinic] = service.clinics;
      if (!clinic) throw new Error('no clinic');
      const books = await eventually(
        async () => {
          const found = await booksOf(clinic);
          return found.blocked().length === 0 && found.live.length <= booked.length && found;
        },
        { what: 'a clinic where nothing is left over', withinMs: A_WHILE },
      );
      expect(books.doubles()).toEqual([]);
      expect(books.live.map(markOf).toSorted()).toEqual(booked.toSorted());
      for (const answers of granted.slice(0, CONTESTS))
        expect(answers.filter(Boolean).length).toBeLessThan(2);
      expect(booked.length).toBeGreaterThan(CONTESTS);
    },
    4 * A_WHILE,
  );
});
