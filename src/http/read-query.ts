import type { Request } from 'express';
import { validationFailed } from './api-error.ts';

/** More than any call has a use for; each one that is wrong gets a line in the answer. */
const MAX_PARAMETERS = 100;

/**
 * The query as it was sent: a parameter that is given several times is a list, in the order given. Express' own parsers
 * are not for an API whose filters decide what is answered: one leaves out all behind the 1,000th and mends broken
 * characters, the other reads structure into brackets.
 *
 * @throws ApiError `VALIDATION_FAILED` that names what can't be decoded, or is too much
 */
export function readQuery({ url }: Pick<Request, 'url'>): Record<string, string | string[]> {
  const text = url.includes('?') ? url.slice(url.indexOf('?') + 1) : '';
  const given = text.split('&').filter((part) => part !== '');
  const beyond = given[MAX_PARAMETERS];
  if (beyond !== undefined) throw tooMany(beyond);
  const pairs = given.map(pairOf);
  const broken = pairs.filter(({ name, value }) => name === null || value === null);
  if (broken.length > 0) throw undecodable(broken.map(({ sentName, name }) => name ?? sentName));

  // without prototype, so that `__proto__` is a name like any other
  const query = Object.create(null) as Record<string, string | string[]>;
  for (const { name, value } of pairs) {
    const [key, before] = [name ?? '', query[name ?? '']];
    query[key] = before === undefined ? (value ?? '') : [before, value ?? ''].flat();
  }
  return query;
}

function pairOf(part: string) {
  const [, sentName = '', sentValue = ''] = /^([^=]*)=?(.*)$/s.exec(part) ?? [];
  return { sentName, name: decoded(sentName), value: decoded(sentValue) };
}

/** As forms write it: `+` is a blank, the rest percent-encoded UTF-8. */
function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
}

const undecodable = (names: readonly string[]) =>
  validationFailed(
    [...new Set(names)].map((field) => ({
      field,
      code: 'invalid_encoding',
      message: 'has to be UTF-8, percent-encoded.',
    })),
  );

const tooMany = (part: string) => {
  const { sentName, name } = pairOf(part);
  const message = `is one too many: a query may have up to ${MAX_PARAMETERS} parameters.`;
  return validationFailed([{ field: name ?? sentName, code: 'too_many', message }]);
};
