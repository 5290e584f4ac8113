import type { Router } from 'express';
import ical, { ICalCalendarMethod, ICalEventClass, ICalEventStatus } from 'ical-generator';
import { type CaseState, caseTime } from '../domain/case-state.ts';
import { instant, type Instant } from '../domain/instant.ts';
import { canBeEarlier, isOnWaitlist } from '../domain/waitlist.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { ApiError } from '../http/errors.ts';
import { setCustomerLanguage } from '../postgres/customers.ts';
import type { Strings } from '../strings/catalogue.ts';
import { bookingFacts, type CustomerBooking, customerBookingOf } from './appointments.ts';
import { buttonRow, DANGER, helpLink, hiddenField, linkButton, postButton } from './controls.ts';
import { html, type Html } from './html.ts';
import { type CaseContext, layout } from './layout.ts';
import { pathOf, ROUTES, timesPath } from './paths.ts';
import type { Visits } from './visits.ts';

/** The appointment for one's own calendar, and to be told when an earlier time comes free, or no more. */
export function receiptRoutes(router: Router, deps: Dependencies, visits: Visits): void {
  const { database, caseClient, settings, now } = deps;

  router.get(ROUTES.calendar, async (req, res) => {
    const { view, context } = await visits.requireOwner(req, res);
    const booking = customerBookingOf(view);
    if (!booking) throw new ApiError('NOT_FOUND');
    const file = appointmentCalendar(booking, {
      uid: view.id,
      sequence: view.state.messagesOrdered,
      url: settings.publicUrl + pathOf('welcome', view.id),
      at: instant(now()),
      treatment: context.visit.treatment ?? '',
      t: context.t,
    });
    res.type('text/calendar').attachment('appointment.ics').send(file);
  });

  router.post(ROUTES.earlier, async (req, res) => {
    const { view, context } = await visits.requireOwner(req, res);
    const wanted = visits.readForm(req)['wanted'] === '1';
    await setCustomerLanguage(database, view.id, context.language);
    if ((await caseClient.signal(view, 'setWaitlist', { wanted })) === 'unreachable')
      throw new ApiError('TEMPORARILY_UNAVAILABLE');
    res.redirect(303, `${pathOf('welcome', view.id)}#earlier`);
  });
}

/** `asked`: whoever has an appointment is to be told of earlier times; null where none can come any more. */
type Earlier = 'asked' | 'not asked' | null;

export function earlierOf(state: CaseState, now: Date): Earlier {
  if (!canBeEarlier(state, caseTime(state, now))) return null;
  return isOnWaitlist(state) ? 'asked' : 'not asked';
}

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

/** The part that offers to tell of earlier times. */
function earlierSection(context: CaseContext, earlier: Earlier): Html | null {
  if (earlier === null) return null;
  const { earlier: t } = context.t.receipt;
  const isAsked = earlier === 'asked';
  return html`<section id="earlier">
    <h2 class="ds-heading" data-size="xs">${t.title}</h2>
    <p>${isAsked ? t.on : t.text}</p>
    <div class="buttons">
      ${postButton(
        context,
        'earlier',
        isAsked ? t.stop : t.ask,
        isAsked ? 'tertiary' : 'secondary',
        hiddenField('wanted', isAsked ? '0' : '1'),
      )}
    </div>
  </section>`;
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
