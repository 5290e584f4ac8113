import { type Client, type WorkflowHandle, WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure, type UpdateDefinition } from '@temporalio/common';
import { deadlineOn } from '../../../src/calendar/dates.ts';
import { type AttentionKind, attentionsOf } from '../../../src/domain/attention.ts';
import type { Actor, CaseState, Deadline } from '../../../src/domain/case-state.ts';
import type { CaseId } from '../../../src/domain/ids.ts';
import { type Instant, instant } from '../../../src/domain/instant.ts';
import type { Refusal } from '../../../src/domain/permit.ts';
import type { SlotRef } from '../../../src/domain/slot.ts';
import * as contract from '../../../workflows/contract.ts';
import { eventually } from '../../support/eventually.ts';
import type { openPostOffice } from './post-office.ts';
import type { openReadingRoom, Reading } from './readers.ts';

export type Verdict = CaseState | { readonly refused: Refusal };

/** A case as a test meets it: it asks, looks, and waits for what must come. */
export interface MetCase {
  readonly id: CaseId;
  readonly handle: WorkflowHandle;
  ask<A extends contract.UpdateRequest>(
    update: UpdateDefinition<CaseState, [A]>,
    input: Omit<A, keyof contract.UpdateRequest>,
    limits?: Partial<contract.UpdateRequest>,
  ): Promise<Verdict>;
  confirm(slot: SlotRef, limits?: Partial<contract.UpdateRequest>): Promise<Verdict>;
  cancel(): Promise<Verdict>;
  recall(limits?: Partial<contract.UpdateRequest>): Promise<Verdict>;
  /** Resolves when what was sent before has reached the server: some round trips later. */
  arrived(): Promise<void>;
  /** Resolves once the history holds so many events of this kind. */
  recorded(kind: 'timerFired' | 'workflowExecutionUpdateAccepted', times: number): Promise<void>;
  archive(): Promise<Verdict>;
  requestAssistance(): Promise<void>;
  resolveAssistance(): Promise<Verdict>;
  /** "This is not for me", from whoever holds the link. */
  disown(): Promise<void>;
  /** The operator's, with three days of grace. */
  retry(): Promise<Verdict>;
  /** What readers see. */
  shown(): CaseState;
  events(): string[];
  reading(): Reading;
  messages(): string[];
  /** Resolves with what readers see once it is as it must be. */
  until(isSo: (state: CaseState) => boolean): Promise<CaseState>;
  untilStatus(status: CaseState['status']): Promise<CaseState>;
  /** Resolves once exactly these messages are there, in the order in which they were ordered. */
  untilMessages(...messages: string[]): Promise<void>;
  /** Resolves once it needs an operator for exactly this, the most pressing first. */
  untilNeeding(...kinds: AttentionKind[]): Promise<void>;
  /** Whether the workflow has ended, and how. */
  untilClosed(): Promise<string>;
  history(): ReturnType<WorkflowHandle['fetchHistory']>;
}

/** What of its world a case is met in. */
interface Surroundings {
  readonly client: Client;
  readonly room: ReturnType<typeof openReadingRoom>;
  readonly post: ReturnType<typeof openPostOffice>;
  now(): Promise<Instant>;
  today(plusDays?: number): Promise<Deadline['date']>;
}

export function meetCase(world: Surroundings, id: CaseId): MetCase {
  const handle = world.client.workflow.getHandle(contract.workflowIdOf(id));
  const shown = () => world.room.read(id).state;
  const ask: MetCase['ask'] = async (update, input, limits = {}) => {
    const actor: Actor = 'customer';
    const notAfter = instant(Date.parse(await world.now()) + 3_600_000);
    type Any = UpdateDefinition<CaseState, [contract.UpdateRequest]>;
    return handle
      .executeUpdate<CaseState, [contract.UpdateRequest]>(update as unknown as Any, {
        args: [{ actor, notAfter, ...input, ...limits }],
      })
      .catch((error: unknown) => ({ refused: refusalIn(error) }));
  };
  const until: MetCase['until'] = (isSo) =>
    eventually(() => isSo(shown()) && shown(), {
      what: () => `another case than this\n${JSON.stringify(shown(), null, 1)}`,
    });
  return {
    id,
    handle,
    ask,
    shown,
    until,
    confirm: (slot, limits) => ask(contract.confirmBooking, { slot }, limits),
    cancel: () => ask(contract.cancelBooking, {}),
    recall: (limits) => ask(contract.recall, { textId: null }, { actor: 'partner', ...limits }),
    archive: () => ask(contract.archive, {}, { actor: 'partner' }),
    requestAssistance: () => handle.signal(contract.requestAssistance, { actor: 'customer' }),
    disown: () => handle.signal(contract.disownContact, { actor: 'customer' }),
    resolveAssistance: () => ask(contract.resolveAssistance, {}, { actor: 'operator' }),
    retry: async () =>
      ask(contract.retry, { grace: deadlineOn(await world.today(3)) }, { actor: 'operator' }),
    reading: () => world.room.read(id),
    events: () => world.room.read(id).events.map((event) => event.type),
    messages: () => world.post.of(id),
    async arrived() {
      for (let trip = 0; trip < 3; trip += 1) await handle.describe();
    },
    async recorded(kind, times) {
      const count = async () => {
        const { events } = await handle.fetchHistory();
        return events?.filter((event) => event[`${kind}EventAttributes`]).length ?? 0;
      };
      await eventually(async () => (await count()) >= times, { what: `${times} of ${kind}` });
    },
    untilStatus: (status) => until((state) => state.status === status),
    async untilMessages(...messages) {
      await eventually(() => world.post.of(id).join() === messages.join(), {
        what: () => `${messages.join()}, but ${world.post.of(id).join()}`,
      });
    },
    async untilNeeding(...kinds) {
      await until(
        (state) =>
          attentionsOf(state)
            .map(({ kind }) => kind)
            .join() === kinds.join(),
      );
    },
    untilClosed: () =>
      eventually(
        async () => {
          const { status } = await handle.describe();
          return status.name !== 'RUNNING' && status.name;
        },
        { what: () => `the end, but it runs as ${shown().status}` },
      ),
    history: () => handle.fetchHistory(),
  };
}

function refusalIn(error: unknown): Refusal {
  const cause = error instanceof WorkflowUpdateFailedError ? error.cause : null;
  if (cause instanceof ApplicationFailure && cause.type === contract.REFUSAL)
    return cause.details?.[0] as Refusal;
  throw error;
}
