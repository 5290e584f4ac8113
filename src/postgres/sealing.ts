import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import { type CommonQueryMethods, type FragmentSqlToken, type QueryResultRow, sql } from 'slonik';
import { z } from 'zod';
import type { CaseId } from '../domain/ids.ts';

/**
 * What wraps the keys of the database (docs/decisions/0099). A service for keys (KMS, Vault) is another implementation;
 * one that is asked over a network also decides how long a process remembers what it unwrapped.
 */
export interface MasterKeys {
  /** By the newest. @param context what the key is of: it opens for nothing else */
  wrap(key: Buffer, context: string): Promise<string>;
  /** @throws where it was wrapped by none of these, or altered */
  unwrap(wrapped: string, context: string): Promise<Buffer>;
  /** Whether it was wrapped by the newest. */
  isNewest(wrapped: string): boolean;
}

export interface MasterKey {
  /** Without a colon. */
  readonly id: string;
  /** 32 bytes. */
  readonly key: Buffer;
}

/** Master keys that this process holds itself. @param all the first wraps, and each unwraps what it has wrapped */
export function localMasterKeys([first, ...older]: readonly [MasterKey, ...MasterKey[]]): MasterKeys {
  // made once: a key in bytes costs several times what it opens
  const keyOfId = new Map([first, ...older].map(({ id, key }) => [id, createSecretKey(key)]));
  const newest = { id: first.id, key: createSecretKey(first.key) };
  return {
    wrap: async (key, context) => `${newest.id}:${encrypt(newest.key, key, context).toString('base64')}`,
    async unwrap(wrapped, context) {
      const [id, sealed = ''] = wrapped.split(':');
      const master = keyOfId.get(id ?? '');
      if (!master) throw new Error('a key was wrapped by a master key that this process does not have');
      return decrypt(master, Buffer.from(sealed, 'base64'), context);
    },
    isNewest: (wrapped) => wrapped.startsWith(`${newest.id}:`),
  };
}

const NONCE = 12;
const TAG = 16;

/** AES-256-GCM: nonce, ciphertext, tag. */
function encrypt(key: KeyObject, plain: Buffer, context: string): Buffer {
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function decrypt(key: KeyObject, sealed: Buffer, context: string): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE), { authTagLength: TAG });
  decipher.setAAD(Buffer.from(context)).setAuthTag(sealed.subarray(-TAG));
  const plain = decipher.update(sealed.subarray(NONCE, -TAG));
  // nothing more comes out of GCM: it throws where something was altered
  decipher.final();
  return plain;
}

/** What a pool seals and opens with. */
export interface Keyring {
  readonly master: MasterKeys;
  /** Of the hashes by which is searched: read once, and made where there is none yet. */
  searchKey(queries: Asked): Promise<Buffer>;
}

/** As much of a pool or transaction as reads a key. */
type Asked = Pick<CommonQueryMethods, 'maybeOneFirst'>;
type AskedWithKeys = Asked & { readonly keys: Keyring };

const SEARCH = 'search';
const wrappedRow = z.object({ wrapped: z.string() });

export function createKeyring(master: MasterKeys): Keyring {
  let known: Promise<Buffer> | null = null;
  const read = async (queries: Asked): Promise<Buffer> => {
    const find = () => queries.maybeOneFirst(sql.type(wrappedRow)`SELECT wrapped FROM keys.search_key`);
    const wrapped =
      (await find()) ??
      (await queries.maybeOneFirst(sql.type(wrappedRow)`
        INSERT INTO keys.search_key (wrapped) VALUES (${await master.wrap(randomBytes(32), SEARCH)})
        ON CONFLICT DO NOTHING RETURNING wrapped`)) ??
      (await find());
    return master.unwrap(wrapped ?? '', SEARCH);
  };
  return {
    master,
    searchKey(queries) {
      known ??= read(queries).catch((error: unknown) => {
        known = null;
        throw error;
      });
      return known;
    },
  };
}

