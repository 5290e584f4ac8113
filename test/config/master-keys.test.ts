import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startVault } from '../../dev/vault.ts';
import { openMasterKeys } from '../../src/main/master-keys.ts';
import { localMasterKeys } from '../../src/postgres/sealing.ts';

/** A Vault that is empty, such as `vault server -dev`, and its root token; our stand-in where none is named. */
const { VAULT_ADDR, VAULT_TOKEN = 'a-token' } = process.env;

describe(`master keys that ${VAULT_ADDR ? `the Vault at ${VAULT_ADDR}` : "the stand-in's Vault"} has wrapped`, () => {
  let vault: { readonly url: string; stop(): Promise<void> };
  let wrapped: string;
  const post = async (path: string, body: object = {}) => {
    const headers = { 'x-vault-token': VAULT_TOKEN };
    const answer = await fetch(`${vault.url}/v1/${path}`, {
      ...{ method: 'POST', headers, body: JSON.stringify(body) },
    });
    return answer.status === 204 ? null : ((await answer.json()) as { data: { ciphertext: string } });
  };
  beforeAll(async () => {
    vault = VAULT_ADDR ? { url: VAULT_ADDR, stop: () => Promise.resolve() } : await startVault(VAULT_TOKEN);
    await post('sys/mounts/transit', { type: 'transit' });
    for (const name of ['booking', 'another']) await post(`transit/keys/${name}`);
    wrapped = (await post('transit/datakey/wrapped/booking'))?.data.ciphertext ?? '';
  });
  afterAll(() => vault.stop());

  const open = (change: object = {}) =>
    openMasterKeys({
      MASTER_KEYS: [{ id: 'at-vault', key: wrapped }],
      ...{ VAULT_ADDR: vault.url, VAULT_TOKEN, VAULT_TRANSIT_KEY: 'transit/booking' },
      ...change,
    });

  it('are opened once and the same each time, beside those that are not wrapped', async () => {
    const own = { id: 'own', key: randomBytes(32) };
    const [first, second] = await open({ MASTER_KEYS: [{ id: 'at-vault', key: wrapped }, own] });
    expect(first).toEqual({ id: 'at-vault', key: expect.any(Buffer) });
    expect(first.key).toHaveLength(32);
    expect(second).toEqual(own);
    const sealed = await localMasterKeys([first]).wrap(Buffer.from('a data key'), 'a case');
    expect((await localMasterKeys(await open()).unwrap(sealed, 'a case')).toString()).toBe('a data key');
  });

  it('are asked for again where Vault refuses the token, or is away', async () => {
    await expect(open({ VAULT_TOKEN: 'another' })).rejects.toMatchObject({
      ...{ name: 'ServerUnavailable', message: 'Vault POST decrypt: HTTP 403', reason: 'forbidden' },
    });
    await expect(open({ VAULT_ADDR: 'http://127.0.0.1:9' })).rejects.toMatchObject({
      name: 'ServerUnavailable',
    });
  });

  it.each([
    ['that another key has wrapped', { VAULT_TRANSIT_KEY: 'transit/another' }],
    ['whose key is not there', { VAULT_TRANSIT_KEY: 'transit/nobodys' }],
    ['that was altered', { MASTER_KEYS: [{ id: 'at-vault', key: 'vault:v1:AAAA' }] }],
  ])('are a wrong setting: one %s', async (_, change) => {
    await expect(open(change)).rejects.toMatchObject({
      name: 'SettingsError',
      faults: [/^MASTER_KEYS: .*at-vault/],
    });
  });
});
