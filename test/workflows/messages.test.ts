import { describe, expect, it } from '@jest/globals';
import { deadlineOn, reminderOfAppointment } from '../../src/calendar/dates.ts';
import { daysAfter, instant } from '../../src/domain/instant.ts';
import { attentionOf } from '../../src/domain/attention.ts';
import { changeContact, moveDeadline, resendLink } from '../../workflows/contract.ts';
import { eventually } from '../support/eventually.ts';
import type { MetCase } from './support/case.ts';
import { sent } from './support/sent.ts';
import { useWorld } from './support/use-world.ts';

const MINUTE = 60_000;
const BOTH = { email: true, sms: true };
const partner = { actor: 'partner' } as const;

describe('what the customer is told', () => {
  const world = useWorld();
  const correct = (theCase: MetCase, channel: 'email' | 'sms') =>
    theCase.ask(changeContact, { hasAddress: BOTH, corrected: [channel], correctionId: null }, partner);

  it('goes out by SMS though the e-mail address will never do', async () => {
    const theCase = await world.openCase({ post: { email: 'refused' } });
    await theCase.untilMessages('invitation by email: failed', 'invitation by sms: sent');
    expect(theCase.shown().status).toBe('pending_patient_action');
  });

  it('goes out by e-mail while the SMS gateway is away, and by SMS once it is back', async () => {
    const theCase = await world.openCase({ post: { sms: 'away' } });
    await theCase.untilMessages('invitation by email: sent', 'invitation by sms: queued');
    await world.sleep(20 * MINUTE);
    world.post.trouble(theCase.id, 'sms', null);
    await world.sleep(11 * MINUTE);
    await theCase.untilMessages(...sent('invitation'));
  });

  it('is given up after three days without the channel, which tells on the case if it was the only one', async () => {
    const theCase = await world.openCase({ hasAddress: { email: false, sms: true }, post: { sms: 'away' } });
    await theCase.untilMessages('invitation by sms: queued');
    await world.sleepUntil(daysAfter(await world.now(), 3.02));
    await theCase.untilMessages('invitation by sms: failed');
    expect(await theCase.untilStatus('error')).toMatchObject({ problem: { code: 'UNDELIVERABLE' } });
    world.post.trouble(theCase.id, 'sms', null);
  });

  it('ends in an error when it reaches nobody, until an address is corrected', async () => {
    const theCase = await world.openCase({ post: { email: 'refused', sms: 'refused' } });
    const failed = await theCase.untilStatus('error');
    expect(failed).toMatchObject({ problem: { code: 'UNDELIVERABLE' } });
    expect(attentionOf(failed)).toBe('undeliverable');
    await theCase.untilMessages('invitation by email: failed', 'invitation by sms: failed');

    world.post.trouble(theCase.id, 'email', null);
    expect(await correct(theCase, 'email')).toMatchObject({ status: 'pending_patient_action' });
    await world.sleep(2 * MINUTE);
    await theCase.untilMessages(
      'invitation by email: failed',
      'invitation by sms: failed',
      'invitation by email: sent',
    );
    expect(world.post.addresseesOf(theCase.id)).toEqual(['address-2']);
    expect(theCase.events()).toEqual(['case.failed', 'case.contact_changed']);
  });

  it('is one invitation a minute after the first correction, to the addresses that hold then, however often they are corrected', async () => {
    const theCase = await world.openCase();
    await theCase.untilMessages(...sent('invitation'));
    for (let i = 0; i < 8; i += 1) await correct(theCase, i === 3 ? 'sms' : 'email');
    expect(theCase.messages()).toEqual(sent('invitation'));
    await world.sleep(2 * MINUTE);
    await theCase.untilMessages(...sent('invitation', 'invitation'));
    expect(world.post.addresseesOf(theCase.id).slice(2).sort()).toEqual(['address-9', 'number-9']);

    await correct(theCase, 'email');
    await world.sleep(2 * MINUTE);
    await theCase.untilMessages(...sent('invitation', 'invitation'), 'invitation by email: sent');
  });

  it('is no invitation to a corrected address of whoever got the link again, or has booked, meanwhile', async () => {
    const resent = await world.openCase();
    await resent.untilMessages(...sent('invitation'));
    await correct(resent, 'email');
    await resent.ask(resendLink, { channel: 'email' }, partner);
    await resent.untilMessages(...sent('invitation'), 'invitation by email: sent');
    expect(world.post.addresseesOf(resent.id).at(-1)).toBe('address-2');

    const booked = await world.openCase();
    await booked.untilMessages(...sent('invitation'));
    await correct(booked, 'sms');
    await booked.confirm(world.openClinic().offer(daysAfter(await world.now(), 20)));
    await booked.untilMessages(...sent('invitation', 'receipt'));

    await world.sleep(2 * MINUTE);
    await resent.recall();
    await booked.cancel();
    await resent.untilMessages(...sent('invitation'), 'invitation by email: sent', ...sent('recalled'));
    await booked.untilMessages(...sent('invitation', 'receipt', 'cancelled'));
  });

  // its timer runs on until the booking is in the calendar, and finds nothing to do
  it('is no invitation to a corrected address of whoever has booked at a clinic that is away; and then its reminder', async () => {
    const clinic = world.openClinic();
    const theCase = await world.openCase();
    await theCase.untilMessages(...sent('invitation'));
    await correct(theCase, 'email');
    clinic.trouble.book = 'away';
    const slot = clinic.offer(daysAfter(await world.now(), 20));
    await theCase.confirm(slot);
    await world.sleep(2 * MINUTE);
    expect(theCase.messages()).toEqual(sent('invitation'));
    clinic.trouble.book = undefined;
    await world.sleep(2 * MINUTE);
    await theCase.untilMessages(...sent('invitation', 'receipt'));
    await world.sleepUntil(instant(Date.parse(reminderOfAppointment(slot.start).at) + MINUTE));
    await theCase.untilMessages(...sent('invitation', 'receipt', 'appointment_reminder'));
    await theCase.recall();
  });

  it('is the invitation of a correction also by the next run of its case', async () => {
    const before = await world.openCase();
    await correct(before, 'email');
    const { state, revision } = before.reading();
    const next = await world.openCase({ carried: { state, revision, noticed: [] } });
    await world.sleep(2 * MINUTE);
    await next.untilMessages('invitation by email: sent');
    expect(world.post.addresseesOf(next.id)).toEqual(['address-2']);
  });

  it('is one invitation to an address that is corrected before the first could leave', async () => {
    const theCase = await world.openCase({ post: { email: 'away' } });
    await theCase.untilMessages('invitation by email: queued', 'invitation by sms: sent');
    await correct(theCase, 'email');
    world.post.trouble(theCase.id, 'email', null);
    await world.sleep(20 * MINUTE);
    await theCase.untilMessages('invitation by sms: sent', 'invitation by email: sent');
    expect(world.post.addresseesOf(theCase.id)).toEqual(['number-1', 'address-2']);
  });

  it('may still be followed by a booking when it reached nobody: the customer has called, say', async () => {
    const theCase = await world.openCase({ post: { email: 'refused', sms: 'refused' } });
    await theCase.untilStatus('error');
    const clinic = world.openClinic();
    const slot = clinic.offer(daysAfter(await world.now(), 20));
    expect(await theCase.confirm(slot, { actor: 'operator' })).toMatchObject({ status: 'booked' });
    await theCase.until(({ contactability }) => contactability.undeliverable);
    expect([theCase.shown().status, attentionOf(theCase.shown())]).toEqual(['booked', 'undeliverable']);
  });

  it('still expires when it reached nobody', async () => {
    const theCase = await world.openCase({ days: 1, post: { email: 'refused', sms: 'refused' } });
    await theCase.untilStatus('error');
    await world.sleepUntil(daysAfter(theCase.shown().deadline.passesAt, 0.01));
    await theCase.untilStatus('deadline_expired');
    const deadline = deadlineOn(await world.today(5));
    world.post.trouble(theCase.id, 'sms', null);
    await theCase.ask(moveDeadline, { deadline }, partner);
    await theCase.untilMessages(
      'invitation by email: failed',
      'invitation by sms: failed',
      'invitation by email: failed',
      'invitation by sms: sent',
    );
    expect(attentionOf(theCase.shown())).toBe('none');
  });

  it('raises attention and no error when it reaches nobody who waits for help', async () => {
    const theCase = await world.openCase();
    await theCase.untilMessages(...sent('invitation'));
    world.post.trouble(theCase.id, 'email', 'refused');
    world.post.trouble(theCase.id, 'sms', 'refused');
    await theCase.requestAssistance();
    const state = await theCase.until(({ contactability }) => contactability.undeliverable);
    expect([state.status, attentionOf(state)]).toEqual(['assistance_requested', 'undeliverable']);
  });

  it('is the receipt also when an address is corrected before it could leave', async () => {
    const { theCase } = await world.openBookedCase();
    await theCase.untilMessages(...sent('invitation', 'receipt'));
    world.post.trouble(theCase.id, 'sms', 'away');
    const clinic = world.openClinic();
    await theCase.confirm(clinic.offer(daysAfter(await world.now(), 21)));
    await theCase.untilMessages(
      ...sent('invitation', 'receipt'),
      'changed by email: sent',
      'changed by sms: queued',
    );
    await correct(theCase, 'sms');
    world.post.trouble(theCase.id, 'sms', null);
    await world.sleep(MINUTE);
    await theCase.untilMessages(...sent('invitation', 'receipt', 'changed'));
    expect(world.post.addresseesOf(theCase.id).at(-1)).toBe('number-2');
  });

  it('is nothing about a booking that was given up before the message could leave', async () => {
    const clinic = world.openClinic();
    const theCase = await world.openCase();
    await theCase.untilMessages(...sent('invitation'));
    world.post.trouble(theCase.id, 'email', 'away');
    await theCase.confirm(clinic.offer(daysAfter(await world.now(), 20)));
    await theCase.until(({ bookings }) => bookings[0]?.transferredAt != null);
    await theCase.untilMessages(...sent('invitation'), 'receipt by email: queued', 'receipt by sms: sent');
    await theCase.cancel();
    world.post.trouble(theCase.id, 'email', null);
    await world.sleep(MINUTE);
    await theCase.untilMessages(...sent('invitation'), 'receipt by sms: sent', ...sent('cancelled'));
  });

  it('is no invitation any more on a channel that comes back once they have booked by the other', async () => {
    const clinic = world.openClinic();
    const theCase = await world.openCase({ post: { email: 'away' } });
    await theCase.untilMessages('invitation by email: queued', 'invitation by sms: sent');
    await theCase.confirm(clinic.offer(daysAfter(await world.now(), 20)));
    await theCase.until(({ bookings }) => bookings[0]?.transferredAt != null);
    world.post.trouble(theCase.id, 'email', null);
    await world.sleep(20 * MINUTE);
    await theCase.untilMessages('invitation by sms: sent', ...sent('receipt'));
  });

  it('is the link again, on the channel that was asked for', async () => {
    const theCase = await world.openCase();
    await theCase.untilMessages(...sent('invitation'));
    await theCase.ask(resendLink, { channel: 'sms' }, partner);
    await theCase.untilMessages(...sent('invitation'), 'invitation by sms: sent');
  });
});

