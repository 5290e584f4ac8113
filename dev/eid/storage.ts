import { randomBytes } from 'node:crypto';
import type { JWK } from 'jose';
import type { Adapter, AdapterPayload } from 'oidc-provider';

interface Entry {
  readonly payload: AdapterPayload;
  readonly expiresAt: number;
}

export interface EidStorage {
  readonly adapter: (model: string) => Adapter;
  /** What cookies are signed with. */
  readonly cookieKey: string;
  /** What it signs with, and before it what it signed with until the latest change: that key stays published. */
  readonly keys: JWK[];
}

/** Logins under way, kept in memory: a restart forgets them, and whoever was logging in begins again. */
export const createStorage = (): EidStorage => ({
  adapter: createAdapter(),
  cookieKey: randomBytes(32).toString('hex'),
  keys: [],
});

function createAdapter(): EidStorage['adapter'] {
  const entries = new Map<string, Entry>();

  return (model) => {
    const keyOf = (id: string) => `${model}:${id}`;
    const lookUp = (matches: (payload: AdapterPayload, key: string) => boolean) => {
      for (const [key, { payload, expiresAt }] of entries) {
        if (expiresAt <= Date.now()) entries.delete(key);
        else if (key.startsWith(keyOf('')) && matches(payload, key)) return payload;
      }
      return undefined;
    };
    return {
      async upsert(id, payload, expiresIn) {
        entries.set(keyOf(id), {
          payload,
          expiresAt: Date.now() + (expiresIn ?? 3600) * 1000,
        });
      },
      find: async (id) => lookUp((_, key) => key === keyOf(id)),
      findByUid: async (uid) => lookUp((payload) => payload.uid === uid),
      findByUserCode: async (userCode) => lookUp((payload) => payload.userCode === userCode),
      async consume(id) {
        const entry = entries.get(keyOf(id));
        if (entry !== undefined) entry.payload.consumed = Math.floor(Date.now() / 1000);
      },
      async destroy(id) {
        entries.delete(keyOf(id));
      },
      async revokeByGrantId(grantId) {
        for (const [key, { payload }] of entries) if (payload.grantId === grantId) entries.delete(key);
      },
    };
  };
}
