import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import pMap from 'p-map';
import type { BookingOrder } from '../../activities/contract.ts';
import type { BookingId, CaseId } from '../../src/domain/ids.ts';
import type { Slot } from '../../src/domain/slot.ts';
import { drawsOf } from '../chaos/plan/draws.ts';
import { findViolations, noViolations, takeClaims, type Violations } from './races-count.ts';
import { type Contest, type Kind, planRaces, type Round } from './races-plan.ts';
import { createRacer, type Outcome, type Racer } from './races-racer.ts';
import type { Track } from './races-track.ts';
import { openVenue, type Venue } from './races-venues.ts';

export interface RaceOptions extends Track {
  readonly seed: number;
  /** Of each kind. */
  readonly contests: number;
  readonly atOnce?: number;
  readonly onRound?: (done: number, report: RaceReport) => void;
}

export interface RaceReport {
  readonly contests: Partial<Record<Kind, number>>;
  /** What the customers were told, and how often the receptionist had it. */
  readonly outcomes: Record<Outcome | 'given back' | 'at the desk', number>;
  faultsPlaced: number;
  faultsMet: number;
  lostAnswers: number;
  violations: Violations;
  /** In which rounds, with what was seen there. */
  readonly found: string[];
}

/** Lets cases meet over slots, round after round, each at a new clinic, and counts there what came of it. */
export async function race(options: RaceOptions): Promise<RaceReport> {
  const { seed, contests, onRound } = options;
  const report: RaceReport = {
    contests: {},
    outcomes: { booked: 0, taken: 0, gone: 0, unknown: 0, 'given back': 0, 'at the desk': 0 },
    faultsPlaced: 0,
    faultsMet: 0,
    lostAnswers: 0,
    violations: noViolations(),
    found: [],
  };
  const rounds = planRaces(drawsOf(seed), contests);
  for (const [i, round] of rounds.entries()) {
    const violations = await runRound(options, round, report);
    for (const [name, seen] of Object.entries(violations) as [keyof Violations, readonly string[]][]) {
      report.violations[name] += seen.length;
      for (const one of seen) report.found.push(`round ${i + 1} (${round.server}): ${name} ${one}`);
    }
    onRound?.((i + 1) / rounds.length, report);
  }
  return report;
}

async function runRound(
  { database, caseIds, providerId, atOnce = 16 }: RaceOptions,
  round: Round,
  report: RaceReport,
): Promise<Record<keyof Violations, readonly string[]>> {
  const venue = await openVenue(round.server, providerId);
  try {
    const [ours, theirs] = [createRacer(database, venue.system), createRacer(database, venue.system, true)];
    const ring = new Ring(venue, ours, theirs, report, caseIds);
    const slots = [...venue.slots];
    const placed = round.contests.map((contest) => ({
      contest,
      slots: slots.splice(0, contest.kind === 'one case, two slots' ? 2 : 1),
    }));
    await pMap(placed, (one) => ring.hold(one.contest, one.slots), { concurrency: atOnce });

    const books = await venue.books();
    const faults = (await (await fetch(`${venue.url}/_faults`)).json()) as { fired: number }[];
    report.faultsPlaced += faults.length;
    report.faultsMet += faults.filter(({ fired }) => fired > 0).length;
    report.lostAnswers += ours.lost() + theirs.lost();
    return findViolations(books, await takeClaims(database, providerId), ring);
  } finally {
    await venue.close();
  }
}

/** Where they meet. */
class Ring {
  readonly booked = new Set<string>();
  readonly ours = new Set<string>();
  readonly unwon: string[] = [];
  readonly #venue: Venue;
  readonly #ours: Racer;
  readonly #theirs: Racer;
  readonly #report: RaceReport;
  readonly #caseIds: readonly CaseId[];
  #next = 0;

  constructor(venue: Venue, ours: Racer, theirs: Racer, report: RaceReport, caseIds: readonly CaseId[]) {
    this.#venue = venue;
    this.#ours = ours;
    this.#theirs = theirs;
    this.#report = report;
    this.#caseIds = caseIds;
  }

  async hold(contest: Contest, slots: readonly Slot[]): Promise<void> {
    const { kind, fault } = contest;
    this.#report.contests[kind] = (this.#report.contests[kind] ?? 0) + 1;
    if (fault) await this.#place(fault);
    const [slot, other] = slots;
    if (!slot) throw new Error('the clinic has no slot left');
    if (kind === 'two cases, one slot') await this.#overOneSlot(contest, slot);
    else if (kind === 'strangers, one slot') await this.#betweenStrangers(contest, slot);
    else if (kind === 'the receptionist, one slot') await this.#withReceptionist(contest, slot);
    else if (other) await this.#overTwoSlots(contest, slot, other);
  }