describe('what a case does by itself', () => {
  const world = useWorld();
  const stepsOf = async (theCase: MetCase) =>
    ((await theCase.history()).events ?? []).flatMap(
      ({ activityTaskScheduledEventAttributes: step }) => step?.activityType?.name ?? [],
    );
  const confirmSlowly = async () => {
    const clinic = world.openClinic();
    const slot = clinic.offer(daysAfter(await world.now(), 20));
    const theCase = await world.openCase({ hasAddress: { email: true, sms: false } });
    await theCase.untilMessages('invitation by email: sent');
    world.post.trouble(theCase.id, 'email', 'slow');
    await theCase.confirm(slot);
    await theCase.untilMessages('invitation by email: sent', 'receipt by email: queued');
    return { theCase, slot };
  };

  it('is shown by the step that tells the customer of it', async () => {
    const { theCase } = await world.openBookedCase();
    await theCase.until(({ bookings }) => bookings[0]?.transferredAt != null);
    expect(await stepsOf(theCase)).toEqual([
      ...['sendMessage', 'secureSlot', 'project', 'transferBooking', 'projectAndSend'],
    ]);
    expect(theCase.events()).toEqual(['booking.confirmed', 'booking.transferred']);
  });

  it('is shown before a channel that is slow has taken the message', async () => {
    const { theCase } = await confirmSlowly();
    expect(theCase.events()).toEqual(['booking.confirmed', 'booking.transferred']);
    world.post.trouble(theCase.id, 'email', null);
    await theCase.untilMessages('invitation by email: sent', 'receipt by email: sent');
  });

  it('keeps nobody waiting who asks for something meanwhile, and is told once', async () => {
    const { theCase, slot } = await confirmSlowly();
    expect(await theCase.confirm(slot)).toMatchObject({ status: 'booked' });
    expect(await theCase.recall()).toMatchObject({ status: 'recalled' });
    expect(theCase.shown().status).toBe('recalled');
    world.post.trouble(theCase.id, 'email', null);
    await theCase.untilMessages(
      ...['invitation', 'receipt', 'recalled'].map((kind) => `${kind} by email: sent`),
    );
    expect(theCase.events()).toEqual([
      ...['booking.confirmed', 'booking.transferred', 'booking.cancelled', 'case.recalled'],
    ]);
  });

  it('is shown once the channel is seen to be away, and told when it is back', async () => {
    const theCase = await world.openCase({ hasAddress: { email: true, sms: false } });
    await theCase.untilMessages('invitation by email: sent');
    world.post.trouble(theCase.id, 'email', 'away');
    await theCase.confirm(world.openClinic().offer(daysAfter(await world.now(), 20)));
    await theCase.untilMessages('invitation by email: sent', 'receipt by email: queued');
    expect(theCase.events()).toEqual(['booking.confirmed', 'booking.transferred']);
    // what waits for the channel is a step of its own
    await eventually(async () => (await stepsOf(theCase)).slice(-2).join() === 'projectAndSend,sendMessage');
    expect(await theCase.recall()).toMatchObject({ status: 'recalled' });
    world.post.trouble(theCase.id, 'email', null);
    await world.sleep(20 * MINUTE);
    await theCase.untilMessages('invitation by email: sent', 'recalled by email: sent');
  });
});

