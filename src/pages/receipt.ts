import ical, { ICalCalendarMethod, ICalEventClass, ICalEventStatus } from 'ical-generator';
import type { Instant } from '../domain/instant.ts';
import { bookingFacts, type CustomerBooking } from './appointments.ts';
import { buttonRow, DANGER, helpLink, linkButton } from './buttons.ts';
import { type Earlier, earlierSection } from './earlier.ts';
import { html, type Html } from './html.ts';
import { type CaseContext, layout } from './layout.ts';
import { pathOf, timesPath } from './paths.ts';
import type { Strings } from '../strings/catalogue.ts';

export interface Receipt {
  readonly booking: CustomerBooking;
  readonly mayChange: boolean;
  readonly mayCancel: boolean;
  /** Every address was said to be somebody else's: nothing more is sent. */
  readonly isSilent: boolean;
  readonly earlier: Earlier;
}

export function receiptPage(context: CaseContext, receipt: Receipt): Html {
  const { booking, mayChange, mayCancel, isSilent, earlier } = receipt;
  const { caseId } = context.visit;
  const { receipt: t } = context.t;
  const facts = html`<section class="ds-card">${bookingFacts(booking, context)}</section>`;
  if (!mayChange && !mayCancel)
    return layout(context, {
      title: t.titleStarted,
      main: html`${facts}
        <p>${t.started}</p>
        ${buttonRow(helpLink(context))}`,
    });
  return layout(context, {
    title: t.title,
    news: { color: 'success', text: html`<p>${booked(receipt, t)}</p>` },
    main: html`${facts} ${isSilent && html`<p>${t.silent}</p>`}
      ${buttonRow(linkButton(pathOf('calendar', caseId), t.calendar, 'primary'))}
      <p>${t.until}</p>
      ${buttonRow(
        mayChange && linkButton(timesPath(caseId), t.change),
        mayCancel && linkButton(pathOf('cancel', caseId), t.cancel, 'secondary', DANGER),
        helpLink(context, 'tertiary'),
      )}
      ${mayChange && !isSilent && earlierSection(context, earlier)}`,
  });
}

function booked({ booking, isSilent }: Receipt, t: Strings['receipt']): string {
  if (booking.transferredAt !== null) return t.transferred;
  return isSilent ? t.beingTransferred : `${t.beingTransferred} ${t.confirmed}`;
}

export interface AppointmentEntry {
  /** As messages have it, so that this entry takes the place of their neutral one. */
  readonly uid: string;
  /** How many messages were ordered: no older message's entry takes this one's place, and the next one's does. */
  readonly sequence: number;
  /** The case's page, where the appointment can be changed. */
  readonly url: string;
  /** When it was written: of two with the same sequence, calendars keep the later. */
  readonly at: Instant;
  readonly treatment: string;
  readonly t: Strings;
}

/** The appointment for the customer's own calendar, with everything in it: only ever behind the eID. */
export function appointmentCalendar(
  booking: CustomerBooking,
  { uid, sequence, url, at, treatment, t }: AppointmentEntry,
): string {
  const { instructions, phone, position } = booking.details;
  const attend = [
    `${t.facts.mode[booking.mode]}.`,
    instructions,
    phone !== null && `${t.facts.phone}: ${phone}`,
    `${t.receipt.change}: ${url}`,
  ];
  const calendar = ical({ method: ICalCalendarMethod.PUBLISH, prodId: PRODUCT });
  calendar.createEvent({
    id: uid,
    sequence,
    stamp: new Date(at),
    start: new Date(booking.start),
    end: new Date(booking.end),
    summary: `${treatment}: ${booking.practitioner}, ${booking.providerName}`,
    location: position
      ? { title: booking.location, geo: { lat: position.latitude, lon: position.longitude } }
      : booking.location,
    description: attend.filter(Boolean).join('\n'),
    url,
    status: ICalEventStatus.CONFIRMED,
    class: ICalEventClass.PRIVATE,
  });
  return calendar.toString();
}

const PRODUCT = { company: 'Timebestilling', product: 'appointment' };
