import type { Resource } from '@medplum/fhirtypes';
import type { Request, RequestHandler, Response } from 'express';
import type { Abilities } from '../fhir/abilities.ts';
import { CLINIC_TYPES } from '../fhir/definitions.ts';
import { createFhirApi, resourceTypeOf } from '../fhir/fhir-api.ts';
import { waitFor } from '../fhir/wait-for.ts';
import type { Fault, FaultOf } from './fault.ts';
import type { Faults } from './faults.ts';
import { asBefore, withOldVersions, withWrongOffsets } from './rewrite.ts';
import { resetHalfWay, sendHalf, sendSlowly } from './send-badly.ts';
import type { Store } from './store.ts';

export interface FaultyFhir {
  readonly handle: RequestHandler;
  /** Resolves when everything that was asked for is done or will never be: also what nobody waits for any more. */
  atRest(): Promise<void>;
}

/** The FHIR API, with what the faults make of it. */
export function faultyFhir(store: Store, faults: Faults, can?: Abilities): FaultyFhir {
  const answer = createFhirApi({ name: 'Sandbox clinic', types: CLINIC_TYPES, ...store }, can);
  const openedAt = Date.now();

  /** What goes wrong before the request is carried out. @returns whether it is to be carried out at all */
  const before = async (fault: Fault | null, request: Request, response: Response): Promise<boolean> => {
    switch (fault?.effect) {
      case 'answer':
        response.status(fault.status).set(fault.headers).end(fault.body);
        return false;
      case 'drop':
        request.socket.destroy();
        return false;
      case 'meanwhile':
        await change(store, fault);
        return true;
      case 'ignore-conditions':
        delete request.headers['if-match'];
        delete request.headers['if-none-exist'];
        return true;
      case 'late':
        await new Promise((resolve) => setTimeout(resolve, fault.delayMs).unref());
        return true;
      case 'duplicate':
        await answer(request);
        return true;
      default:
        return true;
    }
  };

  /** What goes wrong with the answer. */
  const after = async (fault: Fault | null, request: Request, response: Response): Promise<void> => {
    switch (fault?.effect) {
      case 'drop-after-commit':
        request.socket.destroy();
        break;
      case 'delay':
        await waitFor(fault.delayMs, request.socket);
        break;
      case 'half':
        (fault.then === 'end' ? sendHalf : resetHalfWay)(response);
        break;
      case 'trickle':
        sendSlowly(response, fault.bytesPerSecond);
        break;
      case 'stale-etag':
        withOldVersions(response, store);
        break;
      case 'stale':
        asBefore(response, store, openedAt);
        break;
      case 'wrong-offset':
        withWrongOffsets(response, fault);
        break;
      default:
    }
  };

  const underWay = new Set<Promise<void>>();
  const serve = async (request: Request, response: Response): Promise<void> => {
    const fault = faults.take(request.method, resourceTypeOf(request.path) || 'Bundle');
    if (!(await before(fault, request, response))) return;
    const send = await answer(request);
    await after(fault, request, response);
    if (!request.socket.destroyed) send(response);
  };
  return {
    async handle(request, response) {
      const serving = serve(request, response);
      underWay.add(serving);
      await serving.finally(() => underWay.delete(serving));
    },
    async atRest() {
      while (underWay.size > 0) await Promise.allSettled(underWay);
    },
  };
}

async function change(store: Store, { reference, set }: FaultOf<'meanwhile'>): Promise<void> {
  const resource = await store.repository.readReference<Resource>({ reference });
  const changed = Object.fromEntries(
    Object.entries({ ...resource, ...set }).filter(([, value]) => value !== null),
  );
  await store.repository.updateResource(changed as unknown as Resource);
  store.changed();
}
