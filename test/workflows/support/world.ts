import { randomUUID } from 'node:crypto';
import { Context } from '@temporalio/activity';
import type { Client } from '@temporalio/client';
import { createActivities } from '../../../activities/index.ts';
import {
  addDays,
  dateAt,
  daytimeFrom,
  deadlineOn,
  graceDeadline,
  reminderOfAppointment,
} from '../../../src/calendar/dates.ts';
import { isOnWaitlist } from '../../../src/domain/waitlist.ts';
import { caseTime, type Channel, type Deadline } from '../../../src/domain/case-state.ts';
import { openCase } from '../../../src/domain/decide.ts';
import type { Finding } from '../../../src/domain/findings.ts';
import type { BookingId, CaseId, PartnerId, ProviderId } from '../../../src/domain/ids.ts';
import { daysAfter, instant, type Instant } from '../../../src/domain/instant.ts';
import type { SlotRef } from '../../../src/domain/slot.ts';
import { createCaseClient } from '../../../src/temporal/case-client.ts';
import { type CaseToStart, startCase } from '../../../src/temporal/start-case.ts';
import {
  type CarriedState,
  type CaseStart,
  WATCH_TYPE,
  WORKFLOW_TYPE,
  workflowIdOf,
} from '../../../workflows/contract.ts';
import { eventually } from '../../support/eventually.ts';
import { openCalendarBook } from './appointment-repository.ts';
import { meetCase, type MetCase } from './case.ts';
import { openClaimsBook } from './claim-repository.ts';
import { type Clinic, openClinic } from './clinic.ts';
import { openPostOffice } from './post-office.ts';
import { openReadingRoom } from './readers.ts';
import { sent } from './sent.ts';
import { openStage } from './stage.ts';

export interface CaseSettings {
  /** The last day to book, this many days from today. */
  readonly days?: number;
  readonly deadline?: Deadline;
  readonly hasAddress?: Record<Channel, boolean>;
  readonly archiveAfterDays?: number;
  /** As in a test environment: its clock may be moved. */
  readonly sandbox?: boolean;
  /** What an earlier run of the case hands over. */
  readonly carried?: CarriedState;
  /** Where an address is no good, or a channel away, from the start. */
  readonly post?: Partial<Record<Channel, 'refused' | 'away'>>;
}

export interface Booked {
  readonly theCase: MetCase;
  readonly clinic: Clinic;
  readonly slot: SlotRef;
}

export interface World {
  readonly client: Client;
  readonly room: ReturnType<typeof openReadingRoom>;
  readonly post: ReturnType<typeof openPostOffice>;
  readonly claims: ReturnType<typeof openClaimsBook>;
  /** What was found at the clinic, in this order. */
  findingsAt(clinic: Clinic): string[];
  /** What was noted of each look at the clinic's calendar: nothing where all was seen, else its answer. */
  watchesOf(clinic: Clinic): readonly (string | null)[];
  /** Where the watch over a clinic goes on. */
  readonly places: Map<ProviderId, { readonly ends: Instant; readonly bookingId: BookingId }>;
  /**
   * Looks at all clinics as the schedule has it done, and again after the pause where there was a doubt.
   * @param meanwhile what happens in that pause, which there must be then
   */
  watch(meanwhile?: () => void): Promise<void>;
  now(): Promise<Instant>;
  today(plusDays?: number): Promise<Deadline['date']>;
  /** Lets the server's clock run on to `time`. */
  sleepUntil(time: Instant): Promise<void>;
  /** Waits without skipping: the server's clock stands still, as it were, while an activity runs. */
  until(time: Instant): Promise<void>;
  sleep(milliseconds: number): Promise<void>;
  openClinic(): Clinic;
  openCase(settings?: CaseSettings): Promise<MetCase>;
  /** A case with an appointment in 20 days that stands in the clinic's calendar, its customer told of it. */
  openBookedCase(settings?: CaseSettings): Promise<Booked>;
  /** For cases that no worker serves before `wake` is called, nor after what that returns is. */
  openSleepingQueue(): {
    openCase(): Promise<MetCase>;
    wake(): Promise<() => Promise<void>>;
  };
  close(): Promise<void>;
}

