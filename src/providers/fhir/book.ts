import { randomUUID } from 'node:crypto';
import type { FhirResource } from 'fhir/r4.d.ts';
import { queryString, type SearchParameters } from '../../fhir/client.ts';
import { idIn, type TransactionEntry } from '../../fhir/interactions.ts';
import { etagOf, type Known } from '../../fhir/resources.ts';
import { bothOver } from '../adapter.ts';
import { type BookingRequest, type BookOutcome, ProviderUnavailable } from '../port.ts';
import { appointmentFor, appointmentsOf, isAlone, isWithdrawn, reduceToOne } from './appointments.ts';
import type { Clinic } from './clinic.ts';
import { BOOKING_SYSTEM, bookingOf, marked } from './mark.ts';
import { ensurePatient, findPatient, newPatient } from './patient.ts';
import { withdraw } from './release.ts';
import { type DescribedSlot, readSlot } from './slots.ts';
import { isVersioned, ownerOf, type Seen, takeSlot } from './take-slot.ts';

/**
 * Whatever an earlier attempt made is found first. Then all at once, where the server does that; what it says no to is
 * done step by step, which finds out why, and whether it was done after all.
 */
export async function book(clinic: Clinic, request: BookingRequest): Promise<BookOutcome> {
  const before = await readSituation(clinic, request);
  const attempt = await bookInTransaction(clinic, request, before);
  // Where somebody else's appointment came meanwhile, the steps find out what is to be undone.
  if (typeof attempt !== 'string' && (await isAlone(clinic, request.slot, request.bookingId))) return attempt;
  const now = attempt === 'not_tried' ? before : await readSituation(clinic, request);
  const outcome = await bookStepwise(clinic, request, now);
  if (outcome.outcome !== 'booked') await undo(clinic, request);
  return outcome;
}

/** What there is of a booking before anything is done about it. */
interface Situation {
  /** Appointments of the booking, live or not. */
  readonly found: readonly Known<'Appointment'>[];
  readonly slot: DescribedSlot | null;
  /** Whether nobody else's appointment stands on it. */
  readonly alone: boolean;
  readonly patient: Known<'Patient'> | null;
  readonly since: Seen['since'];
}

/** One round trip, where slots come with what they name. */
async function readSituation(clinic: Clinic, request: BookingRequest): Promise<Situation> {
  const { bookingId, slot: ref } = request;
  const since = performance.now();
  const [found, slot, alone, patient] = await Promise.all([
    appointmentsOf(clinic, bookingId),
    readSlot(clinic, ref.slot),
    isAlone(clinic, ref, bookingId),
    findPatient(clinic, request),
  ]);
  return { found, slot, alone, patient, since };
}

type Booked = Extract<BookOutcome, { outcome: 'booked' }>;

/**
 * Patient, appointment and busy slot in one transaction. Only onto a version of the slot: then a second attempt that
 * meets the first one's work is refused as a whole.
 * @returns `not_tried` when nothing was sent; `unclear` when it said no, or did not say of all that it is done: look
 */
