import { ApplicationFailure, condition } from '@temporalio/workflow';
import type { CaseSnapshot, Overlap, RevisedEvent } from '../activities/contract.ts';
import type { NoticedKind } from '../src/domain/attention.ts';
import { type Actor, type CaseState, caseTime } from '../src/domain/case-state.ts';
import type { Author, CaseInput, Command } from '../src/domain/command.ts';
import { restored } from '../src/domain/compare-projection.ts';
import { decide, openCase } from '../src/domain/decide.ts';
import type { CaseEvent, MessageOrder } from '../src/domain/events.ts';
import { instant, type Instant } from '../src/domain/instant.ts';
import type { Refusal } from '../src/domain/permit.ts';
import type { CaseId } from '../src/domain/ids.ts';
import { type CaseStart, REFUSAL, type UpdateRequest } from './contract.ts';
import { createMutex } from './mutex.ts';

/** The time by our clock, which is that of every case but in the sandbox. */
export const now = (): Instant => instant(Date.now());

/** A case's one state, and what readers and the customer have yet to be told of it. */
export class CaseAggregate {
  readonly mutex = createMutex();
  state: CaseState;
  revision = 0;
  /** The message that is to show readers the newest state; null where they see it, or it is projected by itself. */
  carrier: MessageOrder | null = null;
  outbox: readonly MessageOrder[] = [];
  /** What was noticed from outside. */
  noticed: readonly NoticedKind[] = [];
  /** How far ahead of ours its clock is to go (milliseconds). */
  clockTarget = 0;
  #unprojected: readonly RevisedEvent[] = [];
  /** Up to which revision a caller waits for readers to see it. */
  #awaitedRevision = 0;
  /** Up to which revision a projection by itself was begun. */
  #begunRevision = 0;
  readonly #onChange: (aggregate: CaseAggregate) => void;
  #projectedRevision: number;

  /** @param onChange called with each new state, the first one included, and when something was noticed */
  constructor(start: CaseStart, onChange: (aggregate: CaseAggregate) => void) {
    if (start.carried)
      ({ state: this.state, revision: this.revision, noticed: this.noticed } = start.carried);
    else ({ state: this.state, messages: this.outbox } = openCase(start, start.openedAt));
    this.#projectedRevision = this.revision;
    this.#onChange = onChange;
    onChange(this);
  }

  /** The time by the case's own clock. */
  now(): Instant {
    return caseTime(this.state, now());
  }

  isClockBehind(): boolean {
    return (this.state.clockAhead ?? 0) < this.clockTarget;
  }

  /**
   * Decides now and keeps what comes of it. @throws the refusal. Outside the mutex only for what changes no status.
   *
   * @param isAwaited somebody may be looking for it: readers see it without waiting for a message
   */
  apply(input: CaseInput, by: Actor | Author, at = now(), isAwaited = by !== 'service'): void {
    const decision = this.#decide(input, by, at);
    if (decision.outcome === 'unchanged') return;
    const [message = null, ...others] = decision.messages;
    // asked of what was begun and not of what is done: results come together, or in another order, when it is replayed
    const isWaitedFor = isAwaited || this.#awaitedRevision > this.#begunRevision;
    this.carrier = isWaitedFor || others.length > 0 ? null : message;
    this.state = decision.state;
    this.revision += 1;
    this.#keep(decision.events);
    this.outbox = [...this.outbox, ...decision.messages];
    this.#onChange(this);
  }

  /** A caller's command, in its turn; answered once readers see what it did, unless the caller does not wait for that. */
  async execute(
    command: Command,
    request: UpdateRequest,
    prepare?: (at: Instant) => Promise<void>,
  ): Promise<CaseState> {
    // As of its arrival: who confirmed before midnight is not expired by those who hold the mutex.
    const at = now();
    const isAwaited = !request.isShownLater;
    const answer = await this.mutex.runAfterResults(async () => {
      refuseTooLate(request);
      this.#refuseChanged(request);
      const decision = this.#decide(command, request, at);
      if (decision.outcome === 'changed') await prepare?.(at);
      this.apply(command, request, at, isAwaited);
      if (isAwaited) this.#noteAwaited();
      return { state: this.state, revision: this.revision };
    });
    if (!isAwaited) return answer.state;
    await condition(() => this.#projectedRevision >= answer.revision);
    return answer.state;
  }

  /** For a validator: no history is written for a command that is hopeless already. @throws the refusal */
  validate(command: Command, request: UpdateRequest): void {
    refuseTooLate(request);
    // What is under way may change the verdict, so then it is left to the command's turn.
    if (!this.mutex.isIdle()) return;
    this.#refuseChanged(request);
    this.#decide(command, request, now());
  }

  /** What readers are to see now. */
  snapshot(caseId: CaseId): CaseSnapshot {
    const { state, revision } = this;
    return { caseId, revision, state, events: this.#unprojected, at: now() };
  }

  /** The same, to be written by itself. */
  beginProjection(caseId: CaseId): CaseSnapshot {
    this.#begunRevision = this.revision;
    return this.snapshot(caseId);
  }

  markProjected({ revision }: CaseSnapshot, overlap: Overlap | null): void {
    this.#projectedRevision = Math.max(this.#projectedRevision, revision);
    this.#unprojected = this.#unprojected.filter((event) => event.revision > revision);
    if (this.isProjected()) this.carrier = null;
    if (overlap) this.apply({ type: 'overlapChecked', ...overlap }, 'service');
  }

  isProjected(): boolean {
    return this.#projectedRevision === this.revision;
  }

  /** Has the state as it is written and told anew, above a revision that readers have from elsewhere. */
  reproject(atLeast: number): void {
    this.revision = Math.max(this.revision, atLeast) + 1;
    this.carrier = null;
    this.#keep([restored(this.state, now())]);
  }

  markSent(order: MessageOrder): void {
    this.outbox = this.outbox.filter((other) => other !== order);
  }

  /** Something was noticed from outside, or is over. */
  notice(kind: NoticedKind, isOpen: boolean): void {
    const others = this.noticed.filter((one) => one !== kind);
    this.noticed = isOpen ? [...others, kind] : others;
    this.#onChange(this);
  }

  /** A caller waits for the newest state. It may be nothing new, and on its way with a message: so it is written by itself. */
  #noteAwaited(): void {
    this.#awaitedRevision = this.revision;
    this.carrier = null;
  }

  #keep(events: readonly CaseEvent[]): void {
    const { revision } = this;
    this.#unprojected = [...this.#unprojected, ...events.map((event) => ({ ...event, revision }))];
  }

  #refuseChanged({ expected }: UpdateRequest): void {
    const { revision } = this;
    const { status } = this.state;
    if ((expected?.status ?? status) !== status || (expected?.revision ?? revision) !== revision)
      throw refuse({ code: 'CASE_CHANGED', status, revision });
  }

  #decide(input: CaseInput, by: Actor | Author, at: Instant) {
    const { actor, apiKeyId }: Author = typeof by === 'string' ? { actor: by } : by;
    const decision = decide(this.state, input, { at, actor, apiKeyId });
    if (decision.outcome === 'refused') throw refuse(decision.refusal);
    return decision;
  }
}

function refuseTooLate({ notAfter }: UpdateRequest): void {
  if (now() > notAfter) throw refuse({ code: 'TOO_LATE' });
}

/** A refusal as the one kind of error that ends an update instead of stalling the workflow's task. */
export const refuse = (refusal: Refusal): ApplicationFailure =>
  ApplicationFailure.nonRetryable(refusal.code, REFUSAL, refusal);
