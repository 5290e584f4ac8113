import { describe, expect, it } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';
import { guard } from '../../activities/failures.ts';
import { faultOf, reasonOf } from '../../src/domain/fault.ts';
import { MARKS } from './marks.ts';

/** Of a library that says what it was given: in its words, in those of what caused it, and in fields of its own. */
function quotingError(): Error {
  const cause = new RangeError(`${MARKS.email} is too long`);
  const error = new TypeError(`could not send to ${MARKS.email}`, { cause });
  return Object.assign(error, { code: 'EENVELOPE', response: `550 <${MARKS.email}>`, detail: MARKS.injury });
}

describe('of an error that quotes what a person wrote', () => {
  it('the log gets kinds, codes and places, its cause’s too, and none of the words', () => {
    const fault = faultOf(quotingError());
    expect(JSON.stringify(fault)).not.toMatch(/kanari/i);
    expect(fault).toEqual({
      ...{ kind: 'TypeError', code: 'EENVELOPE', at: expect.any(Array) },
      cause: { kind: 'RangeError', at: expect.any(Array) },
    });
    expect(fault.at?.[0]).toContain('errors.test.ts');
    expect(reasonOf(quotingError())).toBe('TypeError EENVELOPE RangeError');
  });

  it('a workflow’s history gets its kind and code, and none of the words', async () => {
    const { sendMessage } = guard({ sendMessage: () => Promise.reject(quotingError()) });
    const failure: unknown = await sendMessage().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ApplicationFailure);
    const { message, type, cause, details, stack } = failure as ApplicationFailure;
    expect(message).toMatch(/^TypeError \(EENVELOPE\)/);
    expect(type).toBe('TypeError');
    expect(JSON.stringify({ message, cause, details, stack })).not.toMatch(/kanari/i);
  });
});
