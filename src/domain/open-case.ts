import type { CaseState, Channel } from './case-state.ts';
import { order, type Change } from './change.ts';
import type { Instant } from './instant.ts';

/** What the case's partner hands over that decides its life. */
export interface CaseOpening extends Pick<CaseState, 'deadline' | 'archiveAfterDays'> {
  readonly reach: Readonly<Record<Channel, boolean>>;
  /** When it was handed over, which is before its workflow is started. Absent where an older version has started it. */
  readonly openedAt?: Instant;
}

/** A case as it begins (contract §2: `pending_patient_action`), with the invitation ordered. */
export function openCase({ deadline, archiveAfterDays, reach }: CaseOpening, at: Instant): Change {
  const state: CaseState = {
    status: 'pending_patient_action',
    deadline,
    reach: { ...reach, version: 1 },
    bookingId: null,
    bookings: [],
    assistance: null,
    recall: null,
    problem: null,
    undeliverable: false,
    cancelled: false,
    endedAt: null,
    archiveAfterDays,
    messagesOrdered: 0,
  };
  return order({ state, events: [], messages: [], alerts: [] }, 'invitation', { at, actor: 'service' }, null);
}
