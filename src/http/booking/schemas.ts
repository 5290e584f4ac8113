import { z } from 'zod';
import { addDays, parseDate, PARTS_OF_DAY } from '../../calendar/dates.ts';
import { CASE_STATUSES } from '../../domain/case-state.ts';
import type { ProviderId } from '../../domain/ids.ts';
import type { CalendarDate } from '../../domain/instant.ts';
import { AVAILABILITY_DAYS, HELP_MESSAGE_LETTERS, MAX_AVAILABILITY_DAYS } from '../../domain/limits.ts';
import { CUSTOMER_ACTIONS } from '../../domain/permit.ts';
import type { FieldCode } from '../error-codes.ts';
import { HELPER_RELATIONS } from '../../postgres/case-texts.ts';
import { calendarDate, callablePhone, dateTime, fieldError, multilineText, text } from '../fields.ts';

const where = {
  providerId: z.string(),
  providerName: z.string(),
  practitioner: z.string().meta({ description: 'Who treats.' }),
  location: z.string().meta({ description: 'Where to go; for a video appointment, that it is one.' }),
  mode: z.enum(['in_person', 'video']),
};
const when = {
  start: dateTime('When it begins.'),
  end: dateTime('When it ends.'),
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
    confirmedAt: dateTime('When the customer confirmed it.'),
    transferredAt: dateTime('Since when it stands in the provider’s calendar; null until then.').nullable(),
    providerReference: z
      .string()
      .nullable()
      .meta({ description: 'The provider’s own id of the appointment.' }),
  })
  .meta({ id: 'Booking', description: 'The customer’s appointment.' });

export const offeredSlotAnswer = z
  .object({
    slotId: z
      .string()
      .meta({ description: 'To confirm this time with: signed by us, good for this case only.' }),
    ...where,
    town: z.string().nullable().meta({ description: 'Of the place; null for video, and where nobody says.' }),
    ...when,
  })
  .meta({ id: 'OfferedTime', description: 'A free time.' });

export const availabilityAnswer = z
  .object({
    slots: z.array(offeredSlotAnswer).meta({ description: 'By time; empty where there is none.' }),
    providers: z
      .array(
        z.object({
          id: z.string(),
          name: z.string(),
          state: z.enum(['live', 'unavailable']).meta({
            description: '`unavailable`: its booking system does not answer now, so its times are missing.',
          }),
          asOf: dateTime('When it was asked.'),
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

const date = z
  .string('may be given once.')
  .transform((value, context): CalendarDate => {
    const parsed = parseDate(value);
    if (parsed) return parsed;
    return fieldError(context, 'invalid_date', 'must be a date, YYYY-MM-DD.');
  })
  .meta({ override: { format: 'date' } });

/** Which days to look at: today and 14 days on, unless said otherwise; at most 90 days. */
export const availabilityInput = (today: CalendarDate) =>
  z
    .strictObject({
      from: date.optional().meta({ description: 'The first day, in Norway; left out, today.' }),
      to: date.optional().meta({
        description: `The last day, at most ${MAX_AVAILABILITY_DAYS} days after \`from\`; left out, ${AVAILABILITY_DAYS} days after it.`,
      }),
      providerId: z
        .custom<ProviderId>((value) => typeof value === 'string', 'may be given once.')
        .meta({ override: { type: 'string' } })
        .optional()
        .meta({ description: 'Only this provider’s times.' }),
      town: z.string('may be given once.').optional().meta({ description: 'Only times in this town.' }),
      mode: z
        .enum(['in_person', 'video'], 'must be in_person or video.')
        .optional()
        .meta({ description: 'Only times of this kind.' }),
      partOfDay: z
        .enum(PARTS_OF_DAY, `must be ${PARTS_OF_DAY.join(', ')}.`)
        .optional()
        .meta({
          description:
            'Only times that begin before 12:00, from then to 17:00, or later, on the clock in Norway.',
        }),
    })
    .transform(({ from = today, to = addDays(from, AVAILABILITY_DAYS), ...only }, context) => {
      const faultOn = (field: string, code: FieldCode, message: string) =>
        context.addIssue({ code: 'custom', path: [field], message, params: { code } });
      if (to < from) faultOn('to', 'before_from', 'must not be before from.');
      if (to > addDays(from, MAX_AVAILABILITY_DAYS))
        faultOn('to', 'too_long', `may be up to ${MAX_AVAILABILITY_DAYS} days after from.`);
      return { from, to, ...only };
    });

const SLOT_RULE = 'must be a slotId as the availability gave it.';

export const confirmInput = z.strictObject({
  slotId: z
    .string(SLOT_RULE)
    .min(1, SLOT_RULE)
    .max(2_000, SLOT_RULE)
    .meta({ description: 'Which time: its `slotId` in the availability.' }),
});

export const assistanceInput = z.strictObject({
  message: multilineText(HELP_MESSAGE_LETTERS)
    .nullish()
    .meta({ description: 'For our operator only. Nothing about health, please.' }),
  preferredContact: z
    .enum(['phone', 'email'], 'must be phone or email.')
    .nullish()
    .meta({ description: 'How our operator should answer.' }),
  phone: callablePhone.nullish().meta({
    description: 'Whom to call. Needed for a call where the case has no number, and from a helper.',
  }),
  bestTime: z
    .enum(['morning', 'afternoon'], 'must be morning or afternoon.')
    .nullish()
    .meta({ description: 'When to call: before noon or after it.' }),
  interpreter: text(50)
    .nullish()
    .meta({ description: 'The language that an interpreter is needed for, in words.' }),
  helper: z
    .strictObject({
      name: text(100).meta({ description: 'Who asks.' }),
      relation: z
        .enum(HELPER_RELATIONS, `must be one of: ${HELPER_RELATIONS.join(', ')}.`)
        .meta({ description: 'What the helper is to the customer.' }),
    })
    .meta({ id: 'Helper', description: 'Who asks for the customer.' })
    .nullish()
    .meta({ description: 'Who asks for the customer: for a child, or as a guardian.' }),
});
