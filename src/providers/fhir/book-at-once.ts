import { randomUUID } from 'node:crypto';
import type { FhirResource } from 'fhir/r4.d.ts';
import { idIn } from '../../fhir/answers.ts';
import type { SearchParameters } from '../../fhir/client.ts';
import { queryString } from '../../fhir/client.ts';
import type { Known } from '../../fhir/resources.ts';
import { etagOf } from '../../fhir/resources.ts';
import type { TransactionEntry } from '../../fhir/transaction.ts';
import type { BookingRequest } from '../port.ts';
import { appointmentFor } from './appointment-for.ts';
import { isVersioned } from './change-slot.ts';
import type { Clinic } from './clinic.ts';
import { BOOKING_SYSTEM, bookingOf, marked } from './mark.ts';
import { ensurePatient, newPatient } from './patient.ts';
import type { Situation } from './situation.ts';
import type { Described } from './slot-view.ts';
import { whose } from './take-slot.ts';

export type AtOnce =
  | { readonly outcome: 'booked'; readonly reference: string }
  /** Nothing was sent. */
  | { readonly outcome: 'not_tried' }
  /** It said no, or did not say of all that it is done: look. */
  | { readonly outcome: 'not_sure' };

/**
 * Patient, appointment and busy slot in one transaction. Only onto a version of the slot: then a second attempt that
 * meets the first one's work is refused as a whole.
 */
export async function bookAtOnce(
  clinic: Clinic,
  request: BookingRequest,
  { found, slot, patient }: Situation,
): Promise<AtOnce> {
  const { bookingId, slot: ref } = request;
  if (slot === null || found.length > 0 || !(await canTry(clinic, slot))) return { outcome: 'not_tried' };
  const owner = whose(slot.resource, { bookingId, ref });
  if (owner !== 'free' && owner !== 'ours') return { outcome: 'not_tried' };

  const newUrl = urn();
  const known = patient && (await ensurePatient(clinic, request, patient));
  if (known?.outcome === 'refused') return { outcome: 'not_tried' };
  const answer = await clinic.client.transaction([
    ...(known ? [] : [creation(newPatient(request), newUrl)]),
    creation({
      resource: appointmentFor(request, slot, known?.reference ?? newUrl),
      condition: [['identifier', `${BOOKING_SYSTEM}|${bookingId}`]],
    }),
    {
      resource: marked(slot.resource, 'busy', bookingId),
      request: { method: 'PUT', url: `Slot/${slot.resource.id}`, ifMatch: etagOf(slot.resource) ?? '' },
    },
  ]);
  if (answer.outcome !== 'done') return { outcome: 'not_sure' };
  const [appointment, busy] = answer.entries.slice(-2);
  const reference = appointment?.resource?.id ?? idIn('Appointment', appointment?.location ?? '');
  // 200: there was one already. Whether it is as it should be is looked at first.
  if (appointment?.status !== 201 || reference === null) return { outcome: 'not_sure' };
  const now = busy?.resource;
  if (now && !isBookedBy(now as Known<'Slot'>, bookingId)) return { outcome: 'not_sure' };
  return { outcome: 'booked', reference };
}

const urn = (): string => `urn:uuid:${randomUUID()}`;

const creation = (
  { resource, condition }: { readonly resource: FhirResource; readonly condition: SearchParameters },
  fullUrl = urn(),
): TransactionEntry => ({
  fullUrl,
  resource,
  request: { method: 'POST', url: resource.resourceType, ifNoneExist: queryString(condition) },
});

const canTry = async (clinic: Clinic, slot: Described): Promise<boolean> =>
  (await clinic.client.metadata.statement()).transaction === 'yes' &&
  (await isVersioned(clinic, slot.resource));

const isBookedBy = (slot: Known<'Slot'>, bookingId: string): boolean =>
  slot.status === 'busy' && bookingOf(slot) === bookingId;
