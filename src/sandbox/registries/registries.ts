import { MemoryRepository } from '@medplum/fhir-router';
import type { RequestHandler } from 'express';
import express from 'express';
import { dateAt, datePlus } from '../../calendar/dates.ts';
import { indexDefinitions, REGISTRY_TYPES } from '../fhir/definitions.ts';
import { createFhirApi, sendRefusal } from '../fhir/fhir-api.ts';
import { waitFor } from '../fhir/wait-for.ts';
import { serveLocally } from '../ports/serve.ts';
import { KARI } from './people.ts';
import { policies } from './policies.ts';
import { referrals } from './referrals.ts';

export interface RegistriesOptions {
  readonly port: number;
  readonly now?: () => Date;
}

export interface RunningRegistries {
  /** Of policies and referrals both. */
  readonly fhirUrl: string;
  stop(): Promise<void>;
}

const DOWN = /\b(POL|REF)-DOWN$/;
const SLOW = /\b(POL|REF)-SLOW$/;
const SLOW_MS = 30_000;

/** The registries of policies and referrals, in one server that speaks FHIR R4. Its numbers are made anew at each start. */
export async function startRegistries({
  port,
  now = () => new Date(),
}: RegistriesOptions): Promise<RunningRegistries> {
  indexDefinitions();
  const repository = new MemoryRepository();
  const today = dateAt(now());
  const dayIn = (days: number) => datePlus(today, days);
  for (const resource of [KARI, ...policies(dayIn), ...referrals(dayIn)])
    await repository.createResource(resource);

  const answer = createFhirApi({
    name: 'Sandbox registries',
    types: REGISTRY_TYPES,
    repository,
    changed: () => undefined,
  });
  const app = express().disable('x-powered-by').disable('etag');
  app.use('/fhir', trouble, async (request, response) => {
    const send = await answer(request);
    send(response);
  });
  const server = await serveLocally(app, port);
  return { fhirUrl: `${server.url}/fhir`, stop: () => server.stop() };
}

/** Some numbers show what happens when the registry itself is in trouble. */
const trouble: RequestHandler = async (request, response, next) => {
  const number = new URL(request.url, 'http://localhost').searchParams.get('identifier') ?? '';
  if (DOWN.test(number)) {
    sendRefusal(response, 503, 'Down for maintenance');
    return;
  }
  if (SLOW.test(number)) await waitFor(SLOW_MS, request.socket);
  if (!request.socket.destroyed) next();
};
