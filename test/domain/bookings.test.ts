import { describe, expect, it } from '@jest/globals';
import * as live from './lives.ts';

const { START, after, hoursAfter, lived, when } = live;
const LATER = live.slotAt(hoursAfter(START, 48));
const NOW = hoursAfter(live.OPENED, 20);
const told = (decision: ReturnType<typeof when>) =>
  decision.outcome === 'changed'
    ? {
        events: decision.events.map(({ type }) => type),
        messages: decision.messages.map(({ kind, bookingId }) => [kind, bookingId]),
      }
    : null;
const changed = lived(live.confirm(), live.transferred(), live.confirm('second', LATER));

describe('in pending_patient_action', () => {
  it('cancelling what was just cancelled changes nothing', () => {
    const cancelled = lived(live.confirm(), live.cancel);
    expect(when(cancelled, live.cancel, NOW)).toEqual({ outcome: 'unchanged' });
  });

  it('settling a settled request changes nothing', () => {
    expect(when(lived(live.ask, live.resolve), live.resolve, NOW)).toEqual({ outcome: 'unchanged' });
  });

  it('a message that fails for good is an error', () => {
    const decision = when(lived(), live.undeliverable, NOW, 'service');
    expect(decision).toMatchObject({ state: { problem: { code: 'UNDELIVERABLE' } } });
  });

  it('a message that fails at addresses that were corrected since means nothing', () => {
    const corrected = lived({
      type: 'changeContact',
      hasAddress: { email: true, sms: true },
      corrected: ['email', 'sms'],
      correctionId: null,
    });
    expect(when(corrected, live.undeliverable, NOW, 'service')).toEqual({ outcome: 'unchanged' });
  });
});

describe('in booked', () => {
  it('confirming the slot that one has changes nothing', () => {
    expect(when(lived(live.confirm()), live.confirm('other'), NOW)).toEqual({ outcome: 'unchanged' });
  });

  it('the first transfer is told as a receipt, once', () => {
    expect(told(when(lived(live.confirm()), live.transferred(), NOW, 'service'))).toEqual({
      events: ['booking.transferred'],
      messages: [['receipt', 'first']],
    });
    expect(when(lived(live.confirm(), live.transferred()), live.transferred(), NOW)).toEqual({
      outcome: 'unchanged',
    });
  });

  it('a change keeps the old booking until the new one is in the calendar', () => {
    expect(changed).toMatchObject({ bookingId: 'second', bookings: [{ abandonedBy: null }, {}] });
    const decision = when(changed, live.transferred('second'), NOW, 'service');
    expect(told(decision)).toMatchObject({ messages: [['changed', 'second']] });
    expect(decision).toMatchObject({
      state: { bookings: [{ bookingId: 'first', abandonedBy: 'customer' }, { abandonedBy: null }] },
    });
  });

  it.each([true, false])(
    'a change whose new slot is refused falls back to the old one (gone: %s)',
    (gone) => {
      const decision = when(changed, live.transferRefused('second', gone), NOW, 'provider');
      expect(told(decision)).toEqual({
        events: ['booking.change_refused'],
        messages: [['changed', 'first']],
      });
      expect(decision).toMatchObject({
        state: { status: 'booked', bookingId: 'first', bookings: [{}, { abandonedBy: 'provider' }] },
      });
    },
  );

  it('a change back to the old slot, still ours, takes up the old booking', () => {
    const decision = when(changed, live.confirm('third'), NOW);
    expect(told(decision)).toEqual({ events: ['booking.changed'], messages: [['changed', 'first']] });
    expect(decision).toMatchObject({
      state: { bookingId: 'first', bookings: [{ abandonedBy: null }, { abandonedBy: 'customer' }] },
    });
  });

  it('a cancellation lets go of the old and the new booking of a change', () => {
    expect(after(changed, live.cancel, NOW)).toMatchObject({
      status: 'pending_patient_action',
      bookings: [{ abandonedBy: 'customer' }, { abandonedBy: 'customer' }],
    });
  });

  it('a booking that is refused for good is an error, and is released', () => {
    expect(after(lived(live.confirm()), live.transferRefused(), NOW)).toMatchObject({
      status: 'error',
      problem: { code: 'TRANSFER_REFUSED', slot: { start: START } },
      bookings: [{ abandonedBy: 'customer' }],
    });
  });

  it('what becomes of a booking that was given up changes nothing but the booking', () => {
    const cancelled = lived(live.confirm(), live.cancel);
    expect(after(cancelled, live.transferred(), NOW)).toMatchObject({
      status: 'pending_patient_action',
      bookings: [{ transferredAt: NOW, abandonedBy: 'customer' }],
    });
    expect(after(cancelled, live.transferRefused(), NOW).status).toBe('pending_patient_action');
    expect(after(cancelled, { type: 'released', bookingId: live.id('first'), verified: true }, NOW)).toEqual({
      ...cancelled,
      bookings: [],
    });
  });

  it('help that is asked for stays open until the operator settles it, and the case stays booked', () => {
    const asked = after(lived(live.confirm()), live.ask, NOW);
    expect([asked.status, asked.assistance?.resolvedAt]).toEqual(['booked', null]);
    const settled = after(asked, live.resolve, NOW);
    expect([settled.status, settled.assistance?.resolvedAt]).toEqual(['booked', NOW]);
  });

  it("the clinic's new time is the appointment's, and the customer is told once", () => {
    const [start, end] = [hoursAfter(START, 2), hoursAfter(START, 3)];
    const slot = { ...live.slotAt(START), start, end };
    const moved = { type: 'clinicMoved', bookingId: live.id('first'), slot, reminder: null } as const;
    const booked = lived(live.confirm(), live.transferred());
    expect(told(when(booked, moved, NOW, 'provider'))).toEqual({
      events: ['booking.moved_by_provider'],
      messages: [['changed', 'first']],
    });
    expect(after(booked, moved, NOW)).toMatchObject({ status: 'booked', bookings: [{ start, end }] });
    expect(when(after(booked, moved, NOW), moved, NOW)).toEqual({ outcome: 'unchanged' });
  });
});

