import { randomBytes } from 'node:crypto';
import type { ProviderConnection } from '../../providers/auth/connection.ts';
import { startCalendarClinic } from '../caldav/clinic.ts';
import { HAVGLOTT } from '../caldav/profile.ts';
import { startClinic } from '../clinic/clinic.ts';
import { startEid, type RunningEid } from '../eid.ts';
import { startMail, type RunningMail } from '../mail.ts';
import { startPhone, type RunningPhone } from '../phone.ts';
import { startRegistries, type RunningRegistries } from '../registries/registries.ts';
import { protectClinics } from '../tokens/protection.ts';
import type { Ground } from './ground.ts';

const USUAL = {
  smtp: 1025,
  mail: 1080,
  phone: 4010,
  eid: 4000,
  clinics: [4101, 4102],
  calendarClinic: 4103,
  tokens: 4110,
  registries: 4201,
};
const CLINICS = ['fjordklinikken', 'nordlys'] as const;

/** We, as the eID knows us. */
export const EID_CLIENT = 'treatment-booking';

export interface Correspondents {
  readonly eid: RunningEid;
  readonly mail: RunningMail;
  readonly phone: RunningPhone;
}

/** Whom the service talks to besides clinics. @param web where customers reach its pages */
export const runCorrespondents = (ground: Ground, web: string): Promise<Correspondents> =>
  ground.progress('eID, mail box, phone inbox', async (log) => {
    const { secrets, port, keep, inside } = ground;
    const eid = await startEid({
      port: await port(USUAL.eid),
      clientId: EID_CLIENT,
      clientSecret: secrets.eidClientSecret,
      redirectUris: [`${web}/eid/callback`],
      log,
    });
    keep(eid);
    const ports = { smtpPort: await port(USUAL.smtp), webPort: await port(USUAL.mail) };
    const mail = keep(await startMail({ ...ports, directory: inside('mail'), log }));
    const { twilioAccountSid: accountSid, twilioAuthToken: authToken } = secrets;
    const inbox = { accountSid, authToken, file: inside('phone.json') };
    const phone = keep(await startPhone({ port: await port(USUAL.phone), ...inbox, log }));
    return { eid, mail, phone };
  });

export interface SandboxClinic {
  readonly id: string;
  readonly name: string;
  /** The page with its calendar. */
  readonly url: string;
  readonly fhirUrl: string;
  /** The same for its own staff, who need no token. */
  readonly staffUrl: string;
  readonly connection: ProviderConnection;
  /** What the connection names. */
  readonly variables: Readonly<Record<string, string>>;
}

/** The one gives its tokens for a secret, the other for a signature: the two ways that clinics have. */
export const runClinics = ({ progress, port, keep, inside }: Ground): Promise<SandboxClinic[]> =>
  progress("two clinics' booking systems", async (log) => {
    const [bySecret, byKey] = CLINICS;
    const protection = { port: await port(USUAL.tokens), bySecret: [bySecret], byKey: [byKey], log };
    const { tokens, clinics } = await protectClinics(protection);
    keep(tokens);
    return Promise.all(
      CLINICS.map(async (profile, i) => {
        const access = clinics.get(profile);
        if (!access) throw new Error(`${profile} is not protected`);
        const clinicPort = await port(USUAL.clinics[i] ?? 0);
        const clinic = await startClinic({
          profile,
          port: clinicPort,
          dataFile: inside(`${profile}.json`),
          guard: access.guard.handle,
        });
        keep({ stop: () => clinic.close() });
        const { name, url, fhirUrl, staffUrl } = clinic;
        const { connection, variables } = access;
        return { id: profile, name, url, fhirUrl, staffUrl, connection, variables };
      }),
    );
  });

export interface SandboxCalendarClinic {
  readonly id: string;
  readonly name: string;
  /** The page with its appointments. */
  readonly url: string;
  readonly calDavUrl: string;
  readonly connection: ProviderConnection;
  readonly variables: Readonly<Record<string, string>>;
}

/** It asks for a name and a password, as most calendar servers do. @returns none where it is not wanted */
export async function runCalendarClinics(ground: Ground): Promise<SandboxCalendarClinic[]> {
  const { progress, port, keep, inside } = ground;
  if (!ground.hasCalendarClinic) return [];
  return progress("a clinic's calendar server", async () => {
    const [username, passwordVariable] = ['timebestilling', 'HAVGLOTT_PASSWORD'];
    const password = randomBytes(32).toString('base64url');
    const clinic = await startCalendarClinic({
      profile: HAVGLOTT,
      port: await port(USUAL.calendarClinic),
      dataFile: inside('havglott.json'),
      authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
    });
    keep({ stop: () => clinic.close() });
    const { name, url, calDavUrl } = clinic;
    const connection = { auth: 'basic', username, passwordVariable } as const;
    const variables = { [passwordVariable]: password };
    return [{ id: 'havglott', name, url, calDavUrl, connection, variables }];
  });
}

export const runRegistries = ({ progress, port, keep }: Ground): Promise<RunningRegistries> =>
  progress('registries of policies and referrals', async () =>
    keep(await startRegistries({ port: await port(USUAL.registries) })),
  );
