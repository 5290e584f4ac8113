import { timeInList } from '../../calendar/format.ts';
import { bookingOf, type CaseState } from '../../domain/case-state.ts';
import { describeCase } from '../../domain/describe-case.ts';
import type { CaseId } from '../../domain/ids.ts';
import { instant } from '../../domain/instant.ts';
import { answer, type Answer, type Operation } from '../operation.ts';
import { parts } from '../text.ts';
import { possibleNow } from './possible.ts';

/** Where a case stands, for people; times in Norway. */
export const inWords = (state: CaseState): string => describeCase(state, timeInList).replaceAll('**', '');

/** What became of a case by a command. */
export function outcome(
  { now }: Operation,
  caseId: CaseId,
  state: CaseState,
  { did, changed = true }: { did: string; changed?: boolean },
): Answer {
  const possible = possibleNow(state, instant(now()));
  const booking = bookingOf(state);
  return answer(parts(did, inWords(state)), {
    caseId,
    changed,
    status: state.status,
    bookingDeadline: state.deadline.date,
    booking: booking && {
      bookingId: booking.bookingId,
      providerId: booking.providerId,
      start: booking.start,
      end: booking.end,
    },
    possible,
  });
}
