import type { HoldOutcome } from '../port.ts';
import { ProviderUnavailable } from '../port.ts';
import { calendarAt } from './calendars.ts';
import type { Clinic } from './clinic.ts';
import { slotOf } from './event-view.ts';
import type { Taking } from './take-event.ts';
import { takeEvent } from './take-event.ts';

/** Two round trips: the hour in the calendar beside whose calendar it is, and the mark. */
export async function hold(clinic: Clinic, taking: Taking & { booking: null }): Promise<HoldOutcome> {
  const [calendar, taken] = await Promise.all([
    calendarAt(clinic.server, taking.ref.practitionerId, taking.signal),
    takeEvent(clinic, taking),
  ]);
  // Not "taken", which would be untrue: a server that takes no marks is the operator's to mend.
  if (taken.outcome === 'refused') throw new ProviderUnavailable(`CalDAV PUT: refused (${taken.cause})`);
  if (taken.verdict === null || calendar === null) return { outcome: 'taken' };
  return { outcome: 'held', slot: slotOf(clinic, calendar, taken.verdict) };
}
