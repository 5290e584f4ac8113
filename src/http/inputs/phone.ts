import { parsePhoneNumberFromString } from 'libphonenumber-js/max';

export interface Phone {
  readonly e164: string;
  /** False for numbers that are known to be fixed lines and the like. */
  readonly takesSms: boolean;
}

/** `00`, spaces, dashes and parentheses are tolerated (contract §1); the country prefix is not optional. */
export function parsePhone(text: string): Phone | null {
  const bare = text
    .trim()
    .replace(/[\s\-()]/g, '')
    .replace(/^00/, '+');
  if (!/^\+[1-9]\d{6,14}$/.test(bare)) return null;
  const number = parsePhoneNumberFromString(bare);
  if (!number?.isPossible()) return null;
  const type = number.getType();
  return { e164: number.number, takesSms: type === undefined || SMS_TYPES.has(type) };
}

// A number that the numbering plan does not know may still be one: new series come faster than libraries.
const SMS_TYPES = new Set(['MOBILE', 'FIXED_LINE_OR_MOBILE', 'PERSONAL_NUMBER', 'UAN', 'VOIP', 'PAGER']);