async function bookInTransaction(
  clinic: Clinic,
  request: BookingRequest,
  { found, slot, alone, patient }: Situation,
): Promise<Booked | 'not_tried' | 'unclear'> {
  const { bookingId, slot: ref } = request;
  if (slot === null || !alone || found.length > 0 || !canUseTransaction(clinic, slot)) return 'not_tried';
  const owner = ownerOf(slot.resource, { bookingId, ref });
  if (owner !== 'free' && owner !== 'ours') return 'not_tried';

  const newUrl = urn();
  const known = patient && (await ensurePatient(clinic, request, patient));
  if (known?.outcome === 'refused') return 'not_tried';
  const answer = await clinic.client.transaction([
    ...(known ? [] : [creation(newPatient(request), newUrl)]),
    creation({
      resource: appointmentFor(request, slot, { patient: known?.reference ?? newUrl, now: clinic.now() }),
      condition: [['identifier', `${BOOKING_SYSTEM}|${bookingId}`]],
    }),
    {
      resource: marked(slot.resource, 'busy', bookingId),
      request: { method: 'PUT', url: `Slot/${slot.resource.id}`, ifMatch: etagOf(slot.resource) ?? '' },
    },
  ]);
  if (answer.outcome !== 'done') return 'unclear';
  const [appointment, busy] = answer.entries.slice(-2);
  const reference = appointment?.resource?.id ?? idIn('Appointment', appointment?.location ?? '');
  // 200: there was one already. Whether it is as it should be is looked at first.
  if (appointment?.status !== 201 || reference === null) return 'unclear';
  const now = busy?.resource;
  if (now && !isBookedBy(now as Known<'Slot'>, bookingId)) return 'unclear';
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

const canUseTransaction = ({ client }: Clinic, { resource }: DescribedSlot): boolean =>
  client.metadata.known().transaction === 'yes' && isVersioned(client, resource);

const isBookedBy = (slot: Known<'Slot'>, bookingId: string): boolean =>
  slot.status === 'busy' && bookingOf(slot) === bookingId;

/**
 * Slot marked, appointment made, slot busy. The mark comes first, so that at no moment an appointment of ours stands
 * on somebody else's slot; and what an earlier attempt made is taken over, since a time-out is not a no.
 * Where it does not end in a booking, what it made is still to be undone.
 */
async function bookStepwise(
  clinic: Clinic,
  request: BookingRequest,
  { found, slot, alone, patient, since }: Situation,
): Promise<BookOutcome> {
  const { bookingId, slot: ref } = request;
  const made = await reduceToOne(clinic, found);
  // Cancelled by somebody: a booking that was taken back doesn't come to life again.
  if (slot === null || (made === null && found.length > 0)) return GONE;

  const taking = { bookingId, ref, hasAppointment: made !== null };
  const seen = { slot: slot.resource, alone, since };
  const secured = await takeSlot(clinic, seen, { ...taking, as: 'busy-tentative' });
  if (secured.outcome === 'refused') return secured;
  if (secured.outcome === 'missing' || secured.verdict === 'theirs') return GONE;

  const appointment = made
    ? { outcome: 'made' as const, id: made.id }
    : await createAppointment(clinic, request, slot, patient);
  if (appointment.outcome !== 'made') return appointment;

  // Only now: whoever saw the slot before our mark was on it may have booked it meanwhile, and left it as it was.
  const stillAlone = await isAlone(clinic, ref, bookingId);
  const [busy, all] = await bothOver(
    takeSlot(
      clinic,
      { slot: secured.slot, alone: stillAlone, since: performance.now() },
      { ...taking, as: 'busy', hasAppointment: true },
    ),
    // A server that ignores If-None-Exist makes a second one for an attempt that was still under way.
    made ? Promise.resolve([made]) : appointmentsOf(clinic, bookingId),
  );
  if (busy.outcome === 'refused') return busy;
  if (busy.outcome === 'missing' || busy.verdict === 'theirs') return GONE;
  const kept = await reduceToOne(clinic, all);
  if (kept === null && all.length > 0) return GONE;
  return { outcome: 'booked', reference: kept?.id ?? appointment.id };
}

const GONE = { outcome: 'gone' } as const;

type CreatedAppointment = { readonly outcome: 'made'; readonly id: string } | Exclude<BookOutcome, Booked>;

async function createAppointment(
  clinic: Clinic,
  request: BookingRequest,
  slot: DescribedSlot,
  known: Known<'Patient'> | null,
): Promise<CreatedAppointment> {
  const patient = await ensurePatient(clinic, request, known);
  if (patient.outcome === 'refused') return patient;
  const created = await clinic.client.create<'Appointment'>(
    appointmentFor(request, slot, { patient: patient.reference, now: clinic.now() }),
    [['identifier', `${BOOKING_SYSTEM}|${request.bookingId}`]],
  );
  if (created.outcome === 'refused') return created;
  if (created.outcome === 'missing') return { outcome: 'refused', cause: 'no_appointments' };
  if (created.outcome === 'done' && created.resource !== null) {
    if (isWithdrawn(created.resource)) return GONE;
    return { outcome: 'made', id: created.resource.id };
  }
  if (created.outcome === 'done' && created.id !== null) return { outcome: 'made', id: created.id };
  const kept = await reduceToOne(clinic, await appointmentsOf(clinic, request.bookingId));
  if (kept !== null) return { outcome: 'made', id: kept.id };
  // A conflict, and none of ours there: the server knows of somebody else's at that time.
  if (created.outcome === 'conflict') return GONE;
  throw new ProviderUnavailable('POST Appointment: created, but not found afterwards');
}

/** Leaves nothing live behind. @throws ProviderUnavailable when that can't be done now: the caller comes again. */
async function undo(clinic: Clinic, { bookingId, slot }: BookingRequest): Promise<void> {
  const isUndone = await withdraw(clinic, { bookingId, slot, cancelledBy: 'service' });
  if (!isUndone) throw new ProviderUnavailable('PUT: a booking that failed could not be undone');
}
