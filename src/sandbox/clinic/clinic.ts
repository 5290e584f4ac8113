import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Resource } from '@medplum/fhirtypes';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import express from 'express';
import type { FhirKind } from '../fhir/abilities.ts';
import { ABILITIES } from '../fhir/abilities.ts';
import { indexDefinitions } from '../fhir/definitions.ts';
import { sendRefusal } from '../fhir/fhir-api.ts';
import { calendarPage } from './calendar-page.ts';
import { faultRoutes } from './fault-routes.ts';
import { createFaults } from './faults.ts';
import { faultyFhir } from './faulty-fhir.ts';
import type { ProfileName } from './profiles.ts';
import { PROFILES } from './profiles.ts';
import { seed } from './seed.ts';
import { openStore } from './store.ts';

export interface ClinicOptions {
  readonly profile: ProfileName;
  /** 0 takes a free one. */
  readonly port?: number;
  readonly host?: string;
  /** Where its data lives from one start to the next; null keeps nothing. */
  readonly dataFile?: string | null;
  /** How far ahead there are free slots. */
  readonly weeks?: number;
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
  everything<T extends { resourceType: string }>(resourceType: T['resourceType']): Promise<readonly T[]>;
  /** Resolves when everything that its API was asked for is done, or never will be. */
  atRest(): Promise<void>;
  /** Stops at once, and writes what is not written yet. */
  close(): Promise<void>;
}

/** A provider's booking system that speaks FHIR R4, for development. */
export async function startClinic(options: ClinicOptions): Promise<RunningClinic> {
  const {
    port = 0,
    host = '127.0.0.1',
    dataFile = null,
    weeks = 6,
    bearerToken = null,
    guard = null,
    now = Date.now,
  } = options;
  const profile = PROFILES[options.profile];
  indexDefinitions();
  const store = await openStore(dataFile);
  await seed(store.repository, profile, now(), weeks);
  store.changed();

  const faults = createFaults();
  const fhir = faultyFhir(store, faults, ABILITIES[options.fhir ?? profile.fhir]);
  const app = express().disable('x-powered-by').disable('etag');
  app.get('/', async (_request, response) => {
    response.type('html').send(await calendarPage(store.repository, `${profile.name}, ${profile.city}`));
  });
  app.use('/_faults', faultRoutes(faults));
  const json = express.json({
    type: ['application/fhir+json', 'application/json-patch+json', 'application/json'],
    limit: '1mb',
  });
  app.use('/fhir', guard ?? credentials(bearerToken), json, fhir.handle);
  app.use('/staff', json, faultyFhir(store, createFaults()).handle);
  app.use(unreadable);

  const server = await listening(app.listen(port, host));
  const url = `http://${host}:${(server.address() as AddressInfo).port}`;
  return {
    name: profile.name,
    url,
    fhirUrl: `${url}/fhir`,
    staffUrl: `${url}/staff`,
    async everything<T extends { resourceType: string }>(resourceType: T['resourceType']) {
      const type = resourceType as Resource['resourceType'];
      return (await store.repository.searchResources({ resourceType: type })) as unknown as T[];
    },
    atRest: () => fhir.atRest(),
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      await store.flush();
    },
  };
}

const credentials =
  (bearerToken: string | null): RequestHandler =>
  (request, response, next) => {
    if (bearerToken === null || request.get('authorization') === `Bearer ${bearerToken}`) next();
    else sendRefusal(response, 401, 'Not authorized');
  };

/** Express knows an error handler by its four parameters. */
const unreadable: ErrorRequestHandler = (error: Error, _request, response, _next) =>
  sendRefusal(response, 400, error.message);

async function listening(server: Server): Promise<Server> {
  await new Promise<void>((resolve, reject) => {
    server.once('listening', resolve);
    server.once('error', reject);
  });
  return server;
}
