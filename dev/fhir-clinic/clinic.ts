import type { Resource } from '@medplum/fhirtypes';
import express from 'express';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import { createFaultRoutes, createFaults } from '../faults.ts';
import { FHIR_KINDS, type FhirKind } from '../fhir/capabilities.ts';
import { indexDefinitions } from '../fhir/definitions.ts';
import { sendRefusal } from '../fhir/server.ts';
import { serveLocally } from '../local-server.ts';
import { appointmentsPage } from './appointments-page.ts';
import { faultSchema } from './fault.ts';
import { createFaultyFhir } from './faulty-fhir.ts';
import { bookInOwnProgram } from './own-program.ts';
import { CLINIC_PROFILES, type ClinicName } from './profiles.ts';
import { seedClinic } from './seed.ts';
import { openClinicStore } from './store.ts';

export interface ClinicOptions {
  readonly profile: ClinicName;
  /** 0 takes a free one. */
  readonly port?: number;
  /** Where its data lives from one start to the next; null keeps nothing. */
  readonly dataFile?: string | null;
  /** How far ahead there are free slots. */
  readonly weeks?: number;
  /** When slots start, in place of the profile's: a server with few slots is searched in a fraction of the time. */
  readonly starts?: readonly string[];
  /** When given, requests to the FHIR API must bear it. */
  readonly bearerToken?: string | null;
  /** What its FHIR server can do; left out: what the profile's can. */
  readonly fhir?: FhirKind;
  /** In front of the FHIR API, in place of that. */
  readonly guard?: RequestHandler | null;
  readonly now?: () => number;
}

export interface RunningClinic {
  readonly name: string;
  /** The page with the calendar. Faults are at `/_faults`. */
  readonly url: string;
  readonly fhirUrl: string;
  /** The same for its own staff: without faults, and without a look at who asks. */
  readonly staffUrl: string;
  /** What it has of this type in its own books, whatever its API says. */
  listResources<T extends { resourceType: string }>(resourceType: T['resourceType']): Promise<readonly T[]>;
  /** A slot for somebody who calls, without touching it. @returns false when the time is somebody's already */
  readonly bookInOwnProgram: (slotId: string) => Promise<boolean>;
  /** Resolves when everything that its API was asked for is done, or never will be. */
  whenIdle(): Promise<void>;
  /** Stops at once, and writes what is not written yet. */
  close(): Promise<void>;
}

/** A provider's booking system that speaks FHIR R4, for development. */
export async function startClinic(options: ClinicOptions): Promise<RunningClinic> {
  const { port = 0, dataFile = null, weeks = 6, bearerToken = null, guard = null, now = Date.now } = options;
  const usual = CLINIC_PROFILES[options.profile];
  const profile = { ...usual, starts: options.starts ?? usual.starts };
  indexDefinitions();
  const store = await openClinicStore(dataFile);
  await seedClinic(store.repository, profile, now(), weeks);
  store.onChange();

  const faults = createFaults(faultSchema);
  const fhir = createFaultyFhir(store, faults, FHIR_KINDS[options.fhir ?? profile.fhir]);
  const app = express().disable('x-powered-by').disable('etag');
  app.get('/', async (_request, response) => {
    response.type('html').send(await appointmentsPage(store.repository, `${profile.name}, ${profile.city}`));
  });
  app.use('/_faults', createFaultRoutes(faults));
  const json = express.json({
    type: ['application/fhir+json', 'application/json-patch+json', 'application/json'],
    limit: '1mb',
  });
  app.use('/fhir', guard ?? requireBearerToken(bearerToken), json, fhir.handle);
  app.use('/staff', json, createFaultyFhir(store, createFaults(faultSchema)).handle);
  app.use(malformedRequestHandler);

  const { url, stop } = await serveLocally(app, port);
  return {
    name: profile.name,
    url,
    fhirUrl: `${url}/fhir`,
    staffUrl: `${url}/staff`,
    async listResources<T extends { resourceType: string }>(resourceType: T['resourceType']) {
      const type = resourceType as Resource['resourceType'];
      return store.repository.all(type) as unknown as T[];
    },
    bookInOwnProgram: (slotId) => bookInOwnProgram(store.repository, slotId),
    whenIdle: () => fhir.whenIdle(),
    async close() {
      await stop();
      await store.flush();
    },
  };
}

const requireBearerToken =
  (bearerToken: string | null): RequestHandler =>
  (request, response, next) => {
    if (bearerToken === null || request.get('authorization') === `Bearer ${bearerToken}`) next();
    else sendRefusal(response, 401, 'Not authorized');
  };

/** Express knows an error handler by its four parameters. */
const malformedRequestHandler: ErrorRequestHandler = (error: Error, _request, response, _next) =>
  sendRefusal(response, 400, error.message);
