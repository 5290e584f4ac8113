import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createProgress } from '../../dev/stack/context.ts';
import { type StackDescription, startStack } from '../../dev/stack/stack.ts';
import { type Quoting, type QuotingMail, startQuoting, startQuotingMail } from './quoting.ts';

/** The service as it runs in production, chatty, with servers around it that quote what they are told. */
export interface Ground {
  readonly described: StackDescription;
  readonly directory: string;
  readonly clinics: readonly Quoting[];
  readonly registry: Quoting;
  readonly phone: Quoting;
  readonly mail: QuotingMail;
  stop(): Promise<void>;
}

export async function layGround(): Promise<Ground> {
  // a server that somebody else uses must not get to know what is marked
  delete process.env.TEMPORAL_ADDRESS;
  process.env.LOG_LEVEL = 'debug';
  const directory = await mkdtemp(join(tmpdir(), 'treatment-booking-privacy-'));
  const [registry, mail] = await Promise.all([startQuoting(null), startQuotingMail()]);
  const others: Quoting[] = [registry];
  const clinics: Quoting[] = [];
  let phone = registry;
  const stopOthers = async () => {
    for (const each of [...others, mail]) await each.stop();
  };
  const quotingFor = async (address: string) => {
    const { origin } = new URL(address);
    const quoting = await startQuoting(origin);
    others.push(quoting);
    return { quoting, url: address.replace(origin, quoting.url) };
  };
  /** @returns what the service is given in place of the server */
  const detour = async (server: string, address: string): Promise<string> => {
    if (server === 'mail') return mail.smtpUrl;
    if (['postgresql', 'temporal', 'alerts'].includes(server)) return address;
    const { quoting, url } = await quotingFor(address);
    if (server === 'phone') phone = quoting;
    else clinics.push(quoting);
    return url;
  };
  try {
    const stack = await startStack({
      directory,
      defaultPorts: false,
      progress: createProgress(() => undefined),
      onEnded: () => undefined,
      apiSettings: {
        TRUST_PROXY: '1',
        POLICY_REGISTRY_URL: `${registry.url}/fhir`,
        REFERRAL_REGISTRY_URL: `${registry.url}/fhir`,
      },
      insertProxy: detour,
    });
    return {
      described: stack.description,
      directory,
      clinics,
      registry,
      phone,
      mail,
      async stop() {
        await stack.stop();
        await stopOthers();
        await rm(directory, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await stopOthers();
    throw error;
  }
}
