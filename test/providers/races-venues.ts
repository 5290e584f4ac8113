import ICAL from 'ical.js';
import { type RunningCalendarClinic, startCalendarClinic } from '../../dev/caldav-clinic/clinic.ts';
import { HAVGLOTT } from '../../dev/caldav-clinic/seed.ts';
import { IN_OWN_PROGRAM } from '../../dev/fhir-clinic/own-program.ts';
import { startClinic } from '../../dev/fhir-clinic/clinic.ts';
import type { ProviderId } from '../../src/domain/ids.ts';
import { daysAfter, instant } from '../../src/domain/instant.ts';
import type { Slot } from '../../src/domain/slot.ts';
import { isAppointment, textIn } from '../../src/providers/caldav/mark.ts';
import { connectBookingSystem } from '../../src/providers/connect.ts';
import { CASE_SYSTEM } from '../../src/providers/fhir/mark.ts';
import type { BookingSystem } from '../../src/providers/port.ts';
import { bookByPhone, booksOf, markOf, slotsOf } from '../support/clinics.ts';
import { eventOf, eventsIn, utcTimesOf } from './caldav-calendars.ts';
import { type Server, TIMEOUT_MS } from './races-plan.ts';

/** A clinic that cases meet at. */
export interface Venue {
  readonly system: BookingSystem;
  /** Its free times, each to be met over once. */
  readonly slots: Slot[];
  /** Where its faults are placed. */
  readonly url: string;
  /**
   * Its receptionist books the time for somebody on the telephone.
   * @param leavesSlot whether what is on offer stays as it is
   * @returns false when the time was somebody's already
   */
  phone(slot: Slot, leavesSlot: boolean): Promise<boolean>;
  /** Its own books, once everything that it was asked for is done. */
  books(): Promise<RacesBooks>;
  close(): Promise<void>;
}

/** A clinic's own books, not as its API tells them. */
export interface RacesBooks {
  /** Bookings and cases of all live appointments that say whose they are, each as often as it stands there. */
  readonly bookings: readonly string[];
  readonly cases: readonly string[];
  /** Pairs of live appointments that one practitioner can not both keep. */
  readonly doubles: readonly string[];
  /** Times that are taken, though nobody comes. */
  readonly blocked: readonly string[];
  /** Times that are on offer, though somebody comes who booked through us. */
  readonly open: readonly string[];
}

export const openVenue = (server: Server, providerId: ProviderId): Promise<Venue> =>
  server === 'caldav' ? openCalendars(providerId) : openFhirServer(server, providerId);

/** Nobody waits here for the free times, and they are many. */
const settings = { searchTimeoutMs: 60_000 };

async function openFhirServer(fhir: Exclude<Server, 'caldav'>, providerId: ProviderId): Promise<Venue> {
  const clinic = await startClinic({ profile: 'fjordklinikken', weeks: 1, fhir });
  const registration = { id: providerId, name: clinic.name, kind: 'fhir', baseUrl: clinic.fhirUrl, settings };
  const system = connectBookingSystem(registration, { timeoutMs: TIMEOUT_MS });
  return {
    system,
    slots: [...(await freeTimes(system, 'psychology')), ...(await freeTimes(system, 'physiotherapy'))],
    url: clinic.url,
    phone: ({ slot }, leavesSlot) => bookByPhone(clinic, slot, leavesSlot),
    async books() {
      await clinic.whenIdle();
      const books = await booksOf(clinic);
      return {
        bookings: books.live.flatMap((appointment) => markOf(appointment) ?? []),
        cases: books.live.flatMap(
          ({ identifier }) => identifier?.find(({ system }) => system === CASE_SYSTEM)?.value ?? [],
        ),
        doubles: books.doubles().map((pair) => pair.flatMap(slotsOf).join(' and ')),
        blocked: books.blocked().map((slot) => `${slot.id} ${slot.status} ${markOf(slot)}`),
        open: books.live
          .filter(({ comment }) => comment !== IN_OWN_PROGRAM)
          .flatMap(slotsOf)
          .filter((slot) => books.slots.get(slot)?.status !== 'busy'),
      };
    },
    close: () => clinic.close(),
  };
}

async function openCalendars(providerId: ProviderId): Promise<Venue> {
  const clinic = await startCalendarClinic({ profile: HAVGLOTT, weeks: 6 });
  const registration = {
    id: providerId,
    name: clinic.name,
    kind: 'caldav',
    baseUrl: clinic.calDavUrl,
    settings,
  };
  const system = connectBookingSystem(registration, { timeoutMs: TIMEOUT_MS });
  return {
    system,
    slots: await freeTimes(system, 'psychology'),
    url: clinic.url,
    phone: async (slot) => writeOver(clinic, slot),
    books: async () => readCalendars(clinic),
    close: () => clinic.close(),
  };
}

const freeTimes = (system: BookingSystem, treatmentType: string): Promise<Slot[]> => {
  const from = instant(Date.now());
  return system.search({ treatmentType, from, to: daysAfter(from, 30) });
};

/** Looks whether something blocks the time, and writes an event of its own over it, with nothing in between. */
function writeOver(clinic: RunningCalendarClinic, { practitionerId, start, end }: Slot): boolean {
  const calendar = practitionerId.split('/').findLast((part) => part !== '') ?? '';
  const [from, to] = [Date.parse(start), Date.parse(end)];
  if (busyIn(clinic, calendar).some((one) => one.from < to && from < one.to)) return false;
  const name = `phoned-${from}`;
  const event = eventOf(name, ...utcTimesOf(start, end), `SUMMARY:${IN_OWN_PROGRAM}`);
  clinic.staff.write(calendar, name, event);
  return true;
}

interface Busy {
  readonly component: ICAL.Component;
  readonly from: number;
  readonly to: number;
}

/** The events that block a calendar, but for whole series. */
const busyIn = (clinic: RunningCalendarClinic, calendar: string): Busy[] =>
  eventsIn(clinic, calendar)
    .filter((component) => textIn(component, 'transp') !== 'TRANSPARENT' && !component.hasProperty('rrule'))
    .map((component) => {
      const { startDate, endDate } = new ICAL.Event(component);
      return { component, from: +startDate.toJSDate(), to: +endDate.toJSDate() };
    });

/** In calendars the offer itself becomes the appointment, so none can be on offer still. */
function readCalendars(clinic: RunningCalendarClinic): RacesBooks {
  const calendars = HAVGLOTT.practitioners.map(({ id }) => busyIn(clinic, id));
  const isTheirs = ({ component }: Busy) => textIn(component, 'summary') === IN_OWN_PROGRAM;
  const isLive = (one: Busy) => isAppointment(one.component) || isTheirs(one);
  const told = ({ component, from }: Busy) => `${textIn(component, 'uid')} ${new Date(from).toISOString()}`;
  const all = calendars.flat();
  const property = (name: string) => all.flatMap(({ component }) => textIn(component, name) ?? []);
  return {
    bookings: property('x-treatment-booking'),
    cases: property('x-treatment-booking-case'),
    doubles: calendars.flatMap((busy) =>
      busy.flatMap((one, i) =>
        busy
          .slice(i + 1)
          .filter((other) => one.from < other.to && other.from < one.to)
          .map((other) => `${told(one)} and ${told(other)}`),
      ),
    ),
    blocked: all.filter((one) => !isLive(one)).map(told),
    open: [],
  };
}
