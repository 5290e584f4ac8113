import type { BookingRequest, BookOutcome } from '../port.ts';
import { bookAtOnce } from './book-at-once.ts';
import { bookStepwise } from './book-stepwise.ts';
import type { Clinic } from './clinic.ts';
import { look } from './situation.ts';

/**
 * Whatever an earlier attempt made is found first. Then all at once, where the server does that; what it says no to is
 * done step by step, which finds out why, and whether it was done after all.
 */
export async function book(clinic: Clinic, request: BookingRequest): Promise<BookOutcome> {
  const before = await look(clinic, request);
  const attempt = await bookAtOnce(clinic, request, before);
  if (attempt.outcome === 'booked') return attempt;
  const now = attempt.outcome === 'not_tried' ? before : await look(clinic, request);
  return bookStepwise(clinic, request, now);
}
