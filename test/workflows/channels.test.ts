import { describe, expect, it } from '@jest/globals';
import type { CaseState, Channel } from '../../src/domain/case-state.ts';
import { disownedChannels } from '../../src/domain/contactability.ts';
import { daysAfter } from '../../src/domain/instant.ts';
import { attentionOf, attentionsOf } from '../../src/domain/attention.ts';
import { eventually } from '../support/eventually.ts';
import {
  attentionNoticed,
  changeContact,
  messageFailed,
  resendLink,
  searchAttributes,
} from '../../workflows/contract.ts';
import type { MetCase } from './support/case.ts';
import { sent } from './support/sent.ts';
import { useWorld } from './support/use-world.ts';

const MINUTE = 60_000;
const partner = { actor: 'partner' } as const;
const hasAddress = { email: true, sms: true };

const failureOn = ({ contactability }: CaseState, channel: Channel) =>
  contactability.channels[channel].failed;

describe('the channels of a case', () => {
  const world = useWorld();

  const invited = async (settings = {}) => {
    const theCase = await world.openCase(settings);
    await theCase.untilMessages(...sent('invitation'));
    return theCase;
  };
  /** The SMS service reports that the invitation, which had left, did not arrive. */
  const reportFailure = (theCase: MetCase, { contactVersion = 1, tried = ['email', 'sms'] as const } = {}) =>
    theCase.handle.signal(messageFailed, {
      kind: 'invitation',
      channel: 'sms',
      sequence: 1,
      bookingId: null,
      contactVersion,
      tried,
    });
  const correct = (theCase: MetCase, channel: 'email' | 'sms') =>
    theCase.ask(changeContact, { hasAddress, corrected: [channel], correctionId: null }, partner);
  const needs = (theCase: MetCase) => attentionsOf(theCase.shown()).map(({ kind }) => kind);

  it('fail one by one: the other is tried, and with none left the case is in error and the operator called', async () => {
    const theCase = await invited();
    world.post.trouble(theCase.id, 'sms', 'refused');
    await theCase.ask(resendLink, { channel: 'sms' }, partner);
    const ways = ['invitation by email: sent', 'invitation by sms: failed'];
    await theCase.untilMessages(...sent('invitation'), ...ways);
    expect(theCase.shown()).toMatchObject({
      status: 'pending_patient_action',
      contactability: { channels: { sms: { failed: 2 } } },
    });
    expect(needs(theCase)).toEqual([]);

    world.post.trouble(theCase.id, 'email', 'refused');
    await theCase.ask(resendLink, { channel: 'email' }, partner);
    await theCase.untilStatus('error');
    await theCase.untilMessages(...sent('invitation'), ...ways, 'invitation by email: failed');
    await theCase.untilNeeding('undeliverable');
  });

  it('fail later, too: what the SMS service reports counts as if the message had not left', async () => {
    const theCase = await invited();
    world.post.trouble(theCase.id, 'email', 'refused');
    await theCase.ask(resendLink, { channel: 'email' }, partner);
    const ways = ['invitation by email: failed', 'invitation by sms: sent'];
    await theCase.untilMessages(...sent('invitation'), ...ways);
    await reportFailure(theCase);
    expect(await theCase.untilStatus('error')).toMatchObject({ problem: { code: 'UNDELIVERABLE' } });

    world.post.trouble(theCase.id, 'email', null);
    expect(await correct(theCase, 'email')).toMatchObject({
      status: 'pending_patient_action',
      contactability: { channels: { sms: { failed: 1 } } },
    });
    await reportFailure(theCase);
    await world.sleep(2 * MINUTE);
    await theCase.untilMessages(...sent('invitation'), ...ways, 'invitation by email: sent');
    expect(theCase.shown().status).toBe('pending_patient_action');
  });

  it('fail once each: a report that is repeated sends nothing a second time', async () => {
    const theCase = await invited();
    await theCase.ask(resendLink, { channel: 'sms' }, partner);
    await theCase.untilMessages(...sent('invitation'), 'invitation by sms: sent');
    const news = { kind: 'invitation', channel: 'sms', sequence: 2, bookingId: null } as const;
    const failure = { ...news, contactVersion: 1, tried: ['sms'] as const };
    await theCase.handle.signal(messageFailed, failure);
    await theCase.handle.signal(messageFailed, failure);
    await theCase.untilMessages(...sent('invitation', 'invitation'));
    await theCase.handle.signal(messageFailed, failure);
    await theCase.recall();
    await theCase.untilMessages(...sent('invitation', 'invitation', 'recalled'));
  });

  it('work again once a message has left, so that only what fails now counts', async () => {
    const theCase = await world.openCase({ post: { sms: 'refused' } });
    await theCase.until((state) => failureOn(state, 'sms') === 1);
    world.post.trouble(theCase.id, 'sms', null);
    await theCase.requestAssistance();
    await theCase.until((state) => failureOn(state, 'sms') === null);
    world.post.trouble(theCase.id, 'email', 'refused');
    await theCase.requestAssistance();
    await theCase.until((state) => failureOn(state, 'email') === 3);
    expect(attentionOf(theCase.shown())).toBe('assistance');
  });

  it('are closed by whoever says that the message is not for them, until an address is corrected', async () => {
    const theCase = await invited();
    await theCase.disown();
    await theCase.until((state) => disownedChannels(state).length === 2);
    await theCase.untilNeeding('disowned');
    expect(theCase.events()).toEqual(['contact.disowned']);
    expect([theCase.shown().status, attentionOf(theCase.shown())]).toEqual([
      'pending_patient_action',
      'disowned',
    ]);
    expect(await theCase.ask(resendLink, { channel: null }, partner)).toMatchObject({
      refused: { code: 'ACTION_NOT_ALLOWED' },
    });
    await theCase.requestAssistance();
    await theCase.untilStatus('assistance_requested');
    await correct(theCase, 'email');
    expect(disownedChannels(theCase.shown())).toEqual(['sms']);
    await world.sleep(2 * MINUTE);
    await theCase.untilMessages(...sent('invitation'), 'invitation by email: sent');
    expect(world.post.addresseesOf(theCase.id).at(-1)).toBe('address-2');
  });

  it('that are disowned get nothing of what was on its way to them either', async () => {
    const theCase = await world.openCase({ post: { sms: 'away' } });
    await theCase.untilMessages('invitation by email: sent', 'invitation by sms: queued');
    await theCase.disown();
    await theCase.until((state) => disownedChannels(state).length === 2);
    world.post.trouble(theCase.id, 'sms', null);
    await world.sleep(11 * MINUTE);
    await theCase.untilMessages('invitation by email: sent');
  });

  it('stay open for whoever has an appointment', async () => {
    const { theCase } = await world.openBookedCase();
    await theCase.disown();
    await theCase.cancel();
    await theCase.untilMessages(...sent('invitation', 'receipt', 'cancelled'));
    expect(disownedChannels(theCase.shown())).toEqual([]);
  });
});

