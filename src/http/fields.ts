import { domainToASCII } from 'node:url';
import { fnr } from '@navikt/fnrvalidator';
import { getCountryCallingCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { z } from 'zod';
import { addDays, parseDate } from '../calendar/dates.ts';
import type { CalendarDate } from '../domain/instant.ts';
import type { FieldCode } from './error-codes.ts';

const MAX_DAYS_AHEAD = 365;
/** Nobody's date lies before it, and PostgreSQL knows no year 0. */
const EARLIEST = '1900-01-01';

/** What a fault is called in the answer. */
export const coded = (code: FieldCode) => ({ code });

/** PostgreSQL keeps no NUL; half of a surrogate pair would come back as another character. */
export const isStorable = (value: string): boolean => !value.includes('\0') && value.isWellFormed();

/**
 * Text of any number of lines, as people write it: blanks around it do not count, and characters that no text has (NUL)
 * are refused. Characters are counted as Unicode and JSON Schema do.
 */
export const multilineText = (max: number) =>
  z
    .string('must be a string.')
    .trim()
    .min(1, 'must not be empty.')
    .refine((value) => Array.from(value).length <= max, {
      params: coded('too_big'),
      error: `may have up to ${max} characters.`,
    })
    .refine(isStorable, {
      abort: true,
      params: coded('invalid_character'),
      error: 'must not contain the character NUL, nor half of a character.',
    })
    .meta({ override: { maxLength: max, pattern: '\\S' } });

/** Such as a line break, or a mark that turns the direction of writing: what is shown would not be what was sent. */
const CONTROL_OR_FORMAT = /[\p{Cc}\p{Cf}]/u;

/** Text on one line, such as a name or a reference. */
export const text = (max: number) =>
  multilineText(max).refine((value) => !CONTROL_OR_FORMAT.test(value), {
    abort: true,
    params: coded('invalid_character'),
    error: 'must not contain line breaks, or other control or format characters.',
  });

const date = z
  .string('must be a date, YYYY-MM-DD.')
  .transform((value, context): CalendarDate => {
    const parsed = parseDate(value);
    return parsed && parsed >= EARLIEST
      ? parsed
      : fieldError(context, 'invalid_date', 'must be a date of the calendar, YYYY-MM-DD.');
  })
  .meta({ override: { format: 'date' } });

const REFERENCE = /^[\p{L}\p{M}0-9 ._:/#-]*$/u;

export const partnerCaseId = text(100)
  .superRefine((value, context) => {
    if (!REFERENCE.test(value))
      fieldError(context, 'invalid_character', 'may have letters, digits, spaces and . _ : / # - only.');
    if (holdsIdentityNumber(value))
      fieldError(
        context,
        'national_identity_number',
        'must not have a national identity number in it; use a reference of your own.',
      );
  })
  .meta({
    description:
      'Your own reference: unique per treatment type among your cases that are not recalled or archived. Letters, ' +
      'digits, spaces and `. _ : / # -`. Never a Norwegian national identity number, nor one with something around it ' +
      'or between its digits.',
    override: { maxLength: 100, pattern: '\\S' },
  });

/**
 * Whether some of its groups of digits, with no letter between them, are together a number of the Norwegian population
 * register or like one (D-numbers, help numbers, synthetic ones). Only whole groups are looked at: of any eleven digits
 * in a row, such as of a time in milliseconds, nearly one in a hundred is valid by chance. And not at UUIDs: one in four
 * thousand has a valid number in it by chance, and who names cases so can name no case otherwise.
 */
export function holdsIdentityNumber(reference: string): boolean {
  const looked = reference.replaceAll(UUID, 'uuid');
  return looked.split(/\p{L}/u).some((part) => {
    const groups = part.match(/\d+/g) ?? [];
    return groups.some((_, from) => {
      const digits = groups
        .slice(from)
        .reduce((joined, group) => (joined.length < 11 ? joined + group : joined), '');
      return digits.length === 11 && fnr(digits).status === 'valid';
    });
  });
}

/** With a version and a variant (RFC 9562), which what is only written in its groups lacks. */
const UUID = /(?<!\d)[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}(?!\d)/gi;

export const name = text(100).meta({
  description:
    'As the eID has it: the customer who logs in is matched by name. Accents and case do not count.',
});

/**
 * Values that may become more within a version: known ones are named, and clients must take others. What we answer is held
 * to those that are named.
 */
export const openEnum = <const T extends string>(values: readonly T[]) =>
  z.enum(values).meta({ override: openValues(values) });

const openValues = (values: readonly string[]) => ({
  type: undefined,
  enum: undefined,
  anyOf: [{ type: 'string' as const, enum: [...values] }, { type: 'string' as const }],
});

const EMAIL_RULE = 'must be an e-mail address, such as kari@example.com.';

export const email = z
  .string(EMAIL_RULE)
  .trim()
  .transform((value, context) => parseEmail(value) ?? fieldError(context, 'invalid_email', EMAIL_RULE))
  .pipe(z.string().max(254, 'may have up to 254 characters.'))
  .meta({
    description:
      'Gets the booking link. At least one of e-mail address and phone number must be given. A domain with letters beyond ' +
      'ASCII (kari@blåbær.example) is kept in its ASCII form, as mail servers have it.',
    override: { type: 'string', format: 'email', maxLength: 254 },
  });

/** Its domain in ASCII (RFC 5891), which every mail server takes; null for what is no address. */
function parseEmail(value: string): string | null {
  const at = value.lastIndexOf('@');
  const domain = value.slice(at + 1);
  const ascii = /^\p{ASCII}*$/u.test(domain) ? domain : domainToASCII(domain);
  const address = `${value.slice(0, at + 1)}${ascii}`;
  return z.email().safeParse(address).success ? address : null;
}

const PHONE_RULE = 'must be a phone number with country prefix, such as +4790000000.';
const PHONE_PATTERN = '^\\s*(\\+|00)[0-9 ()-]{7,30}\\s*$';

/** @param smsCountries to whose numbers this deployment sends SMS (ISO 3166) */
export const phone = (smsCountries: readonly string[]) =>
  z
    .string(PHONE_RULE)
    .transform(
      (value, context) => parsePhone(value, smsCountries) ?? fieldError(context, 'invalid_phone', PHONE_RULE),
    )
    .meta({
      description:
        'Gets the booking link by SMS. With country prefix; `00`, blanks, dashes and parentheses are tolerated, and it is ' +
        'kept as E.164. A number that can not get SMS needs an e-mail address beside it: a fixed line, or a number of a ' +
        'country that SMS are not sent to (usually those outside the European Economic Area).',
      override: { pattern: PHONE_PATTERN },
    });

/** A number of any country and kind, to be called by a person. In E.164. */
export const callablePhone = z
  .string(PHONE_RULE)
  .transform(
    (value, context) => parsePhone(value, [])?.e164 ?? fieldError(context, 'invalid_phone', PHONE_RULE),
  )
  .meta({ override: { pattern: PHONE_PATTERN } });

export const injuryDescription = multilineText(4_000).meta({
  description: 'For the provider who treats. The customer is never shown it.',
  override: { maxLength: 4_000, pattern: '\\S' },
});

export const injuryDate = (today: CalendarDate) =>
  date
    .superRefine((value, context) => {
      if (value > today)
        fieldError(context, 'in_the_future', `must not be in the future: today is ${today}.`);
    })
    .meta({ description: 'The day of the injury, not in the future.', override: { format: 'date' } });

export const bookingDeadline = (today: CalendarDate) =>
  date
    .superRefine((value, context) => {
      const last = addDays(today, MAX_DAYS_AHEAD);
      if (value < today) fieldError(context, 'in_the_past', `must not be in the past: today is ${today}.`);
      if (value > last)
        fieldError(context, 'too_far_ahead', `may be up to ${MAX_DAYS_AHEAD} days ahead: ${last}.`);
    })
    .meta({
      description:
        `The last day on which the customer can book: today up to ${MAX_DAYS_AHEAD} days ahead. The case expires at ` +
        '00:00 the next day in Norway.',
      override: { format: 'date' },
    });

export const treatmentType = (offered: readonly string[]) =>
  z
    .string('must be a string.')
    .superRefine((value, context) => {
      if (!offered.includes(value))
        fieldError(context, 'unknown_treatment_type', `must be one of: ${offered.join(', ')}.`);
    })
    .meta({
      description:
        'What is to be treated: a `treatmentType` that `GET /treatment-types` lists. It may list more later.',
      ...(offered.length > 0 ? { override: openValues(offered) } : {}),
    });

export interface Phone {
  readonly e164: string;
  /** False for numbers that are known to be fixed lines and the like, and for those of countries that get none from us. */
  readonly takesSms: boolean;
}

/** `00`, spaces, dashes and parentheses are tolerated (docs/contract.md §1); the country prefix is not optional. */
function parsePhone(text: string, smsCountries: readonly string[]): Phone | null {
  const bare = text
    .trim()
    .replace(/[\s\-()]/g, '')
    .replace(/^00/, '+');
  if (!/^\+[1-9]\d{6,14}$/.test(bare)) return null;
  const number = parsePhoneNumberFromString(bare);
  if (!number?.isPossible()) return null;
  const type = number.getType();
  const isMobile = type === undefined || SMS_TYPES.has(type);
  return { e164: number.number, takesSms: isMobile && isOf(number, smsCountries) };
}

/** A number that the plans don't know has no country, only a prefix; those of satellites have none that is a country's. */
const isOf = (
  { country, countryCallingCode }: { country?: string | undefined; countryCallingCode: string },
  countries: readonly string[],
): boolean =>
  country === undefined
    ? countries.some((one) => isSupportedCountry(one) && getCountryCallingCode(one) === countryCallingCode)
    : countries.includes(country);

// A number that the numbering plan does not know may still be one: new series come faster than libraries.
const SMS_TYPES = new Set(['MOBILE', 'FIXED_LINE_OR_MOBILE', 'PERSONAL_NUMBER', 'UAN', 'VOIP', 'PAGER']);

/** Adds a fault with a code of its own, which the answer repeats (`details.fields`). */
export function fieldError(context: z.RefinementCtx, code: FieldCode, message: string): typeof z.NEVER {
  context.addIssue({ code: 'custom', message, params: { code } });
  return z.NEVER;
}

/** ISO 8601 in UTC. */
export const dateTime = (description: string) =>
  z.iso.datetime().meta({ description, override: { type: 'string', format: 'date-time' } });

/** A day of the calendar in Norway, `YYYY-MM-DD`. */
export const calendarDate = (description: string) =>
  z.iso.date().meta({ description, override: { type: 'string', format: 'date' } });

const CIDR = z.union([z.cidrv4(), z.cidrv6()]);
const NETWORK_RULE = 'must be a network in CIDR, such as 192.0.2.0/24, 192.0.2.7/32 or 2001:db8::/32.';

/** A network as keys name it. */
export const network = z.string(NETWORK_RULE).refine((value) => CIDR.safeParse(value).success, {
  params: coded('invalid_network'),
  error: NETWORK_RULE,
});

/** An action that needs to be told nothing: no body, or an empty one. */
export const noInput = z.strictObject({});

export const nextCursor = z
  .string()
  .nullable()
  .meta({ description: 'Send it as `cursor` to get the next page; null at the end.' });