/** For searching what is sealed: the same for the same text, and nobody without the key can try texts. */
export async function searchHash(queries: AskedWithKeys, what: 'reference' | 'recipient', text: string) {
  const key = await queries.keys.searchKey(queries);
  return createHmac('sha256', key).update(`${what}\0${text}`).digest();
}

/** For sealing what belongs to no case. @param purpose what it is for: a key of one is no key of another */
export async function purposeKey(queries: AskedWithKeys, purpose: string, bytes = 32): Promise<Uint8Array> {
  const key = await queries.keys.searchKey(queries);
  return new Uint8Array(hkdfSync('sha256', key, '', purpose, bytes));
}

/** The columns that are sealed by cases' data keys; which one is bound to what stands there. */
export type Place =
  | 'cases.sealed'
  | 'case_texts.sealed'
  | 'case_corrections.sealed'
  | 'case_persons.sealed'
  | 'case_persons.sealed_reason'
  | 'operator_log.sealed_note';

/** A case's own key: whatever it has sealed is gone with it, in every copy. */
export interface DataKey {
  readonly caseId: string;
  readonly key: KeyObject;
  /** As it stands in `keys.data_keys`. */
  readonly wrapped: string;
}

export async function newDataKey({ keys }: Pick<AskedWithKeys, 'keys'>, caseId: CaseId): Promise<DataKey> {
  const key = randomBytes(32);
  return { caseId, key: createSecretKey(key), wrapped: await keys.master.wrap(key, caseId) };
}

/** There is no such case, or its data key is gone. */
class CaseErased extends Error {
  override readonly name = 'CaseErased';
}

/** @throws CaseErased */
export async function readDataKey(queries: AskedWithKeys, caseId: CaseId): Promise<DataKey> {
  const wrapped = await queries.maybeOneFirst(sql.type(wrappedRow)`
    SELECT wrapped FROM keys.data_keys WHERE case_id = ${caseId}`);
  if (wrapped === null) throw new CaseErased('no data key for this case');
  return { caseId, wrapped, key: createSecretKey(await queries.keys.master.unwrap(wrapped, caseId)) };
}

/** A value for a column of bytea. @param fields opened, they are fields of the row that they are read with */
export const seal = (
  { caseId, key }: DataKey,
  place: Place,
  fields: Readonly<Record<string, string | null>>,
) => sql.binary(encrypt(key, Buffer.from(JSON.stringify(fields)), `${place} ${caseId}`));

/** Selects a case's key, for what a query selects by {@link sealed} beside it. */
export const keyOf = (caseId: FragmentSqlToken) => sql.fragment`
  (SELECT data_key.case_id || ' ' || data_key.wrapped FROM keys.data_keys AS data_key
   WHERE data_key.case_id = ${caseId}) AS case_key`;

const PREFIX = 'sealed:';

/** Selects a sealed column: its fields are the row's own by the time that it is held against its schema. */
export const sealed = (column: FragmentSqlToken, place: Place) =>
  sql.fragment`${column} AS ${sql.identifier([PREFIX + place])}`;

/** Opens what is sealed in a row. Of a case without a key, what was sealed lacks. */
export async function openRow({ master }: Keyring, row: QueryResultRow): Promise<QueryResultRow> {
  const { case_key: caseKey, ...rest } = row;
  if (typeof caseKey !== 'string') return row;
  const [caseId = '', wrapped = ''] = caseKey.split(' ');
  const key = createSecretKey(await master.unwrap(wrapped, caseId));
  const opened: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(rest)) {
    if (!name.startsWith(PREFIX)) opened[name] = value;
    else if (value instanceof Buffer) {
      const fields = decrypt(key, value, `${name.slice(PREFIX.length)} ${caseId}`);
      Object.assign(opened, JSON.parse(fields.toString()));
    }
  }
  return opened as QueryResultRow;
}