describe('the operator', () => {
  const world = useWorld();

  it('is needed when help is asked for, until that is settled', async () => {
    const theCase = await world.openCase();
    await theCase.requestAssistance();
    await theCase.untilNeeding('assistance');
    await theCase.resolveAssistance();
    await theCase.untilNeeding();
  });

  it('finds in Temporal what was noticed from outside, while it lasts, also with the next run of the case', async () => {
    const theCase = await world.openCase();
    const attributes = async () => (await theCase.handle.describe()).typedSearchAttributes;
    const shows = (kind: string) =>
      eventually(async () => (await attributes()).get(searchAttributes.needsAttention) === kind, {
        what: `NeedsAttention ${kind}`,
      });
    await theCase.handle.signal(attentionNoticed, { kind: 'message_stuck', isOpen: true });
    await shows('message_stuck');
    await theCase.requestAssistance();
    await shows('assistance');
    await theCase.resolveAssistance();
    await shows('message_stuck');
    await theCase.handle.signal(attentionNoticed, { kind: 'message_stuck', isOpen: false });
    await shows('none');
    const { state, revision } = theCase.reading();
    const next = await world.openCase({ carried: { state, revision, noticed: ['transfer_pending'] } });
    const page = await next.handle.query<{ currentDetails: string }>('__temporal_workflow_metadata');
    expect(page.currentDetails).toContain('has not taken the appointment');
    // the last day ends at midnight in Norway
    expect(page.currentDetails).toMatch(/the case expires \S{10} 00:00 in Norway \(\S{10} 2[23]:00 UTC\)/);
  });

  it('is needed when a clinic refuses an appointment for good', async () => {
    const clinic = world.openClinic();
    const theCase = await world.openCase();
    clinic.trouble.book = 'refused';
    await theCase.confirm(clinic.offer(daysAfter(await world.now(), 20)));
    await theCase.untilNeeding('transfer_refused');
  });
});
