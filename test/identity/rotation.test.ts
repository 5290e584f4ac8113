import { describe, expect, it } from '@jest/globals';
import twilio from 'twilio';
import type { CaseId, ProviderId } from '../../src/domain/ids.ts';
import { instant } from '../../src/domain/instant.ts';
import { createSlotTokens } from '../../src/http/booking/slot-tokens.ts';
import { createSeal } from '../../src/identity/cookies.ts';
import { createSignatureCheck } from '../../src/messaging/twilio-reports.ts';
import { createFormTokens } from '../../src/pages/forms.ts';

type Secrets = readonly [string, ...string[]];

const OLD = 'the secret that is replaced, of some length';
const NEW = 'the secret that replaces it, of some length';
/** As docs/operations/deploy.md has them. */
const STEPS: readonly Secrets[] = [[OLD], [OLD, NEW], [NEW, OLD], [NEW]];
const CASE = '0195f0d2-0000-7000-8000-000000000001' as CaseId;
const SLOT = {
  providerId: 'nordlys' as ProviderId,
  slot: 'Slot/1',
  practitionerId: 'p1',
  start: instant(Date.parse('2026-03-03T10:00:00Z')),
  end: instant(Date.parse('2026-03-03T11:00:00Z')),
  mode: 'in_person',
  details: { town: 'Oslo' },
} as const;

/** Whether one process takes what another has made for a customer: session, form, slot id. */
async function takes(reader: Secrets, maker: Secrets): Promise<boolean[]> {
  const sealOf = (secrets: Secrets) => createSeal<string>({ secrets, purpose: 'session', maxAgeSeconds: 60 });
  const formsOf = (secrets: Secrets) => createFormTokens({ secrets, secure: false });
  const { token, setCookie } = formsOf(maker).forBrowser(undefined);
  return [
    (await sealOf(reader).unseal(await sealOf(maker).seal('kari'))) === 'kari',
    formsOf(reader).isValid(setCookie?.split(';')[0], token),
    createSlotTokens(reader).read(CASE, createSlotTokens(maker).issue(CASE, SLOT)) !== null,
  ];
}
const ALL = [true, true, true];

describe('replacing a session secret while two processes answer', () => {
  it.each(STEPS.slice(1).map((after, i) => [STEPS[i] as Secrets, after] as const))(
    'from %j to %j, each takes all that the other makes',
    async (before, after) => {
      expect(await takes(before, after)).toEqual(ALL);
      expect(await takes(after, before)).toEqual(ALL);
    },
  );

  it('is why the new one is not first at once: who is restarted last would refuse it', async () => {
    expect(await takes([OLD], [NEW, OLD])).toEqual([false, false, false]);
  });
});

describe("replacing Twilio's token", () => {
  it('takes reports that are signed with the one or the other, and with no third', () => {
    const url = 'https://booking.example/callbacks/twilio/status?message=a';
    const fields = { MessageStatus: 'delivered' };
    const isFromTwilio = createSignatureCheck(['secondary', 'primary']);
    const takes = (token: string) =>
      isFromTwilio(twilio.getExpectedTwilioSignature(token, url, fields), url, fields);
    expect(['primary', 'secondary', 'third'].map(takes)).toEqual([true, true, false]);
  });
});
