import type { CodeableConcept, Coverage, Patient, Reference, ServiceRequest } from '@medplum/fhirtypes';
import express from 'express';
import type { RequestHandler } from 'express';
import { addDays, dateAt } from '../src/calendar/dates.ts';
import type { CalendarDate } from '../src/domain/instant.ts';
import { delayWhileConnected } from './faults.ts';
import { indexDefinitions, REGISTRY_TYPES } from './fhir/definitions.ts';
import { Repository } from './fhir/repository.ts';
import { createFhirApi, sendRefusal } from './fhir/server.ts';
import { serveLocally } from './local-server.ts';

export interface RegistriesOptions {
  readonly port: number;
  readonly now?: () => Date;
}

export interface RunningRegistries {
  /** Of policies and referrals both. */
  readonly fhirUrl: string;
  stop(): Promise<void>;
}

const DOWN_NUMBER = /\b(POL|REF)-DOWN$/;
const SLOW_NUMBER = /\b(POL|REF)-SLOW$/;
const SLOW_MS = 30_000;

/** The registries of policies and referrals, in one server that speaks FHIR R4. Its numbers are made anew each day, since what they are good for counts from today. */
export async function startRegistries({
  port,
  now = () => new Date(),
}: RegistriesOptions): Promise<RunningRegistries> {
  indexDefinitions();
  let made: { readonly on: CalendarDate; readonly answer: ReturnType<typeof answersOn> } | null = null;
  const answersOn = async (today: CalendarDate) => {
    const repository = new Repository();
    const dayIn = (days: number) => addDays(today, days);
    for (const resource of [KARI, ...policies(dayIn), ...referrals(dayIn)])
      await repository.createResource(resource);
    return createFhirApi({
      name: 'Sandbox registries',
      types: REGISTRY_TYPES,
      repository,
      onChange: () => undefined,
    });
  };
  const app = express().disable('x-powered-by').disable('etag');
  app.use('/fhir', simulateTrouble, async (request, response) => {
    const on = dateAt(now());
    if (made?.on !== on) made = { on, answer: answersOn(on) };
    const send = await (await made.answer)(request);
    send(response);
  });
  const server = await serveLocally(app, port);
  return { fhirUrl: `${server.url}/fhir`, stop: () => server.stop() };
}

/** Some numbers show what happens when the registry itself is in trouble. */
const simulateTrouble: RequestHandler = async (request, response, next) => {
  const number = new URL(request.url, 'http://localhost').searchParams.get('identifier') ?? '';
  if (DOWN_NUMBER.test(number)) {
    sendRefusal(response, 503, 'Down for maintenance');
    return;
  }
  if (SLOW_NUMBER.test(number)) await delayWhileConnected(SLOW_MS, request.socket);
  if (!request.socket.destroyed) next();
};

/** The date so many days from today. */
export type DateInDays = (days: number) => string;

/** The policies that docs/partners/verification.md lists. */
const policies = (dayIn: DateInDays): Coverage[] => [
  policy('POL-KARI-VALID', OF_KARI, [EARLIEST_INJURY, dayIn(365)]),
  policy('POL-KARI-EXPIRED', OF_KARI, [EARLIEST_INJURY, LONG_AGO]),
  policy('POL-KARI-NOT-BEGUN', OF_KARI, [dayIn(30), dayIn(395)]),
  policy('POL-KARI-CANCELLED', OF_KARI, [EARLIEST_INJURY, dayIn(365)], 'cancelled'),
  policy('POL-OLA-VALID', OF_OLA, [EARLIEST_INJURY, dayIn(365)]),
  policy('POL-OLA-EXPIRED', OF_OLA, [EARLIEST_INJURY, LONG_AGO]),
];

/** The first that a case can have. */
const EARLIEST_INJURY = '1900-01-01';
/** Before any injury that a case is still about. */
const LONG_AGO = '1979-12-31';

const policy = (
  number: string,
  { subject, ...contained }: Holder,
  [start, end]: [string, string],
  status: Coverage['status'] = 'active',
): Coverage => ({
  resourceType: 'Coverage',
  ...contained,
  identifier: [{ system: 'urn:sandbox:policies', value: number }],
  status,
  beneficiary: subject,
  period: { start, end },
  payor: [{ display: 'Fjordtrygd Forsikring' }],
});

/** The referrals that docs/partners/verification.md lists. */
const referrals = (dayIn: DateInDays): ServiceRequest[] => [
  referral('REF-KARI-VALID', OF_KARI, { occurrencePeriod: { start: dayIn(-30), end: dayIn(335) } }),
  // without a period of its own, as many are
  referral('REF-KARI-WRITTEN', OF_KARI, { authoredOn: dayIn(-30) }),
  referral('REF-KARI-EXPIRED', OF_KARI, { occurrencePeriod: { start: dayIn(-400), end: dayIn(-35) } }),
  referral('REF-KARI-NOT-BEGUN', OF_KARI, { occurrencePeriod: { start: dayIn(30), end: dayIn(395) } }),
  referral('REF-KARI-REVOKED', OF_KARI, { authoredOn: dayIn(-30), status: 'revoked' }),
  referral('REF-KARI-CHIROPRACTIC', OF_KARI, { authoredOn: dayIn(-30), code: CHIROPRACTIC }),
  referral('REF-OLA-VALID', OF_OLA, { occurrencePeriod: { start: dayIn(-30), end: dayIn(335) } }),
  referral('REF-OLA-EXPIRED', OF_OLA, { occurrencePeriod: { start: dayIn(-400), end: dayIn(-35) } }),
];

const CHIROPRACTIC: CodeableConcept = {
  coding: [{ system: 'urn:sandbox:services', code: 'chiropractic', display: 'Kiropraktor' }],
};

const referral = (number: string, holder: Holder, rest: Partial<ServiceRequest>): ServiceRequest => ({
  resourceType: 'ServiceRequest',
  ...holder,
  identifier: [{ system: 'urn:sandbox:referrals', value: number }],
  status: 'active',
  intent: 'order',
  code: { text: 'Behandling etter skade' },
  ...rest,
});

/** Whom the sandbox's policies and referrals are for. */
const KARI: Patient = {
  resourceType: 'Patient',
  id: 'kari',
  name: [{ use: 'official', family: 'Nordmann', given: ['Kari', 'Anne'] }],
};
const OLA: Patient = {
  resourceType: 'Patient',
  id: 'ola',
  name: [{ use: 'official', family: 'Hansen', given: ['Ola'] }],
};

interface Holder {
  subject: Reference<Patient>;
  contained?: Patient[];
}

/** Registries refer to people in different ways: Kari has a record of her own, Ola is contained in what is his. */
const OF_KARI: Holder = { subject: { reference: 'Patient/kari' } };
const OF_OLA: Holder = { subject: { reference: '#ola' }, contained: [OLA] };