  async #overOneSlot({ headStart: [a, b], isCancelled }: Contest, slot: Slot): Promise<void> {
    const orders = [this.#order(slot), this.#order(slot)] as const;
    this.#judge(slot, await Promise.all([this.#confirm(orders[0], a), this.#confirm(orders[1], b)]));
    if (isCancelled) await this.#giveBack(orders);
  }

  /** In two windows; what is secured last is wanted, and then the other is let go: what the case's lane does. */
  async #overTwoSlots({ headStart, isCancelled }: Contest, one: Slot, other: Slot): Promise<void> {
    const caseId = this.#nextCase();
    const orders = [this.#order(one, caseId), this.#order(other, caseId)];
    const secured: BookingOrder[] = [];
    await Promise.all(
      orders.map(async (order, i) => {
        await delay(headStart[i]);
        const outcome = await this.#ours.secure(order);
        if (outcome === 'secured') secured.push(order);
        else this.#report.outcomes[outcome] += 1;
      }),
    );
    const wanted = secured.pop();
    await Promise.all([
      wanted && this.#ours.transfer(wanted).then((outcome) => this.#note(wanted, outcome)),
      ...secured.map(async (order) => {
        // Half of them are on their way into the calendar by then.
        if (isCancelled) await this.#ours.transfer(order);
        await this.#ours.release(order);
        this.#report.outcomes['given back'] += 1;
      }),
    ]);
  }

  async #betweenStrangers(contest: Contest, slot: Slot): Promise<void> {
    const {
      headStart: [a, b],
      isCancelled,
      leavesSlot,
    } = contest;
    const [order, strange] = [this.#order(slot), this.#order(slot)];
    const [one, other, atDesk] = await Promise.all([
      this.#confirm(order, a),
      this.#confirm(strange, b, this.#theirs),
      delay((a + b) / 2).then(() => this.#venue.phone(slot, leavesSlot)),
    ]);
    if (atDesk) this.#report.outcomes['at the desk'] += 1;
    else this.#judge(slot, [one, other]);
    if (isCancelled) await this.#giveBack([order]);
  }

  async #withReceptionist(
    { headStart: [a, b], isCancelled, leavesSlot }: Contest,
    slot: Slot,
  ): Promise<void> {
    const order = this.#order(slot);
    const [outcome, atDesk] = await Promise.all([
      this.#confirm(order, a),
      delay(b).then(() => this.#venue.phone(slot, leavesSlot)),
    ]);
    if (atDesk) this.#report.outcomes['at the desk'] += 1;
    else this.#judge(slot, [outcome]);
    if (isCancelled) await this.#giveBack([order]);
  }

  async #confirm(order: BookingOrder, after: number, racer = this.#ours): Promise<Outcome> {
    await delay(after);
    const outcome = await racer.confirm(order);
    this.#note(order, outcome, racer);
    return outcome;
  }

  #judge(slot: Slot, outcomes: readonly Outcome[]): void {
    if (!outcomes.includes('booked') && !outcomes.includes('unknown')) this.unwon.push(slot.slot);
  }

  #note({ bookingId }: BookingOrder, outcome: Outcome, racer = this.#ours): void {
    this.#report.outcomes[outcome] += 1;
    if (outcome !== 'booked') return;
    this.booked.add(bookingId);
    if (racer === this.#ours) this.ours.add(bookingId);
  }

  async #giveBack(orders: readonly BookingOrder[]): Promise<void> {
    for (const order of orders) {
      if (!this.ours.delete(order.bookingId)) continue;
      await this.#ours.release(order);
      this.booked.delete(order.bookingId);
      this.#report.outcomes['given back'] += 1;
    }
  }

  #order(slot: Slot, caseId = this.#nextCase()): BookingOrder {
    return { caseId, bookingId: randomUUID() as BookingId, slot, treatmentType: 'psychology' };
  }

  /** No case is in two contests of one round. */
  #nextCase(): CaseId {
    const caseId = this.#caseIds[(this.#next += 1)];
    if (caseId === undefined) throw new Error('too few cases');
    return caseId;
  }

  async #place(fault: NonNullable<Contest['fault']>): Promise<void> {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${this.#venue.url}/_faults`, {
      method: 'POST',
      headers,
      body: JSON.stringify(fault),
    });
    if (!answer.ok) throw new Error(`no such fault: ${await answer.text()}`);
  }
}
