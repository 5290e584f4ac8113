import express from 'express';
import type { Request, Response } from 'express';
import { z } from 'zod';
import type { FieldCode } from './error-codes.ts';
import { ApiError, type FieldError, validationFailed } from './errors.ts';

/** Whatever its path's parameters are. */
type AnyRequest = Pick<Request, 'is' | 'body'> & Parameters<typeof readBytes>[0];

const BODY_LIMIT = 64 * 1024;
/** More than any request has by mistake: the answer to a body of nothing but unknown fields stays small. */
const MAX_FIELD_ERRORS = 100;

// Everything is read and parsed here, whatever its type says, so that each fault gets its own words.
const readBytes = express.raw({ type: () => true, limit: BODY_LIMIT, inflate: true });

/**
 * The request's body held against `schema`: read only now, since a request is judged in the order limit, key, case,
 * body (docs/contract.md §5). No body at all counts as `{}`.
 *
 * @throws ApiError that names every fault at once
 */
export async function readBody<S extends z.ZodType>(
  req: AnyRequest,
  res: Response,
  schema: S,
): Promise<z.output<S>> {
  const bytes = await bytesOf(req, res);
  if (bytes.length === 0) return parse(schema, {});
  if (!req.is('application/json')) throw new ApiError('INVALID_CONTENT_TYPE');
  return parse(schema, jsonOf(bytes));
}

async function bytesOf(req: AnyRequest, res: Response): Promise<Buffer> {
  await new Promise<void>((resolve, reject) => {
    readBytes(req, res, (error?: unknown) => {
      if (error === undefined) resolve();
      else reject(bodyFault(error));
    });
  });
  // raw leaves no body where there was none
  const body = req.body as unknown;
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
}

function bodyFault(error: unknown): Error {
  const type = error instanceof Error && 'type' in error ? error.type : null;
  if (type === 'entity.too.large') return new ApiError('BODY_TOO_LARGE');
  if (type === 'encoding.unsupported')
    return new ApiError(
      'INVALID_CONTENT_TYPE',
      'This Content-Encoding is not supported. Send the body as it is, or as gzip, deflate or br.',
    );
  return new ApiError(
    'MALFORMED_REQUEST',
    'The body could not be read: it ended early, or is not in the Content-Encoding that it claims.',
  );
}

function jsonOf(bytes: Buffer): unknown {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // told below, like what is JSON but no object
  }
  throw new ApiError('INVALID_JSON');
}

/** @throws ApiError `VALIDATION_FAILED` with a fault for each field that is wrong */
function parse<S extends z.ZodType>(
  schema: S,
  value: unknown,
  nameOf = (path: readonly PropertyKey[]) => path.map(String).join('.'),
): z.output<S> {
  // by its input a field that is missing is told from one that is wrong
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  const faults = result.error.issues.flatMap((issue) => faultsOf(issue, schema, nameOf));
  throw validationFailed(faults.slice(0, MAX_FIELD_ERRORS));
}

function faultsOf(
  issue: z.core.$ZodIssue,
  schema: z.ZodType,
  nameOf: (path: readonly PropertyKey[]) => string,
): FieldError[] {
  if (issue.code === 'unrecognized_keys') {
    const known = Object.keys(objectOf(schema).shape).join(', ') || 'none';
    const message = `There is no such field. Allowed: ${known}.`;
    return issue.keys.map((field) => ({ field, code: 'unknown_field', message }));
  }
  const field = nameOf(issue.path);
  if (issue.code === 'invalid_type' && issue.input === undefined)
    return [{ field, code: 'required', message: 'This field is required.' }];
  // who writes a rule names its code by `coded` or `fieldError`
  const own = issue.code === 'custom' ? (issue.params?.['code'] as FieldCode | undefined) : OURS[issue.code];
  return [{ field, code: own ?? 'invalid', message: issue.message }];
}

/** Zod's names of what is wrong, as ours. */
const OURS: Readonly<Partial<Record<z.core.$ZodIssue['code'], FieldCode>>> = {
  invalid_type: 'invalid_type',
  invalid_value: 'invalid_value',
  invalid_format: 'invalid_format',
  too_small: 'too_small',
  too_big: 'too_big',
};

/** The query held against `schema`; what is wrong with one of several values is said of the parameter. @throws ApiError */
export function parseQuery<S extends z.ZodType>(schema: S, req: Pick<Request, 'url'>): z.output<S> {
  return parse(schema, readQuery(req), ([name]) => String(name));
}

/** More than any call has a use for; each one that is wrong gets a line in the answer. */
const MAX_PARAMETERS = 100;

/**
 * The query as it was sent: a parameter that is given several times is a list, in the order given. Express' own parsers
 * are not for an API whose filters decide what is answered: one leaves out all behind the 1,000th and mends broken
 * characters, the other reads structure into brackets.
 *
 * @throws ApiError `VALIDATION_FAILED` that names what can't be decoded, or is too much
 */
function readQuery({ url }: Pick<Request, 'url'>): Record<string, string | string[]> {
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
      message: 'must be UTF-8, percent-encoded.',
    })),
  );

const tooMany = (part: string) => {
  const { sentName, name } = pairOf(part);
  const message = `is one too many: a query may have up to ${MAX_PARAMETERS} parameters.`;
  return validationFailed([{ field: name ?? sentName, code: 'too_many', message }]);
};

/** The object that an input takes, before what is made of it. */
export function objectOf(schema: z.ZodType): z.ZodObject {
  if (schema instanceof z.ZodObject) return schema;
  if (schema instanceof z.ZodPipe) return objectOf(schema.def.in as z.ZodType);
  throw new Error('an input is an object');
}
