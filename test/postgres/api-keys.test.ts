import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import type { PartnerId } from '../../src/domain/ids.ts';
import { instant } from '../../src/domain/instant.ts';
import { KEY_SCOPES } from '../../src/domain/limits.ts';
import { hashOfKey, hintOfKey, issueKey } from '../../src/identity/secrets.ts';
import {
  createKey,
  findKeyOwner,
  listKeys,
  noteKeyUse,
  revokeKey,
  rotateKey,
} from '../../src/postgres/api-keys.ts';
import { type Database, openDatabase } from '../../src/postgres/database.ts';
import { savePartner } from '../../src/postgres/providers.ts';
import { createTestDatabase } from '../support/database.ts';

const HOUR = 3_600_000;
const TERMS = { name: 'a key', expiresAt: null, scopes: KEY_SCOPES, allowedNetworks: null };

describe("a partner's keys", () => {
  let database: Database;
  beforeAll(async () => {
    database = await openDatabase(await createTestDatabase(), { maxPoolSize: 20 });
  });
  afterAll(() => database.end());

  let partners = 0;
  const newPartner = async () => {
    const id = `partner-${(partners += 1)}` as PartnerId;
    await savePartner(database, { id, name: id });
    return id;
  };
  const newKey = () => {
    const key = issueKey('test');
    return { keyHash: hashOfKey(key), hint: hintOfKey(key), by: null };
  };
  const create = async (partnerId: PartnerId, name = 'a key') => {
    const key = newKey();
    const outcome = await createKey(database, { ...TERMS, partnerId, name, ...key });
    if (!('created' in outcome)) throw new Error(outcome.refused);
    return { ...outcome.created, keyHash: key.keyHash };
  };
  const createMany = async (partnerId: PartnerId, count: number) => {
    for (let i = 0; i < count; i += 1) await create(partnerId);
  };
  const rotate = (partnerId: PartnerId, keyId: string, overlapHours = 24) =>
    rotateKey(database, { partnerId, keyId, overlapHours, ...newKey() });
  const lives = async (keyHash: Buffer) => (await findKeyOwner(database, keyHash)) !== null;
  const expireIn = (keyId: string, time: string) =>
    database.query(sql.type(z.object({}))`
      UPDATE api_keys SET expires_at = now() + ${time}::interval WHERE id = ${keyId}`);
  const expiryOf = async (partnerId: PartnerId, keyId: string) =>
    Date.parse((await listKeys(database, partnerId)).find(({ id }) => id === keyId)?.expires_at ?? '');

  it('are listed with what tells them apart, the live ones first, and never with their hash', async () => {
    const partnerId = await newPartner();
    const [first, second, third] = [await create(partnerId, 'first'), await create(partnerId), newKey()];
    await noteKeyUse(database, first.id);
    await revokeKey(database, partnerId, second.id);
    await createKey(database, { ...TERMS, partnerId, name: 'third', ...third });
    const listed = await listKeys(database, partnerId);
    expect(listed.map(({ name, revoked_at }) => [name, revoked_at !== null])).toEqual([
      ['third', false],
      ['first', false],
      ['a key', true],
    ]);
    expect(listed.map(({ last_used_at }) => last_used_at !== null)).toEqual([false, true, false]);
    expect(listed[0]?.hint).toBe(third.hint);
    expect(JSON.stringify(listed)).not.toContain('key_hash');
    expect(await listKeys(database, await newPartner())).toEqual([]);
  });

  it('are twenty at most, however many are made at once', async () => {
    const partnerId = await newPartner();
    const outcomes = await Promise.all(
      Array.from({ length: 40 }, () => createKey(database, { ...TERMS, partnerId, ...newKey() })),
    );
    expect(outcomes.filter((outcome) => 'created' in outcome)).toHaveLength(20);
    expect(outcomes).toContainEqual({ refused: 'limit_reached' });
    expect(await listKeys(database, partnerId)).toHaveLength(20);
  });

  it('that have ended make room for others', async () => {
    const partnerId = await newPartner();
    await createMany(partnerId, 18);
    const [revoked, expired] = [await create(partnerId), await create(partnerId)];
    await revokeKey(database, partnerId, revoked.id);
    await expireIn(expired.id, '-1 s');
    await createMany(partnerId, 2);
    const outcome = await createKey(database, { ...TERMS, partnerId, ...newKey() });
    expect(outcome).toEqual({ refused: 'limit_reached' });
  });

  it('are refused for a partner that there is not', async () => {
    const partnerId = 'nobody' as PartnerId;
    const outcome = await createKey(database, { ...TERMS, partnerId, ...newKey() });
    expect(outcome).toEqual({ refused: 'unknown_partner' });
  });

  describe('on rotation', () => {
    it('go on beside the new one, of the same name, for the hours asked for', async () => {
      const partnerId = await newPartner();
      const old = await create(partnerId, 'production');
      const outcome = await rotate(partnerId, old.id, 48);
      expect(outcome).toMatchObject({ created: { name: 'production', expires_at: null } });
      expect(await lives(old.keyHash)).toBe(true);
      expect(Math.abs((await expiryOf(partnerId, old.id)) - Date.now() - 48 * HOUR)).toBeLessThan(10_000);
      await expireIn(old.id, '0 s');
      expect(await lives(old.keyHash)).toBe(false);
    });

    it('have their terms, and their own end, not the one that a rotation has set', async () => {
      const partnerId = await newPartner();
      const expiresAt = instant(Date.now() + 100 * HOUR);
      const bounds = { scopes: ['cases:read'], allowedNetworks: ['192.0.2.0/24'] } as const;
      const outcome = await createKey(database, { ...TERMS, partnerId, expiresAt, ...bounds, ...newKey() });
      if (!('created' in outcome)) throw new Error(outcome.refused);
      const old = outcome.created;
      const terms = { expires_at: expiresAt, scopes: ['cases:read'], allowed_networks: ['192.0.2.0/24'] };
      for (let time = 0; time < 2; time += 1) {
        const rotated = await rotate(partnerId, old.id, 1);
        expect(rotated).toMatchObject({ created: { name: 'a key', ...terms } });
      }
    });

    it('end at once without an overlap', async () => {
      const partnerId = await newPartner();
      const old = await create(partnerId);
      await rotate(partnerId, old.id, 0);
      expect(await lives(old.keyHash)).toBe(false);
    });

    it('never live longer by it', async () => {
      const partnerId = await newPartner();
      const old = await create(partnerId);
      await rotate(partnerId, old.id, 1);
      const before = await expiryOf(partnerId, old.id);
      expect(await rotate(partnerId, old.id, 168)).toHaveProperty('created');
      expect(await expiryOf(partnerId, old.id)).toBe(before);
      await rotate(partnerId, old.id, 0);
      expect(await lives(old.keyHash)).toBe(false);
    });

    it('are refused once they ended, and when unknown or another partner’s, and nothing changes', async () => {
      const [partnerId, other] = [await newPartner(), await newPartner()];
      const [revoked, expired, another] = [
        await create(partnerId),
        await create(partnerId),
        await create(other),
      ];
      await revokeKey(database, partnerId, revoked.id);
      await expireIn(expired.id, '-1 s');
      expect(await rotate(partnerId, revoked.id)).toEqual({ refused: 'key_has_ended' });
      expect(await rotate(partnerId, expired.id)).toEqual({ refused: 'key_has_ended' });
      expect(await rotate(partnerId, another.id)).toEqual({ refused: 'unknown_key' });
      expect(await rotate(partnerId, randomUUID())).toEqual({ refused: 'unknown_key' });
      expect(await listKeys(database, partnerId)).toHaveLength(2);
      expect((await listKeys(database, other))[0]?.expires_at).toBeNull();
    });

    it('are twenty at most too, those that run out included', async () => {
      const partnerId = await newPartner();
      await createMany(partnerId, 19);
      const last = await create(partnerId);
      expect(await rotate(partnerId, last.id)).toEqual({ refused: 'limit_reached' });
      expect(await expiryOf(partnerId, last.id)).toBeNaN();
      expect(await rotate(partnerId, last.id, 0)).toHaveProperty('created');
    });
  });

  describe('on revocation', () => {
    it('end at once, and a second time changes nothing', async () => {
      const partnerId = await newPartner();
      const key = await create(partnerId);
      const first = await revokeKey(database, partnerId, key.id);
      expect(await lives(key.keyHash)).toBe(false);
      expect(await revokeKey(database, partnerId, key.id)).toEqual(first);
    });

    it('are let be when they are another partner’s', async () => {
      const [partnerId, other] = [await newPartner(), await newPartner()];
      const key = await create(other);
      expect(await revokeKey(database, partnerId, key.id)).toBeNull();
      expect(await lives(key.keyHash)).toBe(true);
    });
  });
});
