import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { MessageTask } from '../../activities/contract.ts';
import { createMessageActivities } from '../../activities/messages.ts';
import { instant } from '../../src/domain/instant.ts';
import { AddressRefused } from '../../src/messaging/failures.ts';
import { createMessageRepository } from '../../src/postgres/messages.ts';
import { openCases, type TestCases } from './support/cases.ts';

let cases: TestCases;
beforeAll(async () => {
  cases = await openCases();
});
afterAll(() => cases.close());

/** The channel is a list: what counts is how often it is asked. */
it('a message is sent once, however often its step is repeated because the answer got lost', async () => {
  const posted: string[] = [];
  const { sendMessage } = createMessageActivities({
    messageRepository: createMessageRepository(cases.database),
    sendOnChannel: async (_task, dedupId) => ({ reference: `message ${posted.push(dedupId)}` }),
    isAddressRefused: (error) => error instanceof AddressRefused,
    statusCallbackOf: () => null,
    now: async () => instant(Date.now()),
  });
  const caseId = await cases.create();
  const invitation = {
    caseId,
    kind: 'invitation',
    sequence: 1,
    bookingId: null,
    contactVersion: 1,
    until: null,
  } as const;
  const byEmail: MessageTask = { ...invitation, channel: 'email' };
  expect([await sendMessage(byEmail), await sendMessage(byEmail)]).toEqual(['sent', 'sent']);
  expect(await sendMessage({ ...invitation, channel: 'sms' })).toBe('sent');
  expect(posted).toEqual([`${caseId}:invitation:email:1`, `${caseId}:invitation:sms:1`]);
});
