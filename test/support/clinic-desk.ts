import type { Appointment, Slot } from 'fhir/r4.d.ts';
import type { RunningClinic } from '../../dev/fhir-clinic/clinic.ts';

/** The clinic's receptionist books the slot for somebody on the telephone. @returns whether nobody was quicker */
export async function bookAtDesk({ staffUrl }: RunningClinic, slotId: string): Promise<boolean> {
  const send = (method: string, path: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(`${staffUrl}/${path}`, {
      method,
      headers: { 'content-type': 'application/fhir+json', ...headers },
      body: JSON.stringify(body),
    });
  const slot = (await (await fetch(`${staffUrl}/Slot/${slotId}`)).json()) as Slot;
  if (slot.status !== 'free') return false;
  const ifMatch = { 'if-match': `W/"${slot.meta?.versionId ?? ''}"` };
  const taken = await send('PUT', `Slot/${slotId}`, { ...slot, status: 'busy' }, ifMatch);
  if (!taken.ok) return false;
  const appointment: Appointment = {
    resourceType: 'Appointment',
    status: 'booked',
    comment: 'Ringte selv',
    start: slot.start,
    end: slot.end,
    slot: [{ reference: `Slot/${slotId}` }],
    participant: [{ status: 'accepted' }],
  };
  const made = await send('POST', 'Appointment', appointment);
  if (!made.ok) throw new Error(`the receptionist's appointment was answered ${made.status}`);
  return true;
}