/**
 * A stage, on it a worker with the real workflow and activities, and the world around them in memory. One per suite.
 * At its end every case is replayed, so what is not deterministic fails.
 */
export async function createWorld(
  server: 'time-skipping' | 'real' = 'time-skipping',
  // with none every workflow task replays its history from the start
  { maxCachedWorkflows = 50 } = {},
): Promise<World> {
  const stage = await openStage(server, maxCachedWorkflows);
  const { environment, client } = stage;
  const room = openReadingRoom();
  const now = async () => instant(await environment.currentTimeMs());
  /**
   * Now and then the time-skipping server keeps a lock on its clock for ever, and a sleep of minutes takes minutes: that
   * lock is put aside for the sleep then.
   */
  const skip = async (milliseconds: number): Promise<void> => {
    const lock = { isAside: false };
    const unlock = async () => {
      lock.isAside = true;
      await environment.connection.testService?.unlockTimeSkipping({}).catch(() => undefined);
    };
    const late = setTimeout(() => void unlock(), server === 'real' ? milliseconds + 1_000 : 15_000);
    await environment.sleep(milliseconds).finally(() => clearTimeout(late));
    if (lock.isAside) await environment.connection.testService?.lockTimeSkipping({});
  };
  const post = openPostOffice(room.read, now);
  const claims = openClaimsBook(room.read);
  const findings: Finding[] = [];
  const clinics = new Map<ProviderId, Clinic>();
  const cases: MetCase[] = [];
  const places: World['places'] = new Map();
  const watches: { readonly id: ProviderId; readonly answer: string | null }[] = [];
  const activities = createActivities({
    ...post.deps,
    claims,
    noteTransfer: async () => undefined,
    bookingFailures: { failed: async () => undefined, succeeded: async () => undefined },
    orphanRepository: claims,
    async writeSnapshot(snapshot) {
      await room.write(snapshot);
      return claims.follow(snapshot);
    },
    bookingSystemOf: (providerId) => found(clinics.get(providerId)),
    registered: () => [...clinics.keys()],
    appointmentRepository: openCalendarBook(room),
    watchRepository: {
      async watched(id) {
        places.delete(id);
        watches.push({ id, answer: null });
      },
      place: async (id) => places.get(id) ?? null,
      watchedUntil: async (id, place) => void places.set(id, place),
      unwatched: async (id, answer) => void watches.push({ id, answer }),
    },
    caseClient: createCaseClient({ client }),
    noteFinding: (finding) => findings.push(finding),
    bookingDetails: async (caseId) => ({ ...DETAILS, caseId }),
    graceDeadline: (of) =>
      graceDeadline(caseTime(of, new Date(Context.current().info.currentAttemptScheduledTimestampMs))),
    reminderOfAppointment,
    daytime: () => daytimeFrom(new Date(Context.current().info.currentAttemptScheduledTimestampMs)),
    waitingFor: async () =>
      room.all().flatMap(([caseId, { state }]) => (isOnWaitlist(state) ? [caseId] : [])),
  });
  const ownQueue = randomUUID();
  const startWorker = (taskQueue: string) => stage.startWorker(taskQueue, activities);

  const today: World['today'] = async (plusDays = 0) => addDays(dateAt(new Date(await now())), plusDays);

  const carryOn = (caseId: CaseId, carried: CarriedState) => {
    const { partner_id: partnerId, treatment_type: treatmentType } = ROW;
    const { deadline, archiveAfterDays } = carried.state;
    const hasAddress = { email: true, sms: true };
    const opening = { deadline, archiveAfterDays, hasAddress, openedAt: instant(0) };
    const start: CaseStart = { partnerId, treatmentType, caseId, ...opening, carried };
    return client.workflow.start(WORKFLOW_TYPE, {
      workflowId: workflowIdOf(caseId),
      taskQueue: ownQueue,
      args: [start],
    });
  };
  const open = async (settings: CaseSettings, taskQueue: string): Promise<MetCase> => {
    const { days = 14, hasAddress = { email: true, sms: true }, archiveAfterDays = 30, carried } = settings;
    const id = randomUUID() as CaseId;
    const deadline = settings.deadline ?? deadlineOn(await today(days));
    const openedAt = await now();
    const { state } = openCase({ deadline, hasAddress, archiveAfterDays }, openedAt);
    room.enter(id, state);
    for (const [channel, trouble] of Object.entries(settings.post ?? {})) {
      post.trouble(id, channel as Channel, trouble);
    }
    if (carried) await carryOn(id, carried);
    else
      await startCase(
        client,
        { ...ROW, id, state, created_at: openedAt },
        { taskQueue, isSandbox: settings.sandbox },
      );
    const met = meetCase(world, id);
    cases.push(met);
    return met;
  };

  const world: World = {
    client,
    places,
    watchesOf: (clinic) => watches.filter(({ id }) => id === clinic.id).map(({ answer }) => answer),
    findingsAt: ({ id }) => findings.filter(({ providerId }) => providerId === id).map(({ kind }) => kind),
    async watch(meanwhile) {
      const handle = await client.workflow.start(WATCH_TYPE, {
        taskQueue: ownQueue,
        workflowId: `watch-${randomUUID()}`,
        workflowExecutionTimeout: '10 minutes',
      });
      const stage = await eventually(async () => {
        const { events } = await handle.fetchHistory();
        if (events?.some((event) => event.workflowExecutionCompletedEventAttributes)) return 'over';
        return events?.some((event) => event.timerStartedEventAttributes) && 'pause';
      });
      if (meanwhile && stage === 'over') throw new Error('nothing was in doubt');
      meanwhile?.();
      if (stage === 'pause') await skip(91_000);
      await handle.result();
    },
    room,
    post,
    claims,
    now,
    today,
    sleep: skip,
    async until(time) {
      await eventually(async () => (await now()) > time, { what: `it is ${time}` });
    },
    async sleepUntil(time) {
      await skip(Math.max(1, Date.parse(time) - (await environment.currentTimeMs())));
    },
    openClinic() {
      const clinic = openClinic();
      clinics.set(clinic.id, clinic);
      return clinic;
    },
    openCase: (settings = {}) => open(settings, ownQueue),
    async openBookedCase(settings) {
      const clinic = world.openClinic();
      const slot = clinic.offer(daysAfter(await now(), 20));
      const theCase = await world.openCase(settings);
      await theCase.untilMessages(...sent('invitation'));
      await theCase.confirm(slot);
      await theCase.until(({ bookings }) => bookings[0]?.transferredAt != null);
      await theCase.untilMessages(...sent('invitation', 'receipt'));
      return { theCase, clinic, slot };
    },
    openSleepingQueue() {
      const queue = randomUUID();
      return { openCase: () => open({}, queue), wake: () => startWorker(queue) };
    },
    async close() {
      for (const clinic of clinics.values()) clinic.goOn();
      post.goOn();
      const histories = await Promise.all(
        cases.map(async (one) => ({ workflowId: one.id, history: await one.history() })),
      );
      await stage.close();
      // one that has just gone on as a new run has had no workflow task, and its replay would never end
      await stage.replay(histories.filter(({ history }) => (history.events?.length ?? 0) > 1));
    },
  };
  await startWorker(ownQueue);
  return world;
}

const ROW: Omit<CaseToStart, 'id' | 'state' | 'created_at'> = {
  partner_id: 'insurer' as PartnerId,
  partner_case_id: 'claim-1',
  hashed_reference: null,
  treatment_type: 'psychologist',
  traceparent: null,
};

const DETAILS = {
  treatmentType: ROW.treatment_type,
  patient: { givenName: 'Kari', familyName: 'Nordmann', birthDate: null, email: null, phone: null },
  injuryDate: '2026-01-31' as Deadline['date'],
  injuryDescription: null,
  partnerName: 'An insurer',
  partnerCaseId: ROW.partner_case_id,
};

function found<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('no such clinic');
  return value;
}
