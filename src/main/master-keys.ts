import { z } from 'zod';
import { type OperatorApiSettings, SettingsError } from '../config/settings.ts';
import { createExchange, jsonOrNull } from '../http-client/exchange.ts';
import type { MasterKey } from '../postgres/sealing.ts';

const TIMEOUT_MS = 5_000;
const decrypted = z.object({ data: z.object({ plaintext: z.base64() }) });

/**
 * The master keys of the settings; what is wrapped is opened by Vault's Transit engine, once as a process starts.
 *
 * @throws ServerUnavailable where Vault does not answer, is sealed, or refuses the token; SettingsError where it never opens one
 */
export async function openMasterKeys({
  MASTER_KEYS: [newest, ...older],
  ...vault
}: Pick<OperatorApiSettings, 'MASTER_KEYS' | 'VAULT_ADDR' | 'VAULT_TOKEN' | 'VAULT_TRANSIT_KEY'>): Promise<
  readonly [MasterKey, ...MasterKey[]]
> {
  const { VAULT_ADDR: baseUrl = '', VAULT_TOKEN: token = '', VAULT_TRANSIT_KEY: transitKey } = vault;
  const opened = async ({ id, key }: typeof newest): Promise<MasterKey> => {
    if (typeof key !== 'string') return { id, key };
    const send = createExchange({
      ...{ baseUrl, name: 'Vault', timeoutMs: TIMEOUT_MS, maxBytes: 1 << 16 },
      headers: () => Promise.resolve({ 'x-vault-token': token }),
    });
    const [mount, name] = transitKey.split('/');
    const { body } = await send({
      method: 'POST',
      url: new URL(`${baseUrl}/v1/${mount}/decrypt/${name}`),
      about: 'decrypt',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ciphertext: key }),
    });
    const answer = decrypted.safeParse(jsonOrNull(Buffer.from(body).toString()));
    const plain = Buffer.from(answer.data?.data.plaintext ?? '', 'base64');
    if (plain.length !== 32)
      throw new SettingsError([
        `MASTER_KEYS: Vault's ${transitKey} does not open ${id}, or it is not 32 bytes`,
      ]);
    return { id, key: plain };
  };
  return [await opened(newest), ...(await Promise.all(older.map(opened)))];
}
