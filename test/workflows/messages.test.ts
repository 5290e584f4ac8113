import { describe, expect, it } from '@jest/globals';
import { deadlineOn } from '../../src/calendar/dates.ts';
import { daysAfter } from '../../src/domain/instant.ts';
import { attentionOf } from '../../src/domain/next-steps.ts';
import { changeContact, moveDeadline, resendLink } from '../../workflows/contract.ts';
import { sent } from './support/sent.ts';
import { useWorld } from './support/use-world.ts';

const MINUTE = 60_000;
const BOTH = { email: true, sms: true };
const partner = { actor: 'partner' } as const;

describe('what the customer is told', () => {
  const world = useWorld();

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
    const corrected = { hasAddress: BOTH, corrected: ['email'] as const, correctionId: null };
    expect(await theCase.ask(changeContact, corrected, partner)).toMatchObject({
      status: 'pending_patient_action',
    });
    await theCase.untilMessages(
      'invitation by email: failed',
      'invitation by sms: failed',
      'invitation by email: sent',
    );
    expect(world.post.addresseesOf(theCase.id)).toEqual(['address-2']);
    expect(theCase.events()).toEqual(['case.failed', 'case.contact_changed']);
  });

  it('is one invitation at once and one after a minute, however often the addresses are corrected to and fro', async () => {
    const theCase = await world.openCase();
    await theCase.untilMessages(...sent('invitation'));
    for (let i = 0; i < 8; i += 1) {
      const corrected = i === 3 ? (['sms'] as const) : (['email'] as const);
      await theCase.ask(changeContact, { hasAddress: BOTH, corrected, correctionId: null }, partner);
    }
    const first = [...sent('invitation'), 'invitation by email: sent'];
    await theCase.untilMessages(...first);
    await world.sleep(2 * MINUTE);
    await theCase.untilMessages(...first, ...sent('invitation'));
    expect(world.post.addresseesOf(theCase.id).slice(-2).sort()).toEqual(['address-9', 'number-9']);
    await theCase.ask(changeContact, { hasAddress: BOTH, corrected: ['email'], correctionId: null }, partner);
    await theCase.untilMessages(...first, ...sent('invitation'), 'invitation by email: sent');
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
    await theCase.ask(changeContact, { hasAddress: BOTH, corrected: ['sms'], correctionId: null }, partner);
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

  it('is the link again, on the channel that was asked for', async () => {
    const theCase = await world.openCase();
    await theCase.untilMessages(...sent('invitation'));
    await theCase.ask(resendLink, { channel: 'sms' }, partner);
    await theCase.untilMessages(...sent('invitation'), 'invitation by sms: sent');
  });
});
