import { randomBytes } from 'node:crypto';
import type { ProviderConnection } from '../../src/providers/auth/connection.ts';
import type { ProviderSettings } from '../../src/providers/port.ts';
import { startCalendarClinic } from '../caldav-clinic/clinic.ts';
import { HAVGLOTT } from '../caldav-clinic/seed.ts';
import { type RunningAlertReceiver, startAlertReceiver } from '../alert-receiver.ts';
import { type RunningEid, startEid } from '../eid/server.ts';
import { startClinic } from '../fhir-clinic/clinic.ts';
import { type RunningMail, startMail } from '../mail.ts';
import { type RunningOperatorLogin, startOperatorLogin } from '../operator-login/server.ts';
import { type RunningPhone, startPhone } from '../phone/server.ts';
import { type RunningRegistries, startRegistries } from '../registries.ts';
import { protectClinics } from '../tokens/protection.ts';
import type { LocalServer } from '../local-server.ts';
import { startTraceReceiver } from '../trace-receiver.ts';
import { DEFAULT_PORTS, type DevContext } from './context.ts';

const CLINICS = ['fjordklinikken', 'nordlys'] as const;

/** We, as the eID knows us. */
export const EID_CLIENT = 'treatment-booking';

/** We, as the organisation's login server knows us: the operator API, and the two that log in to it. */
export const OPERATOR_CLIENTS = {
  audience: 'urn:treatment-booking:operators',
  backOffice: 'booking-back-office',
  commandLine: 'booking-command-line',
};

export interface ExternalServices {
  readonly eid: RunningEid;
  readonly operatorLogin: RunningOperatorLogin;
  readonly mail: RunningMail;
  readonly phone: RunningPhone;
  readonly alerts: RunningAlertReceiver;
  readonly traces: LocalServer;
}

/**
 * Whom the service talks to besides clinics.
 *
 * @param web where customers reach its pages
 * @param operatorApi where operators reach theirs
 */
export const runExternalServices = (
  context: DevContext,
  web: string,
  operatorApi: string,
): Promise<ExternalServices> =>
  context.progress("eID, operators' login, mail box, phone inbox, alerts, traces", async (log) => {
    const { secrets, port, stopLater, pathTo } = context;
    const eid = await startEid({
      port: await port(DEFAULT_PORTS.eid),
      clientId: EID_CLIENT,
      clientSecret: secrets.eidClientSecret,
      redirectUris: [`${web}/eid/callback`],
      log,
    });
    stopLater(eid);
    const operatorLogin = stopLater(
      await startOperatorLogin({
        port: await port(DEFAULT_PORTS.operatorLogin),
        audience: OPERATOR_CLIENTS.audience,
        backOffice: {
          clientId: OPERATOR_CLIENTS.backOffice,
          clientSecret: secrets.operatorClientSecret,
          redirectUris: [`${operatorApi}/login/callback`],
        },
        commandLine: { clientId: OPERATOR_CLIENTS.commandLine },
        log,
      }),
    );
    const ports = { smtpPort: await port(DEFAULT_PORTS.smtp), webPort: await port(DEFAULT_PORTS.mail) };
    const mail = stopLater(await startMail({ ...ports, directory: pathTo('mail'), log }));
    const { twilioAccountSid: accountSid, twilioAuthToken: authToken } = secrets;
    const inbox = { accountSid, authToken, file: pathTo('phone.json') };
    const phone = stopLater(await startPhone({ port: await port(DEFAULT_PORTS.phone), ...inbox, log }));
    const { alertWebhookSecret: secret } = secrets;
    const alerts = stopLater(await startAlertReceiver({ port: await port(DEFAULT_PORTS.alerts), secret }));
    const traces = stopLater(await startTraceReceiver(await port(DEFAULT_PORTS.traces)));
    return { eid, operatorLogin, mail, phone, alerts, traces };
  });

export interface DevClinic {
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
export const runClinics = ({ progress, port, stopLater, pathTo }: DevContext): Promise<DevClinic[]> =>
  progress("two clinics' booking systems", async (log) => {
    const [bySecret, byKey] = CLINICS;
    const protection = { port: await port(DEFAULT_PORTS.tokens), bySecret: [bySecret], byKey: [byKey], log };
    const { tokens, clinics } = await protectClinics(protection);
    stopLater(tokens);
    return Promise.all(
      CLINICS.map(async (profile, i) => {
        const access = clinics.get(profile);
        if (!access) throw new Error(`${profile} is not protected`);
        const clinicPort = await port(DEFAULT_PORTS.clinics[i] ?? 0);
        const clinic = await startClinic({
          profile,
          port: clinicPort,
          dataFile: pathTo(`${profile}.json`),
          guard: access.guard.handle,
        });
        stopLater({ stop: () => clinic.close() });
        const { name, url, fhirUrl, staffUrl } = clinic;
        const { connection, variables } = access;
        return { id: profile, name, url, fhirUrl, staffUrl, connection, variables };
      }),
    );
  });

export interface DevCalendarClinic {
  readonly id: string;
  readonly name: string;
  /** The page with its appointments. */
  readonly url: string;
  readonly calDavUrl: string;
  readonly connection: ProviderConnection;
  readonly settings: ProviderSettings;
  readonly variables: Readonly<Record<string, string>>;
}

/** It asks for a name and a password, as most calendar servers do. @returns none where it is not wanted */
export async function runCalendarClinics(context: DevContext): Promise<DevCalendarClinic[]> {
  const { progress, port, stopLater, pathTo } = context;
  if (!context.calendarClinic) return [];
  return progress("a clinic's calendar server", async () => {
    const [username, passwordVariable] = ['timebestilling', 'PROVIDER_HAVGLOTT_PASSWORD'];
    const password = randomBytes(32).toString('base64url');
    const clinic = await startCalendarClinic({
      profile: HAVGLOTT,
      port: await port(DEFAULT_PORTS.calendarClinic),
      dataFile: pathTo('havglott.json'),
      authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
    });
    stopLater({ stop: () => clinic.close() });
    const { name, url, calDavUrl } = clinic;
    const connection = { auth: 'basic', username, passwordVariable } as const;
    const variables = { [passwordVariable]: password };
    // a calendar has no place for it, so the clinic has told the operator
    const settings = {
      instructions: 'Ta med legitimasjon. Vi har gratis parkering bak bygget.',
      videoInstructions: 'Vi ringer deg opp i nettleseren. Lenken kommer på SMS når timen begynner.',
    };
    return [{ id: 'havglott', name, url, calDavUrl, connection, variables, settings }];
  });
}

export const runRegistries = ({ progress, port, stopLater }: DevContext): Promise<RunningRegistries> =>
  progress('registries of policies and referrals', async () =>
    stopLater(await startRegistries({ port: await port(DEFAULT_PORTS.registries) })),
  );
