import type { Language } from '../../src/calendar/format.ts';
import { type BookingId, type CaseId, parseCaseId, type ProviderId } from '../../src/domain/ids.ts';
import type { CaseReader } from '../../src/postgres/access-log.ts';
import { type CalendarDate, instant } from '../../src/domain/instant.ts';
import type { SlotOffer } from '../../src/http/booking/offered-slots.ts';
import { accessPage } from '../../src/pages/access.ts';
import { aboutPage, homePage, privacyPage } from '../../src/pages/about.ts';
import type { CustomerBooking } from '../../src/pages/appointments.ts';
import { cancelPage } from '../../src/pages/cancel.ts';
import { confirmPage, slotTakenPage } from '../../src/pages/confirm.ts';
import { helpPage, helpReceivedPage } from '../../src/pages/help.ts';
import type { Html } from '../../src/pages/html.ts';
import type { CaseContext } from '../../src/pages/layout.ts';
import { notYoursDonePage, notYoursPage } from '../../src/pages/not-yours.ts';
import { pendingPage } from '../../src/pages/pending.ts';
import { receiptPage } from '../../src/pages/receipt.ts';
import { statusPage } from '../../src/pages/status.ts';
import type { StatusKind } from '../../src/strings/catalogue.ts';
import { nb } from '../../src/strings/nb.ts';
import { STRINGS } from '../../src/strings/strings.ts';
import { NO_FILTERS, NO_QUERY, type TimesQuery } from '../../src/pages/times/query.ts';
import type { Times } from '../../src/pages/times/results.ts';
import { timesPage } from '../../src/pages/times/view.ts';
import { placeChoices, type TimesNews, wherePage } from '../../src/pages/times/where.ts';
import { NO_DETAILS } from '../../src/domain/slot.ts';
import { welcomePage } from '../../src/pages/welcome.ts';

export const CASE_ID = parseCaseId('6f1c4d7e-0a3b-4b7e-9c57-1d2f3a4b5c6d') as CaseId;

/** Names that would do harm if they were not escaped. */
export const EVIL = `<img src=x onerror="alert('1')">&`;

export const context = (language: Language): CaseContext => ({
  language,
  t: STRINGS[language],
  support: { email: 'hjelp@example.no', phone: '+47 22 12 34 56' },
  owner: {
    name: `Timebestilling ${EVIL}`,
    organisationNumber: '999 999 999',
    address: `Storgata 1 ${EVIL}`,
    privacyEmail: 'personvern@example.no',
  },
  token: 'token-1',
  here: `/b/${CASE_ID}/times?place=${encodeURIComponent(EVIL)}`,
  visit: {
    caseId: CASE_ID,
    partnerName: `Fremtind ${EVIL}`,
    partnerMark: null,
    customer: {
      name: `Kari ${EVIL}`,
      endsAt: instant('2026-03-27T07:15:00Z'),
      secondsLeft: 900,
      mayBeExtended: true,
    },
    treatment: `Psykolog ${EVIL}`,
  },
});

/** The same page for somebody who has not logged in. */
export const stranger = (language: Language): CaseContext => {
  const known = context(language);
  return { ...known, visit: { ...known.visit, customer: null, treatment: null } };
};

export const QUERY: TimesQuery = NO_QUERY;

const FILTERED: TimesQuery = {
  from: '2026-03-27' as CalendarDate,
  oneDay: false,
  skip: 0,
  anywhere: false,
  filters: { ...NO_FILTERS, provider: 'nord', practitioner: `Ola Hansen ${EVIL}`, mode: 'in_person' },
};

export const slotAt = (start: string, slotId = `slot.${start}`): SlotOffer => ({
  slotId,
  providerId: 'nord' as ProviderId,
  providerName: `Klinikk Nord ${EVIL}`,
  practitioner: `Ola Hansen ${EVIL}`,
  location: 'Storgata 1, Oslo',
  mode: 'in_person',
  details: {
    town: 'Oslo',
    phone: '+47 22 00 00 01',
    position: { latitude: 59.9, longitude: 10.7 },
    instructions: `Ta med legitimasjon.\nRing på ${EVIL}`,
    languages: ['nb', 'pl'],
    gender: 'female',
    profession: `Psykologspesialist ${EVIL}`,
  },
  start: instant(start),
  end: instant(Date.parse(start) + 45 * 60_000),
});

export const BOOKING: CustomerBooking = {
  ...slotAt('2026-03-03T13:30:00Z'),
  bookingId: 'b-1' as BookingId,
  confirmedAt: instant('2026-03-01T09:00:00Z'),
  transferredAt: null,
  providerReference: null,
};

