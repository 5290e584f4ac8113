import { randomUUID } from 'node:crypto';
import { bookingIdOf } from '../../src/domain/case-state.ts';
import { slotOf } from '../../src/domain/slot.ts';
import { deadlineOn, reminderOfAppointment } from '../../src/calendar/dates.ts';
import { daysAfter, instant, type Instant } from '../../src/domain/instant.ts';
import {
  advanceClock,
  attentionNoticed,
  changeContact,
  clinicCancelled,
  clinicDoubleBooked,
  clinicMoved,
  correctName,
  messageFailed,
  moveDeadline,
  resendLink,
  setWaitlist,
  slotFreed,
} from '../../workflows/contract.ts';
import { eventually } from '../support/eventually.ts';
import type { MetCase } from '../workflows/support/case.ts';
import { sent } from '../workflows/support/sent.ts';
import type { World } from '../workflows/support/world.ts';

const partner = { actor: 'partner' } as const;
const soonAfter = (time: Instant): Instant => instant(Date.parse(time) + 120_000);

/** Lives whose histories a worker must be able to replay for ever: every way to end, and every state to wait in. */
export const STORIES: Record<string, (world: World) => Promise<MetCase>> = {
  async 'waiting-for-the-customer'(world) {
    const theCase = await world.openCase();
    await theCase.untilMessages(...sent('invitation'));
    return theCase;
  },

  async 'waiting-for-help'(world) {
    const theCase = await world.openCase();
    await theCase.untilMessages(...sent('invitation'));
    await theCase.requestAssistance();
    await theCase.untilMessages(...sent('invitation', 'assistance_received'));
    return theCase;
  },

  async 'waiting-for-the-appointment'(world) {
    const { theCase } = await world.openBookedCase();
    await theCase.untilMessages(...sent('invitation', 'receipt'));
    return theCase;
  },

  async 'archived-after-the-appointment'(world) {
    const { theCase, slot, clinic } = await world.openBookedCase();
    await theCase.untilMessages(...sent('invitation', 'receipt'));
    const bookingId = clinic.live()[0]?.bookingId;
    if (!bookingId) throw new Error('not booked');
    const [start, end] = [daysAfter(slot.start, 1), daysAfter(slot.end, 1)];
    await theCase.handle.signal(clinicMoved, {
      bookingId,
      slot: { ...slotOf(slot), start, end },
      reminder: reminderOfAppointment(start),
    });
    await theCase.untilMessages(...sent('invitation', 'receipt', 'changed'));
    await world.sleepUntil(soonAfter(daysAfter(end, 30)));
    await theCase.untilClosed();
    return theCase;
  },

  async 'archived-after-the-deadline'(world) {
    const theCase = await world.openCase({ days: 1 });
    await world.sleepUntil(soonAfter(theCase.shown().deadline.passesAt));
    await theCase.untilStatus('deadline_expired');
    await world.sleepUntil(soonAfter(daysAfter(theCase.shown().deadline.passesAt, 30)));
    await theCase.untilClosed();
    return theCase;
  },

  async 'expired-and-opened-again'(world) {
    const theCase = await world.openCase({ days: 1 });
    await world.sleepUntil(soonAfter(theCase.shown().deadline.passesAt));
    await theCase.untilStatus('deadline_expired');
    await theCase.ask(moveDeadline, { deadline: deadlineOn(await world.today(9)) }, partner);
    await theCase.ask(resendLink, { channel: 'sms' }, partner);
    await theCase.untilMessages(...sent('invitation', 'invitation'), 'invitation by sms: sent');
    return theCase;
  },

  async 'recalled-when-booked-and-archived'(world) {
    const { theCase } = await world.openBookedCase();
    await theCase.recall();
    await theCase.until(({ bookings }) => bookings.length === 0);
    await theCase.untilMessages(...sent('invitation'), ...sent('receipt', 'recalled'));
    await theCase.archive();
    await theCase.untilClosed();
    return theCase;
  },

  async 'recalled-while-being-booked'(world) {
    const clinic = world.openClinic();
    const theCase = await world.openCase();
    const pause = clinic.pause('hold');
    const confirming = theCase.confirm(clinic.offer(daysAfter(await world.now(), 20)));
    await pause.reached();
    const recalling = theCase.recall();
    await theCase.recorded('workflowExecutionUpdateAccepted', 2);
    pause.goOn();
    await Promise.all([confirming, recalling]);
    await theCase.until(({ bookings }) => bookings.length === 0);
    return theCase;
  },

  async 'cancelled-booked-again-and-changed'(world) {
    const { theCase, clinic, slot } = await world.openBookedCase();
    await theCase.cancel();
    await theCase.confirm(slot);
    await theCase.until(({ bookings }) => bookings.length === 1 && bookings[0]?.transferredAt != null);
    await theCase.confirm(clinic.offer(daysAfter(await world.now(), 25)));
    await theCase.until(({ bookings }) => bookings.length === 1 && bookings[0]?.slot !== slot.slot);
    return theCase;
  },

  async 'cancelled-while-the-provider-is-away'(world) {
    const clinic = world.openClinic();
    const theCase = await world.openCase();
    clinic.trouble.book = 'answer_lost';
    await theCase.confirm(clinic.offer(daysAfter(await world.now(), 20)));
    await world.sleep(180_000);
    await theCase.cancel();
    await world.sleep(60_000);
    await theCase.until(({ bookings }) => bookings.length === 0);
    return theCase;
  },

  async 'hold-in-doubt'(world) {
    const clinic = world.openClinic();
    const theCase = await world.openCase();
    clinic.trouble.hold = 'answer_lost';
    await theCase.confirm(clinic.offer(daysAfter(await world.now(), 20)));
    await theCase.until(({ bookings }) => clinic.calls.release === 1 && bookings.length === 0);
    return theCase;
  },

  async 'refused-and-booked-on-retry'(world) {
    const clinic = world.openClinic();
    const theCase = await world.openCase();
    clinic.trouble.book = 'refused';
    await theCase.confirm(clinic.offer(daysAfter(await world.now(), 20)));
    await theCase.untilStatus('error');
    await theCase.until(({ bookings }) => bookings.length === 0);
    clinic.trouble.book = undefined;
    await theCase.retry();
    await theCase.until(({ bookings }) => bookings[0]?.transferredAt != null);
    return theCase;
  },

  async 'refused-and-archived'(world) {
    const clinic = world.openClinic();
    const theCase = await world.openCase();
    clinic.trouble.book = 'refused';
    await theCase.confirm(clinic.offer(daysAfter(await world.now(), 20)));
    await theCase.untilStatus('error');
    await theCase.archive();
    await theCase.untilClosed();
    return theCase;
  },

  async 'stopped-by-a-fault-of-ours'(world) {
    const clinic = world.openClinic();
    const theCase = await world.openCase();
    clinic.trouble.book = 'bug';
    await theCase.confirm(clinic.offer(daysAfter(await world.now(), 20)));
    await theCase.untilStatus('error');
    return theCase;
  },

  async 'cancelled-by-the-clinic'(world) {
    const { theCase, clinic } = await world.openBookedCase({ days: 1 });
    const bookingId = clinic.live()[0]?.bookingId;
    if (!bookingId) throw new Error('not booked');
    const grace = deadlineOn(await world.today(3));
    await theCase.handle.signal(clinicCancelled, { bookingId, grace });
    await theCase.until(({ status, bookings }) => status !== 'booked' && bookings.length === 0);
    return theCase;
  },

  async 'not-free-until-a-retry'(world) {
    const { theCase, clinic } = await world.openBookedCase();
    clinic.trouble.release = 'not_free';
    await theCase.cancel();
    await world.sleep(180_000);
    await theCase.until(({ bookings }) => bookings.some((b) => b.unverified));
    clinic.trouble.release = undefined;
    await theCase.retry();
    await theCase.until(({ bookings }) => bookings.length === 0);
    return theCase;
  },

  async 'moved-by-the-clinic-and-recalled'(world) {
    const { theCase, clinic } = await world.openBookedCase();
    await theCase.untilMessages(...sent('invitation', 'receipt'));
    const bookingId = clinic.live()[0]?.bookingId;
    if (!bookingId) throw new Error('not booked');
    const slot = clinic.offer(daysAfter(await world.now(), 23));
    clinic.move(bookingId, slot);
    const reminder = reminderOfAppointment(slot.start);
    await theCase.handle.signal(clinicMoved, { bookingId, slot, reminder });
    await theCase.untilMessages(...sent('invitation', 'receipt', 'changed'));
    await theCase.recall();
    await theCase.until(({ bookings }) => bookings.length === 0);
    return theCase;
  },

  async 'double-booked-by-the-clinic'(world) {
    const { theCase } = await world.openBookedCase();
    const bookingId = bookingIdOf(theCase.shown());
    if (!bookingId) throw new Error('not booked');
    await theCase.handle.signal(clinicDoubleBooked, { bookingId, doubleBooked: true });
    await theCase.until(({ bookings }) => bookings[0]?.doubleBooked === true);
    await theCase.handle.signal(clinicDoubleBooked, { bookingId, doubleBooked: false });
    await theCase.until(({ bookings }) => bookings[0]?.doubleBooked === false);
    return theCase;
  },

  async 'told-of-an-earlier-time'(world) {
    const [clinic, other, theCase] = [world.openClinic(), await world.openCase(), await world.openCase()];
    const earlier = clinic.offer(daysAfter(await world.now(), 10));
    await other.confirm(earlier);
    await theCase.confirm(clinic.offer(daysAfter(await world.now(), 30)));
    await theCase.untilMessages(...sent('invitation', 'receipt'));
    await theCase.handle.signal(setWaitlist, { wanted: true });
    await theCase.until((state) => state.status === 'booked' && state.waitlist !== null);
    await other.cancel();
    // in the morning, should it be night
    await theCase.until(
      (state) => state.status === 'booked' && [state.waitlist?.next, state.waitlist?.toldAt].some(Boolean),
    );
    await world.sleep(16 * 3_600_000);
    await theCase.untilMessages(...sent('invitation', 'receipt', 'earlier_time'));
    await theCase.confirm(earlier);
    await theCase.untilMessages(...sent('invitation', 'receipt', 'earlier_time', 'changed'));
    return theCase;
  },

  async 'moved-onto-another-until-that-leaves'(world) {
    const { theCase, clinic } = await world.openBookedCase();
    const other = await world.openCase();
    const slot = clinic.offer(daysAfter(await world.now(), 23));
    await other.confirm(slot);
    await other.until(({ bookings }) => bookings[0]?.transferredAt != null);
    const bookingId = bookingIdOf(theCase.shown());
    if (!bookingId) throw new Error('not booked');
    const there = clinic.offer(slot.start);
    const moved = { bookingId, slot: there, reminder: reminderOfAppointment(there.start) };
    await theCase.handle.signal(clinicMoved, moved);
    await theCase.untilNeeding('overlap');
    await other.recall();
    await other.until(({ bookings }) => bookings.length === 0);
    await theCase.handle.signal(clinicMoved, moved);
    await theCase.until(({ bookings }) => bookings[0]?.overlaps === false);
    return theCase;
  },

  async 'not-free-until-it-is-seen-to-be'(world) {
    const { theCase, clinic } = await world.openBookedCase();
    await theCase.requestAssistance();
    await theCase.untilNeeding('assistance');
    clinic.trouble.release = 'not_free';
    const bookingId = bookingIdOf(theCase.shown());
    if (!bookingId) throw new Error('not booked');
    await theCase.cancel();
    await world.sleep(180_000);
    await theCase.untilNeeding('release_unverified', 'assistance');
    await theCase.handle.signal(slotFreed, { bookingId });
    await theCase.until(({ bookings }) => bookings.length === 0);
    return theCase;
  },

  async 'refused-on-one-channel'(world) {
    const theCase = await world.openCase({ post: { email: 'refused' } });
    await theCase.untilMessages('invitation by email: failed', 'invitation by sms: sent');
    await theCase.ask(resendLink, { channel: 'email' }, partner);
    const failures = () => theCase.messages().filter((message) => message.endsWith('failed'));
    await eventually(() => failures().length === 2, { what: 'the second failure' });
    await theCase.requestAssistance();
    await theCase.until(({ assistance }) => assistance !== null);
    await theCase.recall();
    await theCase.untilStatus('recalled');
    return theCase;
  },

  async 'reached-by-no-message-until-corrected'(world) {
    const theCase = await world.openCase({ post: { email: 'refused', sms: 'refused' } });
    await theCase.untilStatus('error');
    world.post.trouble(theCase.id, 'email', null);
    const hasAddress = { email: true, sms: true };
    await theCase.ask(changeContact, { hasAddress, corrected: ['email'], correctionId: null }, partner);
    await theCase.untilStatus('pending_patient_action');
    return theCase;
  },

  async 'reminded-and-expired'(world) {
    const theCase = await world.openCase({ days: 5 });
    await theCase.untilMessages(...sent('invitation'));
    for (const { at } of theCase.shown().deadline.reminders) await world.sleepUntil(soonAfter(at));
    await theCase.untilMessages(...sent('invitation', 'reminder', 'reminder'));
    await world.sleepUntil(soonAfter(theCase.shown().deadline.passesAt));
    await theCase.untilStatus('deadline_expired');
    return theCase;
  },

  async 'sent-on-the-other-channel'(world) {
    const theCase = await world.openCase();
    await theCase.untilMessages(...sent('invitation'));
    world.post.trouble(theCase.id, 'sms', 'refused');
    await theCase.ask(resendLink, { channel: 'sms' }, partner);
    await theCase.untilMessages(
      ...sent('invitation'),
      'invitation by email: sent',
      'invitation by sms: failed',
    );
    world.post.trouble(theCase.id, 'sms', null);
    await theCase.requestAssistance();
    await theCase.until(({ contactability }) => contactability.channels.sms.failed === null);
    await theCase.untilNeeding('assistance');
    return theCase;
  },

  async 'corrected-in-its-name'(world) {
    const theCase = await world.openCase();
    await theCase.untilMessages(...sent('invitation'));
    const correctionId = randomUUID();
    await theCase.ask(correctName, { fields: ['patientFirstName'], correctionId }, partner);
    await eventually(() => theCase.events().includes('case.name_corrected'), { what: 'the correction' });
    return theCase;
  },

  async 'hurried-in-the-sandbox'(world) {
    const theCase = await world.openCase({ days: 5, sandbox: true });
    await theCase.untilMessages(...sent('invitation'));
    await theCase.handle.signal(advanceClock, { ahead: 40 * 86_400_000 });
    await theCase.untilClosed();
    return theCase;
  },

  async 'failed-after-it-had-left'(world) {
    const theCase = await world.openCase({ hasAddress: { email: false, sms: true } });
    await theCase.untilMessages('invitation by sms: sent');
    const message = { kind: 'invitation', sequence: 1, bookingId: null, contactVersion: 1 } as const;
    await theCase.handle.signal(messageFailed, { ...message, channel: 'sms', tried: ['sms'] });
    await theCase.untilStatus('error');
    await theCase.untilNeeding('undeliverable');
    return theCase;
  },

  async 'noticed-from-outside-until-it-is-over'(world) {
    const theCase = await world.openCase();
    await theCase.untilMessages(...sent('invitation'));
    for (const isOpen of [true, false])
      await theCase.handle.signal(attentionNoticed, { kind: 'deadline_unreached', isOpen });
    await theCase.recall();
    await theCase.untilStatus('recalled');
    return theCase;
  },

  async 'disowned-until-corrected'(world) {
    const theCase = await world.openCase();
    await theCase.untilMessages(...sent('invitation'));
    await theCase.disown();
    await theCase.untilNeeding('disowned');
    const hasAddress = { email: true, sms: true };
    await theCase.ask(changeContact, { hasAddress, corrected: ['sms'], correctionId: null }, partner);
    await world.sleepUntil(soonAfter(await world.now()));
    await theCase.untilMessages(...sent('invitation'), 'invitation by sms: sent');
    await theCase.recall();
    await theCase.untilMessages(...sent('invitation'), 'invitation by sms: sent', 'recalled by sms: sent');
    return theCase;
  },
};
