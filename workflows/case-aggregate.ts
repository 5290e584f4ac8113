import { ApplicationFailure, condition } from '@temporalio/workflow';
import type { Actor, CaseState } from '../src/domain/case-state.ts';
import type { CaseInput, Command } from '../src/domain/command.ts';
import { decide, openCase } from '../src/domain/decide.ts';
import type { Alert, CaseEvent, MessageOrder } from '../src/domain/events.ts';
import { instant, type Instant } from '../src/domain/instant.ts';
import type { Refusal } from '../src/domain/permit.ts';
import { type CaseStart, REFUSAL, type UpdateRequest } from './contract.ts';
import { createMutex, type Mutex } from './mutex.ts';

/** Where a case's papers lie: its one state, and what has yet to be told to readers and to the customer. */
export interface CaseAggregate {
  readonly mutex: Mutex;
  readonly state: CaseState;
  readonly revision: number;
  readonly unprojected: readonly CaseEvent[];
  readonly outbox: readonly MessageOrder[];
  readonly alerts: readonly Alert[];
  /** Judges now and files what comes of it. @throws the refusal. Outside the lane only for what changes no status. */
  apply(command: CaseInput, actor: Actor, at?: Instant): void;
  /** A caller's wish, in its turn; answered once readers see it. */
  execute(wish: Command, ask: UpdateRequest, prepare?: (at: Instant) => Promise<void>): Promise<CaseState>;
  /** What a validator says: no history is written for a wish that is hopeless already. */
  validate(wish: Command, ask: UpdateRequest): void;
  markProjected(revision: number, events: number): void;
  isProjected(): boolean;
  /** Has the state as it is written anew, above a revision that readers have from elsewhere. */
  reproject(atLeast: number): void;
  markSent(order: MessageOrder): void;
  markAlerted(alert: Alert): void;
}

export const now = (): Instant => instant(Date.now());

/** @param onChange told of each new state, the first one included. */
export function createCaseAggregate(start: CaseStart, onChange: (state: CaseState) => void): CaseAggregate {
  const lane = createMutex(start.isJudgedLast ?? false);
  const opening = start.carried
    ? { alerts: [], ...start.carried, messages: [] }
    : { ...openCase(start, start.openedAt ?? now()), revision: 0 };
  let { state, revision, alerts } = opening;
  let outbox: readonly MessageOrder[] = opening.messages;
  let unwritten: readonly CaseEvent[] = [];
  let writtenRevision = revision;
  onChange(state);

  const judge = (command: CaseInput, actor: Actor, at: Instant) => {
    const decision = decide(state, command, { at, actor });
    if (decision.outcome === 'refused') throw refuse(decision.refusal);
    return decision;
  };
  const inTime = (ask: UpdateRequest) => {
    if (now() > ask.notAfter) throw refuse({ code: 'TOO_LATE' });
  };
  const file: CaseAggregate['apply'] = (command, actor, at = now()) => {
    const decision = judge(command, actor, at);
    if (decision.outcome === 'unchanged') return;
    state = decision.state;
    revision += 1;
    unwritten = [...unwritten, ...decision.events];
    outbox = [...outbox, ...decision.messages];
    alerts = [...alerts, ...decision.alerts];
    onChange(state);
  };

  return {
    mutex: lane,
    apply: file,
    get state() {
      return state;
    },
    get revision() {
      return revision;
    },
    get unprojected() {
      return unwritten;
    },
    get outbox() {
      return outbox;
    },
    get alerts() {
      return alerts;
    },
    async execute(wish, ask, prepare) {
      // Judged as of its arrival: who confirmed before midnight is not expired by those ahead in the lane.
      const at = now();
      const answer = await lane.runAfterResults(async () => {
        inTime(ask);
        const decision = judge(wish, ask.actor, at);
        if (decision.outcome === 'changed') await prepare?.(at);
        file(wish, ask.actor, at);
        return { state, revision };
      });
      await condition(() => writtenRevision >= answer.revision);
      return answer.state;
    },
    validate(wish, ask) {
      inTime(ask);
      // What is under way in the lane may change the verdict, so then it is left to the wish's turn.
      if (lane.isIdle()) judge(wish, ask.actor, now());
    },
    markProjected(upTo, events) {
      writtenRevision = upTo;
      unwritten = unwritten.slice(events);
    },
    isProjected: () => writtenRevision === revision,
    reproject(atLeast) {
      revision = Math.max(revision, atLeast) + 1;
    },
    markSent(order) {
      outbox = outbox.filter((other) => other !== order);
    },
    markAlerted(alert) {
      alerts = alerts.filter((other) => other !== alert);
    },
  };
}

/** A refusal as the one kind of error that ends an update instead of stalling the workflow's task. */
export const refuse = (refusal: Refusal): ApplicationFailure =>
  ApplicationFailure.nonRetryable(refusal.code, REFUSAL, refusal);