describe('in assistance_requested', () => {
  it('a message that fails for good raises attention and is no error', () => {
    expect(after(lived(live.ask), live.undeliverable, NOW)).toMatchObject({
      status: 'assistance_requested',
      contactability: { undeliverable: true },
    });
  });
});

describe('in error', () => {
  it('a retry tries to get the refused slot again, as a new booking', () => {
    const refused = lived(live.confirm(), live.transferRefused());
    expect(after(refused, live.retry(NOW), NOW)).toMatchObject({ status: 'booked', bookingId: 'again' });
  });

  it('a retry after a fault of ours goes back to the booking', () => {
    const stopped = lived(live.confirm(), live.failed());
    expect(after(stopped, live.retry(NOW), NOW)).toEqual(lived(live.confirm()));
  });

  it('a retry of what reached nobody sends the invitation again', () => {
    expect(told(when(lived(live.undeliverable), live.retry(NOW), NOW, 'operator'))).toMatchObject({
      messages: [['invitation', null]],
    });
  });
});

describe('a fault of ours', () => {
  it('stops a case that is booked', () => {
    expect(lived(live.confirm(), live.failed())).toMatchObject({
      status: 'error',
      problem: { code: 'INTERNAL', bookingId: 'first' },
    });
  });

  it.each([
    ['was cancelled', lived(live.confirm(), live.cancel)],
    ['was cancelled after the last day', lived(live.confirm(), live.DEADLINE.passesAt, live.cancel)],
    ['was replaced', changed],
    ['was recalled', lived(live.confirm(), live.recall)],
  ])('means nothing to a booking that %s while it was reported', (_, state) => {
    expect(when(state, live.failed(), hoursAfter(live.DEADLINE.passesAt, 2), 'service')).not.toMatchObject({
      state: { status: 'error' },
    });
    expect(after(state, live.failed(), NOW).status).toBe(state.status);
  });
});

describe('in error after a fault of ours, with a booking', () => {
  const stopped = lived(live.confirm(), live.transferred(), live.failed());

  it("the clinic's cancellation lets the customer choose again", () => {
    const gone = { type: 'clinicCancelled', bookingId: live.id('first'), grace: live.graceAt(NOW) } as const;
    expect(after(stopped, gone, NOW)).toMatchObject({ status: 'pending_patient_action' });
  });

  it('the archive lets go of the appointment', () => {
    expect(after(stopped, live.archive, NOW)).toMatchObject({
      bookingId: null,
      bookings: [{ abandonedBy: 'customer' }],
    });
  });
});

describe.each([
  ['recalled', lived(live.confirm(), live.transferred(), live.recall)],
  ['archived', lived(live.recall, live.archive)],
])('in %s', (status, state) => {
  it.each([live.failed(), live.undeliverable, live.transferred('unknown'), live.transferRefused('unknown')])(
    '$type changes nothing',
    (event) => {
      expect(when(state, event, NOW, 'service')).toEqual({ outcome: 'unchanged' });
    },
  );

  it('the operator may retry a slot that is still busy', () => {
    const [booking] = lived(live.confirm()).bookings;
    if (!booking) throw new Error('nothing was booked');
    const unverified = {
      ...state,
      bookings: [{ ...booking, abandonedBy: 'partner', unverified: true }],
    } as const;
    expect(after(unverified, live.retry(NOW), NOW)).toMatchObject({
      status,
      bookings: [{ unverified: false }],
    });
  });
});
