import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import type { SignalDefinition } from '@temporalio/common';
import type { Deadline, CaseState } from '../domain/case-state.ts';
import type { BookingId, CaseId } from '../domain/ids.ts';
import type { SlotRef } from '../domain/slot.ts';
import {
  caseState,
  clinicCancelled,
  clinicMoved,
  slotFreed,
  workflowIdOf,
} from '../../workflows/contract.ts';

const WITHIN = 5_000;

/** How what is seen at a clinic reaches the cases. Each call throws when Temporal does not answer. */
export function createCaseLine(client: Client) {
  const within = <T>(call: () => Promise<T>) => client.withDeadline(Date.now() + WITHIN, call);
  const handleOf = (caseId: CaseId) => client.workflow.getHandle(workflowIdOf(caseId));
  /** A case that is over has nobody left to tell. */
  const tell = async <A>(caseId: CaseId, signal: SignalDefinition<[A]>, news: A): Promise<void> => {
    try {
      await within(() => handleOf(caseId).signal(signal, news));
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    }
  };
  return {
    clinicCancelled: (caseId: CaseId, news: { bookingId: BookingId; grace: Deadline }) =>
      tell(caseId, clinicCancelled, news),
    clinicMoved: (
      caseId: CaseId,
      news: { bookingId: BookingId; slot: SlotRef } & Pick<SlotRef, 'start' | 'end'>,
    ) => tell(caseId, clinicMoved, news),
    slotFreed: (caseId: CaseId, news: { bookingId: BookingId }) => tell(caseId, slotFreed, news),
    /** @returns null where there is no workflow (any more) */
    async look(caseId: CaseId): Promise<CaseState | null> {
      try {
        return await within(() => handleOf(caseId).query(caseState));
      } catch (error) {
        if (error instanceof WorkflowNotFoundError) return null;
        throw error;
      }
    },
  };
}