export const TIMES: Times = {
  awaited: [],
  query: QUERY,
  slots: [slotAt('2026-03-27T08:00:00Z'), slotAt('2026-03-27T13:30:00Z'), slotAt('2026-03-30T07:00:00Z')],
  providers: [
    { id: 'nord' as ProviderId, name: 'Klinikk Nord', state: 'live', asOf: instant('2026-03-27T07:00:00Z') },
    { id: 'sor' as ProviderId, name: 'Klinikk Sør', state: 'live', asOf: instant('2026-03-27T07:00:00Z') },
  ],
  from: '2026-03-27' as CalendarDate,
  to: '2026-04-01' as CalendarDate,
  earlierFrom: null,
  laterFrom: '2026-04-02' as CalendarDate,
  searchedDays: null,
  bookingDeadline: '2026-04-30' as CalendarDate,
  nextWith: null,
  current: null,
  news: null,
  isHelpComing: false,
};

const seen = (kind: CaseReader['kind'], times: number): CaseReader => ({
  ...{ kind, times, last: instant('2026-03-27T07:00:00Z') },
});

const news = (kind: TimesNews['kind']): TimesNews => ({ kind, bookingDeadline: TIMES.bookingDeadline });

/** The same by video, and in another town. */
const ELSEWHERE: readonly SlotOffer[] = [
  { ...slotAt('2026-03-27T09:00:00Z', 'video'), mode: 'video', details: NO_DETAILS },
  {
    ...slotAt('2026-03-27T10:00:00Z', 'bergen'),
    location: `Bryggen ${EVIL}, 5003 Bergen`,
    details: {
      ...NO_DETAILS,
      town: `Bergen ${EVIL}`,
      languages: ['nb'],
      gender: 'male',
      profession: 'Fysioterapeut',
    },
  },
];
const CHOICES = placeChoices([...TIMES.slots, ...ELSEWHERE]);
const MANY = Array.from({ length: 130 }, (_, i) =>
  slotAt(instant(Date.parse('2026-03-27T06:00:00Z') + i * 60_000)),
);

