import { bookingIdOf, bookingOf, type CaseState, type CaseStatus } from './case-state.ts';
import type { CaseEvent } from './events.ts';
import type { BookingId } from './ids.ts';
import type { CalendarDate, Instant } from './instant.ts';

/** What readers see of a case at one moment. */
export interface ProjectedCase {
  readonly revision: number;
  readonly status: CaseStatus;
  readonly bookingDeadline: CalendarDate;
  readonly bookingId: BookingId | null;
  readonly state: CaseState;
}

/** What the workflow has at one moment. */
export interface WorkflowSnapshot {
  readonly state: CaseState;
  readonly revision: number;
  /** It takes this to be what readers see. */
  readonly isShown: boolean;
}

/**
 * How the projection differs from its workflow; null where it does not. Revisions grow while one looks, so readers are
 * looked at on both sides of the workflow: `before` can only be ahead of it, and `after` behind it, if something is wrong.
 */
export function compareProjection(
  before: ProjectedCase,
  file: WorkflowSnapshot,
  after: ProjectedCase,
): 'ahead' | 'behind' | 'altered' | null {
  if (before.revision > file.revision) return 'ahead';
  if (after.revision < file.revision) return file.isShown ? 'behind' : null;
  const same = [before, after].find(({ revision }) => revision === file.revision);
  return same && !shows(same, file.state) ? 'altered' : null;
}

const shows = (shown: ProjectedCase, state: CaseState): boolean =>
  shown.status === state.status &&
  shown.bookingDeadline === state.deadline.date &&
  shown.bookingId === bookingIdOf(state) &&
  isSameJson(shown.state, state);

/** What a partner is told of a case that is shown anew: all that its events tell of how it stands. */
export function restored(state: CaseState, at: Instant): CaseEvent {
  const booking = bookingOf(state);
  const { bookingId, providerId, start, end } = booking ?? {};
  const appointment = booking ? { bookingId, providerId, start, end } : {};
  const data = { bookingDeadline: state.deadline.date, ...appointment, lost: [] };
  const { status } = state;
  return { type: 'case.restored', at, actor: 'service', status, bookingId: bookingIdOf(state), data };
}

/** Whatever the order of keys, which PostgreSQL does not keep. */
function isSameJson(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [left, right] = [a, b] as [Record<string, unknown>, Record<string, unknown>];
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => key in right && isSameJson(left[key], right[key]))
  );
}
