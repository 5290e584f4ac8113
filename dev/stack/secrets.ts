import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { issueKey } from '../../src/identity/secrets.ts';

const secrets = z.object({
  sessionSecret: z.string(),
  identitySecret: z.string(),
  eidClientSecret: z.string(),
  twilioAccountSid: z.string(),
  twilioAuthToken: z.string(),
  apiKey: z.string(),
  otherPartnerApiKey: z.string(),
  partnerPassword: z.string(),
});
export type DevSecrets = z.infer<typeof secrets>;

/**
 * The sandbox's own secrets: made at the first start, and the same from then on, since cases are bound by them. What a
 * file of an earlier version lacks is made then.
 */
export async function readOrCreateSecrets(file: string): Promise<DevSecrets> {
  const kept = secrets.partial().parse(JSON.parse(await readOrEmpty(file)));
  const whole = { ...createSecrets(), ...kept };
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, JSON.stringify(whole, null, 2), { mode: 0o600 });
  return whole;
}

async function readOrEmpty(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '{}';
    throw error;
  }
}

function createSecrets(): DevSecrets {
  const random = () => randomBytes(32).toString('base64url');
  return {
    sessionSecret: random(),
    identitySecret: random(),
    eidClientSecret: random(),
    twilioAccountSid: `AC${randomBytes(16).toString('hex')}`,
    twilioAuthToken: randomBytes(16).toString('hex'),
    apiKey: issueKey('test'),
    otherPartnerApiKey: issueKey('test'),
    partnerPassword: random(),
  };
}
