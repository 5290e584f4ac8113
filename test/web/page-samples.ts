import type { Language } from '../../src/calendar/format.ts';
import { parseCaseId, type BookingId, type CaseId, type ProviderId } from '../../src/domain/ids.ts';
import { instant, type CalendarDate } from '../../src/domain/instant.ts';
import type { CustomerBooking, OfferedSlot } from '../../src/web/booking-facts.ts';
import type { Html } from '../../src/web/html.ts';
import type { CaseContext } from '../../src/web/layout.ts';
import { cancelPage } from '../../src/web/pages/cancel.ts';
import { confirmPage } from '../../src/web/pages/confirm.ts';
import { confirmingPage } from '../../src/web/pages/confirming.ts';
import { helpPage } from '../../src/web/pages/help.ts';
import { helpReceivedPage } from '../../src/web/pages/help-received.ts';
import { receiptPage } from '../../src/web/pages/receipt.ts';
import { slotTakenPage } from '../../src/web/pages/slot-taken.ts';
import { statusPage } from '../../src/web/pages/status.ts';
import { timesPage, type Times } from '../../src/web/pages/times.ts';
import { welcomePage } from '../../src/web/pages/welcome.ts';
import { nb, type StatusKind } from '../../src/web/strings/nb.ts';

export const CASE_ID = parseCaseId('6f1c4d7e-0a3b-4b7e-9c57-1d2f3a4b5c6d') as CaseId;

/** Names that would do harm if they were not escaped. */
export const EVIL = `<img src=x onerror="alert('1')">&`;

export const context = (language: Language): CaseContext => ({
  language,
  support: { email: 'hjelp@example.no', phone: '+47 22 12 34 56' },
  visit: { caseId: CASE_ID, partnerName: `Fremtind ${EVIL}`, token: 'token-1', customerName: `Kari ${EVIL}` },
});

export const slotAt = (start: string, slotId = `slot.${start}`): OfferedSlot => ({
  slotId,
  providerId: 'nord' as ProviderId,
  providerName: `Klinikk Nord ${EVIL}`,
  practitioner: `Ola Hansen ${EVIL}`,
  location: 'Storgata 1, Oslo',
  mode: 'in_person',
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
  slots: [slotAt('2026-03-27T08:00:00Z'), slotAt('2026-03-27T13:30:00Z'), slotAt('2026-03-30T07:00:00Z')],
  providers: [
    { id: 'nord' as ProviderId, name: 'Klinikk Nord', state: 'live', asOf: instant('2026-03-27T07:00:00Z') },
    { id: 'sor' as ProviderId, name: 'Klinikk Sør', state: 'live', asOf: instant('2026-03-27T07:00:00Z') },
  ],
  from: '2026-03-27' as CalendarDate,
  to: '2026-04-01' as CalendarDate,
  earlierFrom: null,
  laterFrom: '2026-04-02' as CalendarDate,
  onlyProvider: null,
  bookingDeadline: '2026-04-30' as CalendarDate,
  current: null,
  notice: null,
};

/** Every page in every state that looks different. */
export const PAGES: Readonly<Record<string, (context: CaseContext) => Html>> = {
  welcome: (c) => welcomePage(c, { bookingDeadline: TIMES.bookingDeadline, open: true }),
  'welcome, not open': (c) => welcomePage(c, { bookingDeadline: TIMES.bookingDeadline, open: false }),
  times: (c) => timesPage(c, TIMES),
  'times, to change': (c) => timesPage(c, { ...TIMES, current: BOOKING, notice: 'chooseAgain' }),
  'times, none': (c) => timesPage(c, { ...TIMES, slots: [], notice: 'cancelled' }),
  'times, all away': (c) =>
    timesPage(c, {
      ...TIMES,
      slots: [],
      providers: TIMES.providers.map((p) => ({ ...p, state: 'unavailable' })),
    }),
  confirm: (c) => confirmPage(c, { slot: slotAt('2026-03-27T08:00:00Z'), current: null }),
  'confirm a change': (c) => confirmPage(c, { slot: slotAt('2026-03-27T08:00:00Z'), current: BOOKING }),
  'slot taken': (c) => slotTakenPage(c, { alternatives: TIMES.slots }),
  'slot taken, no other': (c) => slotTakenPage(c, { alternatives: [] }),
  receipt: (c) => receiptPage(c, { booking: BOOKING, mayChange: true, mayCancel: true }),
  'receipt, transferred': (c) =>
    receiptPage(c, {
      booking: {
        ...BOOKING,
        transferredAt: instant('2026-03-01T09:01:00Z'),
        providerReference: 'A-77',
        mode: 'video',
      },
      mayChange: false,
      mayCancel: false,
    }),
  cancel: (c) => cancelPage(c, { booking: BOOKING }),
  help: (c) => helpPage(c, { message: '', preferredContact: null, faults: [] }),
  'help with faults': (c) =>
    helpPage(c, {
      message: EVIL,
      preferredContact: 'email',
      faults: ['message_too_long', 'contact_unknown'],
    }),
  'help received': (c) => helpReceivedPage(c, { canBook: true }),
  confirming: (c) => confirmingPage(c),
  ...Object.fromEntries(
    (Object.keys(nb.status) as StatusKind[]).map((kind) => [kind, (c: CaseContext) => statusPage(c, kind)]),
  ),
};