/** Every page in every state that looks different. */
export const PAGES: Readonly<Record<string, (context: CaseContext) => Html>> = {
  home: (c) => homePage(c, 'timebestilling.example'),
  about: aboutPage,
  privacy: (c) => privacyPage(c, { archiveAfterDays: 30, personalDataMonths: 12, caseId: c.visit.caseId }),
  'access, nobody else': (c) => accessPage(c, [seen('yours', 1)]),
  'access, everybody': (c) =>
    accessPage(c, [
      ...(['partner_opened', 'partner_listed', 'operator_revealed', 'operator_worked'] as const).map((kind) =>
        seen(kind, 3),
      ),
      ...(['messages', 'clinic', 'turned_away', 'link_opened', 'yours'] as const).map((kind) =>
        seen(kind, 12),
      ),
    ]),
  welcome: (c) =>
    welcomePage(nobody(c), {
      bookingDeadline: TIMES.bookingDeadline,
      open: true,
      hasEnded: false,
      back: null,
    }),
  'welcome, not open': (c) =>
    welcomePage(nobody(c), {
      bookingDeadline: TIMES.bookingDeadline,
      open: false,
      hasEnded: false,
      back: null,
    }),
  'welcome, after the session has ended': (c) =>
    welcomePage(nobody(c), {
      bookingDeadline: TIMES.bookingDeadline,
      open: true,
      hasEnded: true,
      back: `/b/${CASE_ID}/times?town=Oslo`,
    }),
  times: (c) => timesPage(c, TIMES),
  'times, the first ones being later': (c) => timesPage(c, { ...TIMES, searchedDays: 90 }),
  'times, filtered': (c) => timesPage(c, { ...TIMES, query: FILTERED }),
  'times, of several towns': (c) =>
    timesPage(c, {
      ...TIMES,
      query: { ...QUERY, anywhere: true },
      slots: [...TIMES.slots, ...ELSEWHERE].toSorted((a, b) => a.start.localeCompare(b.start)),
    }),
  'times, after a cancellation': (c) => timesPage(c, { ...TIMES, news: news('cancelled') }),
  'times, after the clinic has cancelled': (c) => timesPage(c, { ...TIMES, news: news('chooseAgain') }),
  'times, a part of a long day': (c) =>
    timesPage(c, {
      ...TIMES,
      slots: MANY,
      query: { ...QUERY, from: '2026-03-27' as CalendarDate, oneDay: true, skip: 60 },
    }),
  where: (c) => wherePage(c, { choices: CHOICES, days: 30, awaited: [], news: null }),
  'where, after a cancellation': (c) =>
    wherePage(c, { choices: CHOICES, days: 30, awaited: [], news: news('cancelled') }),
  'times, of one day': (c) =>
    timesPage(c, {
      ...TIMES,
      query: { ...FILTERED, oneDay: true },
      earlierFrom: '2026-03-26' as CalendarDate,
    }),
  'times, one clinic late': (c) =>
    timesPage(c, { ...TIMES, awaited: [{ id: 'x' as ProviderId, name: EVIL }] }),
  'where, one clinic late': (c) =>
    wherePage(c, {
      choices: CHOICES,
      days: 30,
      awaited: [{ id: 'x' as ProviderId, name: EVIL }],
      news: null,
    }),
  'times, to change': (c) => timesPage(c, { ...TIMES, current: BOOKING }),
  'times, while help is coming': (c) => timesPage(c, { ...TIMES, isHelpComing: true }),
  'times, none': (c) => timesPage(c, { ...TIMES, slots: [], nextWith: '2026-04-20' as CalendarDate }),
  'times, none that fits': (c) => timesPage(c, { ...TIMES, slots: [], query: FILTERED }),
  'times, none at all': (c) => timesPage(c, { ...TIMES, slots: [], searchedDays: 90 }),
  'times, none that fits at all': (c) =>
    timesPage(c, { ...TIMES, slots: [], searchedDays: 90, query: FILTERED }),
  'times, all away': (c) =>
    timesPage(c, {
      ...TIMES,
      slots: [],
      providers: TIMES.providers.map((p) => ({ ...p, state: 'unavailable' })),
    }),
  'times, the session lasting no longer': (c) => timesPage(atTheLast(c), TIMES),
  confirm: (c) => confirmPage(c, { slot: slotAt('2026-03-27T08:00:00Z'), current: null, query: FILTERED }),
  'confirm a change': (c) =>
    confirmPage(c, { slot: slotAt('2026-03-27T08:00:00Z'), current: BOOKING, query: QUERY }),
  'confirm, booked in another tab': (c) =>
    confirmPage(c, { slot: slotAt('2026-03-27T08:00:00Z'), current: BOOKING, query: QUERY, isNews: true }),
  'slot taken': (c) => slotTakenPage(c, TIMES.slots, FILTERED),
  'slot taken, no other': (c) => slotTakenPage(c, [], QUERY),
  receipt: (c) =>
    receiptPage(c, {
      booking: BOOKING,
      mayChange: true,
      mayCancel: true,
      isSilent: false,
      earlier: 'not asked',
    }),
  'receipt, told of earlier times': (c) =>
    receiptPage(c, { booking: BOOKING, mayChange: true, mayCancel: true, isSilent: false, earlier: 'asked' }),
  'receipt, transferred': (c) =>
    receiptPage(c, {
      booking: { ...BOOKING, transferredAt: instant('2026-03-01T09:01:00Z'), mode: 'video' },
      mayChange: true,
      mayCancel: true,
      isSilent: false,
      earlier: null,
    }),
  'receipt, without messages': (c) =>
    receiptPage(c, { booking: BOOKING, mayChange: true, mayCancel: true, isSilent: true, earlier: null }),
  'receipt, started': (c) =>
    receiptPage(c, { booking: BOOKING, mayChange: false, mayCancel: false, isSilent: false, earlier: null }),
  cancel: (c) => cancelPage(c, BOOKING),
  help: (c) => helpPage(c, { typed: {}, faults: [], formId: 'form-1', isForAnother: false }),
  'help with faults': (c) =>
    helpPage(c, {
      typed: { message: EVIL, preferredContact: 'email', phone: EVIL, interpreter: EVIL },
      faults: ['message_too_long', 'contact_unknown', 'phone_wrong', 'interpreter_wrong'],
      formId: 'form-1',
      isForAnother: false,
    }),
  'help for another': (c) =>
    helpPage(nobody(c), { typed: {}, faults: [], formId: 'form-1', isForAnother: true }),
  'help for another with faults': (c) =>
    helpPage(nobody(c), {
      typed: { name: EVIL, relation: 'parent', bestTime: 'morning' },
      faults: ['name_wrong', 'relation_missing', 'phone_missing'],
      formId: 'form-1',
      isForAnother: true,
    }),
  'help received': (c) => helpReceivedPage(c, true),
  'help received, not open': (c) => helpReceivedPage(c, false),
  'not yours': (c) => notYoursPage(nobody(c)),
  'not yours, done': (c) => notYoursDonePage(nobody(c)),
  'pending confirm': (c) => pendingPage(c, { what: 'confirm', isSilent: false }),
  'pending cancel': (c) => pendingPage(c, { what: 'cancel', isSilent: true }),
  ...Object.fromEntries(
    (Object.keys(nb.status) as StatusKind[]).map((kind) => [
      kind,
      (c: CaseContext) => statusPage(c, kind, { again: `/b/${CASE_ID}/confirm?slot=x` }),
    ]),
  ),
};

const nobody = ({ language }: CaseContext): CaseContext => stranger(language);

function atTheLast({ visit, ...context }: CaseContext): CaseContext {
  const { customer } = visit;
  const last = customer && { ...customer, mayBeExtended: false };
  return { ...context, visit: { ...visit, customer: last } };
}

export const render = (name: string, language: Language): string => String(PAGES[name]?.(context(language)));

export const count = (markup: string, pattern: RegExp): number => markup.match(pattern)?.length ?? 0;

/** What is there to read. */
export const textOf = (markup: string): string => markup.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
