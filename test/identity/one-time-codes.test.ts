import { describe, expect, it } from '@jest/globals';
import { CompactEncrypt } from 'jose';
import { Secret } from 'otpauth';
import { createOneTimeCodes } from '../../src/identity/one-time-codes.ts';
import { codeOf } from '../support/partner-user.ts';

const KEY = new Uint8Array(32);
const at = (seconds: number, key = KEY) =>
  createOneTimeCodes({
    sealingKey: () => Promise.resolve(key),
    issuer: 'booking.example.com',
    now: () => new Date(seconds * 1000),
  });
const now = () => Date.now() / 1000;

/** As the service keeps it. */
const sealed = (ascii: string) =>
  new CompactEncrypt(Secret.fromLatin1(ascii).bytes)
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .encrypt(KEY);

describe('one-time codes', () => {
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('are those of RFC 6238, appendix B: at %d s %s', async (seconds, code) => {
    const secret = await sealed('12345678901234567890');
    expect(await at(seconds).stepOf(secret, code)).toBe(Math.floor(seconds / 30));
  });

  it('are good half a minute before and after their own, and no longer', async () => {
    const secret = await sealed('12345678901234567890');
    const steps = [-60, -30, 0, 30, 60].map((off) => at(1_111_111_111 + off).stepOf(secret, '050471'));
    expect(await Promise.all(steps)).toEqual([null, 37037037, 37037037, 37037037, null]);
  });

  it('come from a secret of their own for each account, which an app reads from the URI', async () => {
    const codes = at(now());
    const [one, other] = [await codes.enrol('kim@fjordtrygd.example'), await codes.enrol('kim@x.example')];
    expect(one.uri).toMatch(
      /^otpauth:\/\/totp\/booking\.example\.com:kim%40fjordtrygd\.example\?issuer=booking\.example\.com&secret=[A-Z2-7]{32}&algorithm=SHA1&digits=6&period=30$/,
    );
    expect(await codes.stepOf(one.sealed, codeOf(one.uri))).toEqual(expect.any(Number));
    expect(await codes.stepOf(one.sealed, codeOf(other.uri))).toBeNull();
  });

  it('are none with another key, or a seal that was altered', async () => {
    const { uri, sealed: kept } = await at(now()).enrol('kim@fjordtrygd.example');
    expect(await at(now(), new Uint8Array(32).fill(1)).stepOf(kept, codeOf(uri))).toBeNull();
    expect(await at(now()).stepOf(`${kept.slice(0, -3)}AAA`, codeOf(uri))).toBeNull();
    expect(await at(now()).stepOf('', codeOf(uri))).toBeNull();
  });
});
