import type { MemoryRepository } from '@medplum/fhir-router';
import { Operator } from '@medplum/core';
import type { Appointment, Slot } from '@medplum/fhirtypes';

/** On the appointments that are made like this. */
export const IN_OWN_PROGRAM = 'Ringte selv';

/**
 * Books a slot for somebody who calls, in the clinic's own program beside its FHIR server: it looks whether the time is
 * free and nobody's, and makes the appointment, in one step; the slot it leaves as it is, as most do.
 * @returns false when the time is somebody's already
 */
export async function bookInOwnProgram(repository: MemoryRepository, slotId: string): Promise<boolean> {
  const reference = `Slot/${slotId}`;
  // None of this waits for anything outside, so nothing comes in between.
  const { status, start, end } = await repository.readResource<Slot>('Slot', slotId);
  const standing = await repository.searchResources<Appointment>({
    resourceType: 'Appointment',
    filters: [{ code: 'slot', operator: Operator.EQUALS, value: reference }],
  });
  if (status !== 'free' || standing.some((one) => one.status === 'booked')) return false;
  await repository.createResource<Appointment>({
    ...{ resourceType: 'Appointment', status: 'booked', comment: IN_OWN_PROGRAM, start, end },
    slot: [{ reference }],
    participant: [{ status: 'accepted' }],
  });
  return true;
}
