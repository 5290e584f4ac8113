import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { pino } from 'pino';
import { startCalendarClinic } from '../../dev/caldav-clinic/clinic.ts';
import { HAVGLOTT } from '../../dev/caldav-clinic/seed.ts';
import type { ProviderId } from '../../src/domain/ids.ts';
import { type Database, openDatabase } from '../../src/postgres/database.ts';
import { findProvider, listProviders, noteCircuit, saveProvider } from '../../src/postgres/providers.ts';
import { createProviderDirectory } from '../../src/providers/directory.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';

describe('The directory of providers', () => {
  let databaseUrl: string;
  let database: Database;
  let client: pg.Client;
  beforeAll(async () => {
    databaseUrl = await createTestDatabase();
    database = await openDatabase(databaseUrl);
    client = new pg.Client(databaseUrl);
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await database.end();
  });

  it('has those whose registration can not be used too, answers for them, and says why in the log', async () => {
    const registered = { kind: 'fhir', base_url: 'http://127.0.0.1:9/fhir', treatments: [] };
    const add = (id: string, changes: Partial<Parameters<typeof saveProvider>[1]> = {}) =>
      saveProvider(database, {
        ...registered,
        id: id as ProviderId,
        name: id,
        connection: { auth: 'none' },
        ...changes,
      });
    await add('good');
    await add('penniless', {
      connection: { auth: 'bearer', tokenVariable: 'PROVIDER_TOKEN_THAT_IS_NOT_SET' },
    });
    await add('odd', { kind: 'fax' });
    await add('spoilt');
    await client.query(`UPDATE providers SET connection = '{"auth": "handshake"}' WHERE id = 'spoilt'`);

    const lines: Record<string, unknown>[] = [];
    const sink = new Writable({
      write(chunk: Buffer, _encoding, done) {
        lines.push(JSON.parse(chunk.toString()) as Record<string, unknown>);
        done();
      },
    });
    const directory = await createProviderDirectory({
      listRegistrations: () => listProviders(database),
      secretOf: () => null,
      log: pino(sink),
    });
    directory.close();

    expect([...directory.systems.keys()]).toEqual(['good', 'odd', 'penniless', 'spoilt']);
    expect(lines.map(({ level, providerId, why }) => [level, providerId, why])).toEqual([
      [50, 'odd', 'the kind "fax" of booking system is not known'],
      [50, 'penniless', 'PROVIDER_TOKEN_THAT_IS_NOT_SET is not set'],
      [50, 'spoilt', 'its connection can not be read'],
    ]);
    const system = directory.systemOf('penniless' as ProviderId);
    await expect(system.capabilities()).rejects.toMatchObject({
      name: 'ProviderUnavailable',
      message: 'PROVIDER_TOKEN_THAT_IS_NOT_SET is not set',
    });
    expect(() => directory.systemOf('nobody' as ProviderId)).toThrow('no provider nobody is registered');
  });

  it('tells when a clinic is left alone, after which answer, and when it answers again', async () => {
    const id = 'good' as ProviderId;
    const told: (string | null)[] = [];
    const directory = await createProviderDirectory({
      listRegistrations: () => listProviders(database),
      secretOf: () => null,
      onCircuit(_, answer) {
        told.push(answer);
        void noteCircuit(database, id, answer);
      },
    });
    directory.close();
    const system = directory.systemOf(id);
    const shown = async () => (await findProvider(database, id))?.circuit_answer;
    for (let n = 0; n < 5; n += 1) await system.capabilities().catch(() => undefined);
    expect(told).toEqual(['GET metadata: no answer']);
    await eventually(async () => (await shown()) === told[0]);
    const { circuit_open_since: since } = (await findProvider(database, id)) ?? {};
    await noteCircuit(database, id, 'again');
    expect((await findProvider(database, id))?.circuit_open_since).toBe(since);
    await noteCircuit(database, id, null);
    expect(await shown()).toBeNull();
  });

  it('reaches a clinic whose password is put there later, or replaced, without a restart', async () => {
    const clinic = await startCalendarClinic({
      profile: HAVGLOTT,
      weeks: 1,
      authorization: basic('us', 'right'),
    });
    const id = 'havglott' as ProviderId;
    const connection = {
      auth: 'basic',
      username: 'us',
      passwordVariable: 'PROVIDER_HAVGLOTT_PASSWORD',
    } as const;
    const row = { id, name: 'Havgløtt', kind: 'caldav', base_url: clinic.calDavUrl, connection };
    await saveProvider(database, { ...row, treatments: [] });
    let password: string | null = null;
    const directory = await createProviderDirectory({
      listRegistrations: () => listProviders(database),
      secretOf: () => password,
    });
    const state = async () => {
      const rows = await directory.systemOf(id).capabilities();
      return rows[0]?.state;
    };
    await expect(state()).rejects.toThrow('PROVIDER_HAVGLOTT_PASSWORD is not set');
    password = 'wrong';
    await directory.refresh();
    await expect(state()).rejects.toThrow('HTTP 401');
    password = 'right';
    expect(await state()).toBe('yes');
    directory.close();
    await clinic.close();
  });
});

const basic = (name: string, password: string): string =>
  `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;
