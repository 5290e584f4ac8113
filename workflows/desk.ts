import { condition } from '@temporalio/workflow';
import type { Actor, CaseState } from '../src/domain/case-state.ts';
import type { Command, Wish } from '../src/domain/command.ts';
import { decide } from '../src/domain/decide.ts';
import type { Alert, CaseEvent, MessageOrder } from '../src/domain/events.ts';
import { instant, type Instant } from '../src/domain/instant.ts';
import { openCase } from '../src/domain/open-case.ts';
import type { Ask, CaseStart } from './contract.ts';
import { createLane, type Lane } from './lane.ts';
import { refuse } from './refuse.ts';

/** Where a case's papers lie: its one state, and what has yet to be told to readers and to the customer. */
export interface Desk {
  readonly lane: Lane;
  readonly state: CaseState;
  readonly revision: number;
  readonly unwritten: readonly CaseEvent[];
  readonly outbox: readonly MessageOrder[];
  readonly alerts: readonly Alert[];
  /** Judges now and files what comes of it. @throws the refusal. Outside the lane only for what changes no status. */
  file(command: Command, actor: Actor, at?: Instant): void;
  /** A caller's wish, in its turn; answered once readers see it. */
  grant(wish: Wish, ask: Ask, prepare?: (at: Instant) => Promise<void>): Promise<CaseState>;
  /** What a validator says: no history is written for a wish that is hopeless already. */
  preview(wish: Wish, ask: Ask): void;
  written(revision: number, events: number): void;
  allWritten(): boolean;
  /** Has the state as it is written anew, above a revision that readers have from elsewhere. */
  showAgain(atLeast: number): void;
  posted(order: MessageOrder): void;
  raised(alert: Alert): void;
}

export const now = (): Instant => instant(Date.now());

/** @param onChange told of each new state, the first one included. */
export function openDesk(start: CaseStart, onChange: (state: CaseState) => void): Desk {
  const lane = createLane(start.isJudgedLast ?? false);
  const opening = start.carried
    ? { alerts: [], ...start.carried, messages: [] }
    : { ...openCase(start, start.openedAt ?? now()), revision: 0 };
  let { state, revision, alerts } = opening;
  let outbox: readonly MessageOrder[] = opening.messages;
  let unwritten: readonly CaseEvent[] = [];
  let writtenRevision = revision;
  onChange(state);

  const judge = (command: Command, actor: Actor, at: Instant) => {
    const decision = decide(state, command, { at, actor });
    if (decision.outcome === 'refused') throw refuse(decision.refusal);
    return decision;
  };
  const inTime = (ask: Ask) => {
    if (now() > ask.notAfter) throw refuse({ code: 'TOO_LATE' });
  };
  const file: Desk['file'] = (command, actor, at = now()) => {
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
    lane,
    file,
    get state() {
      return state;
    },
    get revision() {
      return revision;
    },
    get unwritten() {
      return unwritten;
    },
    get outbox() {
      return outbox;
    },
    get alerts() {
      return alerts;
    },
    async grant(wish, ask, prepare) {
      // Judged as of its arrival: who confirmed before midnight is not expired by those ahead in the lane.
      const at = now();
      const answer = await lane.admit(async () => {
        inTime(ask);
        const decision = judge(wish, ask.actor, at);
        if (decision.outcome === 'changed') await prepare?.(at);
        file(wish, ask.actor, at);
        return { state, revision };
      });
      await condition(() => writtenRevision >= answer.revision);
      return answer.state;
    },
    preview(wish, ask) {
      inTime(ask);
      // What is under way in the lane may change the verdict, so then it is left to the wish's turn.
      if (lane.isIdle()) judge(wish, ask.actor, now());
    },
    written(upTo, events) {
      writtenRevision = upTo;
      unwritten = unwritten.slice(events);
    },
    allWritten: () => writtenRevision === revision,
    showAgain(atLeast) {
      revision = Math.max(revision, atLeast) + 1;
    },
    posted(order) {
      outbox = outbox.filter((other) => other !== order);
    },
    raised(alert) {
      alerts = alerts.filter((other) => other !== alert);
    },
  };
}
