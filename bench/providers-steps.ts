import { setTimeout as delay } from 'node:timers/promises';
import type { RequestHandler } from 'express';
import type { BookingOrder } from '../activities/contract.ts';
import { startClinic } from '../dev/fhir-clinic/clinic.ts';
import type { BookingId } from '../src/domain/ids.ts';
import { daysAfter, instant } from '../src/domain/instant.ts';
import { connectBookingSystem } from '../src/providers/connect.ts';
import { createRacer } from '../test/providers/races-racer.ts';
import type { Track } from '../test/providers/races-track.ts';
import { type Measured, median, row, timeOf } from './measure.ts';

/** What the clinic takes for each answer: long against what we do in between. */
const ANSWER_MS = 50;
const TIMES = 40;

/** How often a booking's steps go to the clinic and back, one after the other, and what they take besides. */
export async function stepsOfABooking({ database, providerId, caseIds }: Track): Promise<Measured> {
  const wire = listenIn();
  const clinic = await startClinic({ profile: 'fjordklinikken', weeks: 2, guard: wire.guard });
  try {
    const system = connectBookingSystem({
      id: providerId,
      name: clinic.name,
      kind: 'fhir',
      baseUrl: clinic.fhirUrl,
    });
    const from = instant(Date.now());
    const offered = await system.search({ treatmentType: 'psychology', from, to: daysAfter(from, 14) });
    const racer = createRacer(database, system);
    // What the server can do is read once, by the first booking.
    const [first, ...others] = offered.slice(0, TIMES + 1).map((slot, i): BookingOrder => {
      const [caseId, bookingId] = [caseIds[i], crypto.randomUUID() as BookingId];
      if (caseId === undefined) throw new Error('too few cases');
      return { caseId, bookingId, slot, treatmentType: 'psychology' };
    });
    if (first) await racer.confirm(first).then(() => racer.release(first));

    const confirm = await each(others, wire, (order) => racer.secure(order));
    const transfer = await each(others, wire, (order) => racer.transfer(order));
    const release = await each(others, wire, (order) => racer.release(order));
    return {
      rows: [
        row('confirm (claim and hold), besides the clinic', confirm.own, { median: 50 }),
        row('transfer, besides the clinic', transfer.own),
        row('release, besides the clinic', release.own),
      ],
      notes: [
        `confirm goes to the clinic ${median(confirm.trips)} times, one after the other (goal: 2 at most)`,
        `transfer goes there ${median(transfer.trips)} times, release ${median(release.trips)} times`,
      ],
    };
  } finally {
    await clinic.close();
  }
}

async function each(
  orders: readonly BookingOrder[],
  wire: ReturnType<typeof listenIn>,
  step: (order: BookingOrder) => Promise<unknown>,
) {
  const [own, trips]: [number[], number[]] = [[], []];
  for (const order of orders) {
    wire.heard();
    const whole = await timeOf(() => step(order));
    const heard = wire.heard();
    own.push(whole - heard.busyMs);
    trips.push(heard.inARow);
  }
  return { own, trips };
}

/** Makes the clinic slow, and notes when it was busy with us. */
function listenIn() {
  let answers: { from: number; to: number }[] = [];
  const guard: RequestHandler = (_request, response, next) => {
    const answer = { from: performance.now(), to: Infinity };
    answers.push(answer);
    response.on('finish', () => (answer.to = performance.now()));
    void delay(ANSWER_MS).then(() => next());
  };
  return {
    guard,
    /** Since the last call of this. */
    heard() {
      const sorted = answers.toSorted((a, b) => a.to - b.to);
      answers = [];
      let [busyMs, busyUntil, inARow, freeAt] = [0, 0, 0, 0];
      for (const { from, to } of sorted) {
        busyMs += Math.max(0, to - Math.max(from, busyUntil));
        busyUntil = Math.max(busyUntil, to);
        if (from < freeAt) continue;
        inARow += 1;
        freeAt = to;
      }
      return { busyMs, inARow };
    },
  };
}
