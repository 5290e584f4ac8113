import { z } from 'zod';
import { CASE_STATUSES } from '../../domain/case-state.ts';
import { CUSTOMER_ACTIONS } from '../../domain/permit.ts';
import { calendarDate, instant } from './primitives.ts';

const where = {
  providerId: z.string(),
  providerName: z.string(),
  practitioner: z.string().meta({ description: 'Who treats.' }),
  location: z.string().meta({ description: 'Where to go; for a video appointment, that it is one.' }),
  mode: z.enum(['in_person', 'video']),
};
const when = {
  start: instant('When it begins.'),
  end: instant('When it ends.'),
};

/** What was booked, as partner and customer read it. */
export const bookingAnswer = z
  .object({
    bookingId: z.uuid(),
    ...where,
    // written with the hold, which a crash can come before
    providerName: where.providerName.nullable(),
    practitioner: where.practitioner.nullable(),
    location: where.location.nullable(),
    mode: where.mode.nullable(),
    ...when,
    confirmedAt: instant('When the customer confirmed it.'),
    transferredAt: instant('Since when it stands in the provider’s calendar; null until then.').nullable(),
    providerReference: z
      .string()
      .nullable()
      .meta({ description: 'The provider’s own id of the appointment.' }),
  })
  .meta({ id: 'Booking', description: 'The customer’s appointment.' });

export const offeredTimeAnswer = z
  .object({
    slotId: z
      .string()
      .meta({ description: 'To confirm this time with: signed by us, good for this case only.' }),
    ...where,
    ...when,
  })
  .meta({ id: 'OfferedTime', description: 'A free time.' });

export const availabilityAnswer = z
  .object({
    slots: z.array(offeredTimeAnswer).meta({ description: 'By time; empty where there is none.' }),
    providers: z
      .array(
        z.object({
          id: z.string(),
          name: z.string(),
          state: z.enum(['live', 'unavailable']).meta({
            description: '`unavailable`: its booking system does not answer now, so its times are missing.',
          }),
          asOf: instant('When it was asked.'),
        }),
      )
      .meta({ description: 'Who was asked.' }),
  })
  .meta({ id: 'Availability', description: 'The providers’ live free times.' });

const openView = {
  caseId: z.uuid(),
  open: z.boolean().meta({ description: 'Whether it can still be booked.' }),
  bookingDeadline: calendarDate('The last day to book.'),
  partnerName: z.string().meta({ description: 'The insurer.' }),
};

export const strangersView = z
  .object({ ...openView, authenticated: z.literal(false) })
  .meta({ id: 'BookingOfAnybody', description: 'What anybody with the link may know.' });

export const customersView = z
  .object({
    ...openView,
    authenticated: z.literal(true),
    status: z.enum(CASE_STATUSES),
    treatmentType: z.string(),
    patientFirstName: z.string(),
    booking: bookingAnswer.nullable(),
    allowedActions: z.array(z.enum(CUSTOMER_ACTIONS)),
  })
  .meta({ id: 'BookingOfCustomer', description: 'What the customer sees after the eID login.' });