describe('a link that is sent again by somebody who does not wait for readers', () => {
  const world = useWorld();

  it('is answered at once, and shown by the step that sends it', async () => {
    const theCase = await world.openCase({ hasAddress: { email: true, sms: false } });
    await theCase.untilMessages('invitation by email: sent');
    world.post.trouble(theCase.id, 'email', 'slow');
    const asked = { channel: null };
    const later = { actor: 'operator', isShownLater: true } as const;
    expect(await theCase.ask(resendLink, asked, later)).toMatchObject({ status: 'pending_patient_action' });
    await theCase.untilMessages('invitation by email: sent', 'invitation by email: queued');
    expect(theCase.events()).toEqual(['link.resent']);
    world.post.trouble(theCase.id, 'email', null);
    await theCase.untilMessages('invitation by email: sent', 'invitation by email: sent');
  });

  it('is not sent twice where whoever begins again has not seen it yet', async () => {
    const theCase = await world.openCase({ hasAddress: { email: true, sms: false } });
    await theCase.untilMessages('invitation by email: sent');
    const { revision } = theCase.reading();
    const seen = { actor: 'operator', isShownLater: true, expected: { revision } } as const;
    await theCase.ask(resendLink, { channel: null }, seen);
    const again = await theCase.ask(resendLink, { channel: null }, seen);
    expect(again).toMatchObject({ refused: { code: 'CASE_CHANGED' } });
    await theCase.untilMessages('invitation by email: sent', 'invitation by email: sent');
  });
});
