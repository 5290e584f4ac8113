import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type RunningClinic, startClinic } from '../../dev/fhir-clinic/clinic.ts';
import { pickPort } from '../../dev/ports.ts';
import { protectClinics, type ProtectedClinics, type Protection } from '../../dev/tokens/protection.ts';
import type { BookingId, ProviderId } from '../../src/domain/ids.ts';
import { daysAfter, instant } from '../../src/domain/instant.ts';
import { connectBookingSystem } from '../../src/providers/connect.ts';
import type { BookingSystem } from '../../src/providers/port.ts';
import { eventually } from '../support/eventually.ts';
import { clock } from './clock.ts';
import { startTokenFront, type TokenFront } from './token-front.ts';

const LIFETIME_SECONDS = 300;
const ID = 'fjordklinikken';

describe('The token of a provider', () => {
  let protectedClinics: ProtectedClinics;
  let protection: Protection;
  let clinic: RunningClinic;
  let front: TokenFront;
  let system: BookingSystem;
  let asked: number;

  beforeAll(async () => {
    protectedClinics = await protectClinics({
      port: (await pickPort()).port,
      bySecret: [ID],
      byKey: [],
      lifetimeSeconds: LIFETIME_SECONDS,
      log: () => undefined,
    });
    const one = protectedClinics.clinics.get(ID);
    if (!one) throw new Error('not protected');
    protection = one;
    clinic = await startClinic({ profile: ID, weeks: 2, guard: protection.guard.handle });
    front = await startTokenFront(protectedClinics.tokens.tokenUrl);
  });
  beforeEach(async () => {
    front.become('well');
    await fetch(`${clinic.url}/_faults`, { method: 'DELETE' });
    system = connect();
    asked = front.asked();
  });
  afterEach(() => clock.putBack());
  afterAll(async () => {
    await front.stop();
    await clinic.close();
    await protectedClinics.tokens.stop();
  });

  const connect = (secretOf = (variable: string) => protection.variables[variable] ?? null) => {
    const { connection } = protection;
    if (connection.auth !== 'client_credentials') throw new Error('by another way');
    return connectBookingSystem(
      {
        id: ID as ProviderId,
        name: 'Fjordklinikken',
        kind: 'fhir',
        baseUrl: clinic.fhirUrl,
        connection: { ...connection, tokenUrl: front.tokenUrl },
      },
      { secretOf },
    );
  };
  const search = () => {
    const from = instant(Date.now());
    return system.search({ treatmentType: 'psychology', from, to: daysAfter(from, 10) });
  };
  const fetched = () => front.asked() - asked;

  it('opens the clinic, which refuses everybody without one', async () => {
    expect((await fetch(`${clinic.fhirUrl}/Slot`)).status).toBe(401);
    expect((await search()).length).toBeGreaterThan(0);
  });

  it('is fetched once by all who need it at the same moment', async () => {
    await Promise.all(Array.from({ length: 8 }, search));
    expect(fetched()).toBe(1);
  });

  it('is kept for as long as it lasts', async () => {
    await search();
    clock.moveBy(LIFETIME_SECONDS - 70);
    await search();
    expect(fetched()).toBe(1);
  });

  it('is renewed before its end, while the old one still serves, by one request at a time', async () => {
    await search();
    clock.moveBy(LIFETIME_SECONDS - 50);
    front.become('silent');
    await Promise.all([search(), search(), search()]);
    await eventually(() => fetched() === 2, { what: 'the token is renewed' });
    expect((await search()).length).toBeGreaterThan(0);
    expect(fetched()).toBe(2);
  });

  it('is fetched anew when its end has come', async () => {
    await search();
    clock.moveBy(LIFETIME_SECONDS + 1);
    expect((await search()).length).toBeGreaterThan(0);
    expect(fetched()).toBe(2);
  });

  it('is fetched anew, once, when the clinic takes it for none any more, and the request is sent again', async () => {
    const [slot] = await search();
    if (!slot) throw new Error('no slot');
    protection.guard.revokeAll();
    const answers = await Promise.all([
      ...Array.from({ length: 6 }, search),
      system.hold(slot, 'booking-1' as BookingId),
    ]);
    expect(answers.at(-1)).toMatchObject({ outcome: 'held' });
    expect(fetched()).toBe(2);
  });

  it('is not fetched time after time for a clinic that takes none', async () => {
    await search();
    await fetch(`${clinic.url}/_faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ effect: 'answer', status: 401, times: null }),
    });
    protection.guard.revokeAll();
    await expect(search()).rejects.toMatchObject({
      name: 'ProviderUnavailable',
      message: expect.stringMatching(/HTTP 401$/),
    });
    expect(fetched()).toBe(2);
  });

  it('is asked for again with the next request when there was none to be had', async () => {
    front.become({ status: 503, type: 'text/html', body: '<h1>Down</h1>' });
    await expect(search()).rejects.toMatchObject({
      name: 'ProviderUnavailable',
      message: 'token endpoint answered with HTTP 503',
      retryAfterSeconds: 7,
    });
    front.become('well');
    expect((await search()).length).toBeGreaterThan(0);
  });

  it('is fetched with the secret that is there now, or the one before while its file is being replaced', async () => {
    const [right = ''] = Object.values(protection.variables);
    let secret: string | null = 'the one before';
    system = connect(() => secret);
    await expect(search()).rejects.toThrow('token endpoint rejected the client (HTTP 401)');
    secret = right;
    expect((await search()).length).toBeGreaterThan(0);
    secret = null;
    clock.moveBy(LIFETIME_SECONDS + 1);
    expect((await search()).length).toBeGreaterThan(0);
  });
});
