import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { issueKey } from '../../src/identity/secrets.ts';
import { readJson, writeJson } from '../json-file.ts';

const secrets = z.object({
  sessionSecret: z.string(),
  identitySecrets: z.string(),
  masterKeys: z.string(),
  eidClientSecret: z.string(),
  operatorSessionSecret: z.string(),
  operatorClientSecret: z.string(),
  twilioAccountSid: z.string(),
  twilioAuthToken: z.string(),
  apiKey: z.string(),
  otherPartnerApiKey: z.string(),
  partnerPassword: z.string(),
  alertWebhookSecret: z.string(),
});
export type DevSecrets = z.infer<typeof secrets>;

/**
 * The sandbox's own secrets: made at the first start, and the same from then on, since cases are bound by them. What a
 * file of an earlier version lacks is made then.
 */
export async function readOrCreateSecrets(file: string): Promise<DevSecrets> {
  const whole = { ...createSecrets(), ...(await readJson(file, secrets.partial(), {})) };
  await writeJson(file, whole);
  return whole;
}

function createSecrets(): DevSecrets {
  const random = () => randomBytes(32).toString('base64url');
  return {
    sessionSecret: random(),
    identitySecrets: `sandbox:${random()}`,
    masterKeys: `sandbox:${randomBytes(32).toString('base64')}`,
    eidClientSecret: random(),
    operatorSessionSecret: random(),
    operatorClientSecret: random(),
    twilioAccountSid: `AC${randomBytes(16).toString('hex')}`,
    twilioAuthToken: randomBytes(16).toString('hex'),
    apiKey: issueKey('test'),
    otherPartnerApiKey: issueKey('test'),
    partnerPassword: random(),
    alertWebhookSecret: `whsec_${randomBytes(32).toString('base64')}`,
  };
}
