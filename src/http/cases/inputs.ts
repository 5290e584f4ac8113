import { z } from 'zod';
import { deadlineOn, parseDate, startOfDate } from '../../calendar/dates.ts';
import { CASE_STATUSES, CHANNELS } from '../../domain/case-state.ts';
import { openCase } from '../../domain/decide.ts';
import { parseCaseId } from '../../domain/ids.ts';
import { instant, type Instant } from '../../domain/instant.ts';
import type { NewCase } from '../../postgres/create-case.ts';
import { currentTraceparent } from '../../tracing/spans.ts';
import * as fields from '../fields.ts';
import type { InputContext } from '../operation.ts';
import { coded, fieldError, isStorable, multilineText } from '../fields.ts';
import { cursorsOf, pageLimit } from '../pagination.ts';

/** Judged beside the fields' own faults, so that all come back at once: a wrong field is here still as it was sent. */
const whateverElseIsWrong = { when: () => true };

const contactRequired = {
  ...whateverElseIsWrong,
  params: coded('contact_required'),
  error: 'give an e-mail address, a phone number, or both.',
};

/** A case as it is handed over (docs/contract.md §1). */
export const createCaseInput = ({ today, offered, smsCountries }: InputContext) =>
  z
    .strictObject({
      partnerCaseId: fields.partnerCaseId,
      patientFirstName: fields.name,
      patientLastName: fields.name,
      patientEmail: fields.email.nullish(),
      patientPhone: fields.phone(smsCountries).nullish(),
      injuryDate: fields.injuryDate(today),
      injuryDescription: fields.injuryDescription.nullish(),
      treatmentType: fields.treatmentType(offered),
      bookingDeadline: fields.bookingDeadline(today),
    })
    .refine(hasContact, { ...contactRequired, path: ['patientEmail'] })
    .refine(hasContact, { ...contactRequired, path: ['patientPhone'] })
    .refine((body) => isGiven(body.patientEmail) || !isFixedLine(body.patientPhone), {
      ...whateverElseIsWrong,
      path: ['patientPhone'],
      params: coded('no_sms'),
      error: 'can not get SMS; give a mobile number, or an e-mail address as well.',
    });

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

function hasContact(body: { patientEmail?: unknown; patientPhone?: unknown }): boolean {
  return isGiven(body.patientEmail) || isGiven(body.patientPhone);
}

const isFixedLine = (phone: unknown): boolean =>
  typeof phone === 'object' && phone !== null && 'takesSms' in phone && phone.takesSms === false;

export type CreateCaseInput = z.output<ReturnType<typeof createCaseInput>>;

/** A case as it begins, of what was handed over. */
export function newCase(
  input: CreateCaseInput,
  context: Pick<NewCase, 'id' | 'partnerId' | 'author'> & { at: Date; archiveAfterDays: number },
): NewCase {
  const { id, partnerId, author, at, archiveAfterDays } = context;
  const opening = {
    deadline: deadlineOn(input.bookingDeadline),
    archiveAfterDays,
    hasAddress: { email: Boolean(input.patientEmail), sms: input.patientPhone?.takesSms ?? false },
  };
  const { state } = openCase(opening, instant(at));
  const {
    patientEmail = null,
    patientPhone,
    injuryDescription = null,
    bookingDeadline: _inState,
    ...rest
  } = input;
  return {
    ...rest,
    id,
    partnerId,
    author,
    patientEmail,
    patientPhone: patientPhone?.e164 ?? null,
    injuryDescription,
    createdAt: instant(at),
    state,
    traceparent: currentTraceparent(),
  };
}

/** What PATCH may change; a field that is left out stays. */
export const patchCaseInput = ({ today, smsCountries }: InputContext) =>
  z
    .strictObject({
      bookingDeadline: fields.bookingDeadline(today).optional(),
      patientEmail: fields.email.optional(),
      patientPhone: fields.phone(smsCountries).optional(),
      patientFirstName: fields.name.optional(),
      patientLastName: fields.name.optional(),
    })
    .refine((body) => Object.keys(body).length > 0, {
      // who sent a wrong field meant to change something
      when: ({ issues }) => issues.length === 0,
      path: ['body'],
      params: coded('nothing_to_change'),
      error:
        'must have at least one field to change: bookingDeadline, patientEmail, patientPhone, patientFirstName or patientLastName.',
    });

/** Beyond these, PostgreSQL and JavaScript write instants each in their own way. */
const isInCalendar = (at: Instant): boolean => at >= '1900' && at <= '9999-12-31T23:59:59.999Z';

const TIME = 'An instant, or a date: then 00:00 of that day in Norway.';

/** An instant, or a date: then its first instant in Norway. */
const time = z
  .string('may be given once.')
  .transform((value, context): Instant => {
    const date = parseDate(value);
    const isInstant = z.iso.datetime({ offset: true }).safeParse(value).success;
    const at = date ? startOfDate(date) : isInstant ? instant(value) : null;
    return at && isInCalendar(at)
      ? at
      : fieldError(
          context,
          'invalid_time',
          'must be a date (YYYY-MM-DD) or an instant (2026-11-21T08:00:00Z).',
        );
  })
  .meta({ override: { type: 'string' }, examples: ['2026-11-21', '2026-11-21T08:00:00Z'] });

const reference = z
  .string('may be given once.')
  .min(1, 'must not be empty.')
  .refine(isStorable, {
    params: coded('invalid_character'),
    error: 'has characters that no reference has.',
  });

export const caseCursors = cursorsOf(
  'cases',
  z
    .tuple([
      z.string(),
      z.iso
        .datetime()
        .transform((text) => instant(text))
        .refine(isInCalendar),
      z
        .string()
        .transform(
          (text, context) => parseCaseId(text) ?? fieldError(context, 'invalid_cursor', 'is no id.'),
        ),
    ])
    .transform(([whose, createdAt, id]) => ({ whose, createdAt, id })),
);

export const listCasesInput = z.strictObject({
  status: z
    .preprocess(
      (value) => (typeof value === 'string' ? [value] : value),
      z.array(z.enum(CASE_STATUSES, `must be one of: ${CASE_STATUSES.join(', ')}.`)),
    )
    .default([])
    .meta({ description: 'Cases in this status, or in any of several: `status=booked&status=error`.' }),
  partnerCaseId: reference.optional().meta({ description: 'Cases with exactly this reference of yours.' }),
  treatmentType: reference.optional().meta({ description: 'Cases of this treatment.' }),
  createdFrom: time.optional().meta({ description: `Cases handed over at this time or later. ${TIME}` }),
  createdTo: time.optional().meta({ description: `Cases handed over before this time. ${TIME}` }),
  updatedSince: time.optional().meta({ description: `Cases changed at this time or later. ${TIME}` }),
  limit: pageLimit,
  cursor: caseCursors.schema.optional(),
});

export const recallInput = z.strictObject({
  reason: multilineText(1_000)
    .nullish()
    .meta({ description: 'Why; for you to read again on the case. The customer is not told.' }),
});

export const resendInput = z.strictObject({
  channel: z
    .enum(CHANNELS, 'must be email or sms.')
    .nullish()
    .meta({ description: 'Only there; left out, on every channel for which the case has an address.' }),
});
