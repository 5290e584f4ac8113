import { EventEmitter } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import type { Resource } from '@medplum/fhirtypes';
import type { Request as ExpressRequest, RequestHandler, Response as ExpressResponse } from 'express';
import { createFaults } from '../../dev/faults.ts';
import { faultSchema } from '../../dev/fhir-clinic/fault.ts';
import { createFaultyFhir } from '../../dev/fhir-clinic/faulty-fhir.ts';
import { CLINIC_PROFILES, type ClinicName } from '../../dev/fhir-clinic/profiles.ts';
import { seedClinic } from '../../dev/fhir-clinic/seed.ts';
import { openClinicStore } from '../../dev/fhir-clinic/store.ts';
import { FHIR_KINDS, type FhirKind } from '../../dev/fhir/capabilities.ts';
import { indexDefinitions } from '../../dev/fhir/definitions.ts';
import type { Transport } from '../../src/http-client/exchange.ts';

const ORIGIN = 'http://clinic.invalid';

interface Wanted {
  readonly profile: ClinicName;
  readonly fhir: FhirKind;
  readonly weeks: number;
  /** When slots start; as the profile has it when left out. */
  readonly starts?: readonly string[];
}

/** The development clinic without a network: requests are calls, and time passes when it is told to. */
export async function openClinicInMemory(wanted: Wanted) {
  const usual = CLINIC_PROFILES[wanted.profile];
  const profile = { ...usual, starts: wanted.starts ?? usual.starts };
  indexDefinitions();
  const store = await openClinicStore(null);
  await seedClinic(store.repository, profile, Date.now(), wanted.weeks);
  const faults = createFaults(faultSchema);
  const fhir = createFaultyFhir(store, faults, FHIR_KINDS[wanted.fhir]);
  const requests = new Set<Promise<unknown>>();
  const timeouts = new Set<AbortController>();
  const staff = createFaultyFhir(store, createFaults(faultSchema));
  const send = fetchFrom({ '/fhir': fhir.handle, '/staff': staff.handle });

  const transport: Transport = {
    fetch(input, init) {
      const answer = send(input, init);
      requests.add(answer);
      const forget = () => void requests.delete(answer);
      answer.then(forget, forget);
      return answer;
    },
    timeout() {
      const controller = new AbortController();
      timeouts.add(controller);
      return controller.signal;
    },
  };
  return {
    name: profile.name,
    fhirUrl: `${ORIGIN}/fhir`,
    /** As of `RunningClinic`. */
    staffUrl: `${ORIGIN}/staff`,
    transport,
    faults,
    whenIdle: () => fhir.whenIdle(),
    async listResources<T extends { resourceType: string }>(resourceType: T['resourceType']) {
      const type = resourceType as Resource['resourceType'];
      return store.repository.all(type) as unknown as T[];
    },
    /**
     * Ends `verb`, which waits for a fault that takes its time: once nothing else is under way, whoever waits still has
     * waited for too long.
     */
    async passTimeUntil<T>(verb: Promise<T>): Promise<T> {
      let isOver = false as boolean;
      const over = () => void (isOver = true);
      verb.then(over, over);
      while (!isOver) {
        const before = requests.size;
        for (let turn = 0; turn < 5; turn += 1) await setImmediate();
        const isStalled =
          requests.size > 0 && requests.size === before && faults.list().some(({ fired }) => fired > 0);
        if (isStalled) for (const timeout of timeouts) timeout.abort();
        if (isStalled) timeouts.clear();
      }
      return verb;
    },
  };
}

/** Hands what `fetch` is given to the Express handler of its path, as if it had come over a connection. */
const fetchFrom =
  (handlers: Readonly<Record<`/${string}`, RequestHandler>>): typeof fetch =>
  (input, init = {}) =>
    new Promise((resolve, reject) => {
      const url = new URL(input instanceof Request ? input.url : input);
      const [baseUrl, handle] =
        Object.entries(handlers).find(([base]) => url.pathname.startsWith(base)) ?? [];
      if (baseUrl === undefined || handle === undefined) throw new Error(`nothing is at ${url.href}`);
      const path = url.pathname.slice(baseUrl.length) || '/';
      const headers = new Headers(init.headers);
      const socket = Object.assign(new EventEmitter(), {
        destroyed: false,
        destroy() {
          if (socket.destroyed) return;
          socket.destroyed = true;
          socket.emit('close');
          reject(new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } }));
        },
        resetAndDestroy: () => socket.destroy(),
      });
      if (init.signal?.aborted) socket.destroy();
      if (socket.destroyed) return;
      init.signal?.addEventListener('abort', () => socket.destroy(), { once: true });

      const request = {
        ...{ method: init.method ?? 'GET', protocol: 'http', baseUrl, path, socket },
        url: `${path}${url.search}`,
        headers: Object.fromEntries(headers),
        body: typeof init.body === 'string' ? (JSON.parse(init.body) as unknown) : undefined,
        get: (name: string) => (name === 'host' ? url.host : headers.get(name)),
      };
      const sent = new Headers();
      const chunks: Buffer[] = [];
      let status = 200;
      const response = {
        socket,
        get destroyed() {
          return socket.destroyed;
        },
        status(code: number) {
          status = code;
          return response;
        },
        set(name: string | Record<string, string>, value = '') {
          const all = typeof name === 'string' ? { [name]: value } : name;
          for (const [key, one] of Object.entries(all)) sent.set(key, one);
          return response;
        },
        hasHeader: (name: string) => sent.has(name),
        write(chunk: Buffer, done?: () => void) {
          chunks.push(chunk);
          done?.();
        },
        end(chunk: string | Buffer = '') {
          const body = Buffer.concat([...chunks, Buffer.from(chunk)]);
          resolve(new Response(body.length > 0 ? body : null, { status, headers: sent }));
        },
      };
      void Promise.resolve(
        handle(request as unknown as ExpressRequest, response as unknown as ExpressResponse, () => undefined),
      ).catch(reject);
    });
