import type { Resource } from '@medplum/fhirtypes';
import type { RequestHandler } from 'express';
import { CLINIC_TYPES } from '../fhir/definitions.ts';
import { createFhirApi, resourceTypeOf } from '../fhir/fhir-api.ts';
import { waitFor } from '../fhir/wait-for.ts';
import type { Fault, Faults } from './faults.ts';
import type { Store } from './store.ts';

/** The FHIR API, with what the faults make of it. */
export function faultyFhir(store: Store, faults: Faults): RequestHandler {
  const answer = createFhirApi({ name: 'Sandbox clinic', types: CLINIC_TYPES, ...store });
  return async (request, response) => {
    const fault = faults.take(request.method, resourceTypeOf(request.path));
    if (fault?.effect === 'answer') {
      response.status(fault.status).set(fault.headers).end(fault.body);
      return;
    }
    if (fault?.effect === 'drop') {
      request.socket.destroy();
      return;
    }
    if (fault?.effect === 'meanwhile') await change(store, fault);
    if (fault?.effect === 'ignore-conditions') {
      delete request.headers['if-match'];
      delete request.headers['if-none-exist'];
    }
    const send = await answer(request);
    if (fault?.effect === 'drop-after-commit') {
      request.socket.destroy();
      return;
    }
    if (fault?.effect === 'delay') await waitFor(fault.delayMs, request.socket);
    if (!request.socket.destroyed) send(response);
  };
}

async function change(
  store: Store,
  { reference, set }: Extract<Fault, { effect: 'meanwhile' }>,
): Promise<void> {
  const resource = await store.repository.readReference<Resource>({ reference });
  const changed = Object.fromEntries(
    Object.entries({ ...resource, ...set }).filter(([, value]) => value !== null),
  );
  await store.repository.updateResource(changed as unknown as Resource);
  store.changed();
}
