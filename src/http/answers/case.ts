import { z } from 'zod';
import { CASE_STATUSES, CHANNELS } from '../../domain/case-state.ts';
import { DELIVERY_STATUSES, MESSAGE_KINDS } from '../../domain/events.ts';
import { PARTNER_ACTIONS } from '../../domain/permit.ts';
import { bookingAnswer } from './booking.ts';
import { calendarDate, instant } from './primitives.ts';
import { verificationAnswer } from './verification.ts';

const notification = z
  .object({
    kind: z.enum(MESSAGE_KINDS).meta({ description: 'What the message is for.' }),
    channel: z.enum(CHANNELS),
    status: z.enum(DELIVERY_STATUSES).meta({
      description:
        '`sent`: our server handed it over. `delivered`: the channel reports that it arrived. `failed`: for good.',
    }),
    reason: z.string().nullable().meta({ description: 'Why it failed; a code.' }),
    at: instant('When it got this status.'),
  })
  .meta({ id: 'Notification', description: 'A message to the customer on one channel.' });

const problem = z
  .object({
    code: z.enum(['UNDELIVERABLE', 'TRANSFER_REFUSED', 'INTERNAL']).meta({
      description:
        '`UNDELIVERABLE`: no message reaches the customer. `TRANSFER_REFUSED`: the provider did not take the booking. ' +
        '`INTERNAL`: a fault of ours.',
    }),
    since: instant('Since when.'),
    nextAction: z.string().meta({ description: 'What you can do about it, in words.' }),
  })
  .meta({ id: 'Problem', description: 'Why the case is in `error`.' });

/** Contract §1's Case. */
export const caseAnswer = z
  .object({
    id: z.uuid().meta({ description: 'The case’s UUID v4: also the last part of its `bookingUrl`.' }),
    partnerCaseId: z.string().meta({ description: 'Your own reference.' }),
    patientFirstName: z.string(),
    patientLastName: z.string(),
    patientEmail: z.string().nullable(),
    patientPhone: z.string().nullable().meta({ description: 'In E.164.' }),
    injuryDate: calendarDate('The day of the injury.'),
    injuryDescription: z.string().nullable(),
    treatmentType: z.string(),
    bookingDeadline: calendarDate('The last day on which the customer can book.'),
    status: z.enum(CASE_STATUSES).meta({ id: 'CaseStatus', description: 'Where the case stands.' }),
    allowedActions: z
      .array(z.enum(PARTNER_ACTIONS))
      .meta({ description: 'What you may do with the case now.' }),
    bookingUrl: z.url().meta({ description: 'The customer’s personal link, as it stands in the messages.' }),
    createdAt: instant('When it was handed over.'),
    updatedAt: instant('When it last changed.'),
    notifications: z.array(notification).meta({ description: 'Every message, the oldest first.' }),
    booking: bookingAnswer.nullable(),
    assistance: z
      .object({
        requestedAt: instant('When the customer last asked.'),
        resolvedAt: instant('When our operator settled it; null while it is open.').nullable(),
      })
      .nullable()
      .meta({ description: 'The customer’s request for help. What they wrote is for our operator only.' }),
    problem: problem.nullable(),
    recall: z
      .object({ at: instant('When you recalled it.'), reason: z.string().nullable() })
      .nullable()
      .meta({ description: 'Set once you recalled the case.' }),
    verification: z
      .object({ policy: verificationAnswer.nullable(), referral: verificationAnswer.nullable() })
      .meta({ description: 'The newest answer of each registry; null where none was asked.' }),
  })
  .meta({ id: 'Case', description: 'One customer’s claim, and how far its booking is.' });
export type CaseAnswer = z.input<typeof caseAnswer>;
