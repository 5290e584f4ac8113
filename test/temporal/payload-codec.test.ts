import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import { createPayloadCodec, type PayloadKey } from '../../src/temporal/payload-codec.ts';

const keyOf = (id: string): PayloadKey => ({ id, key: randomBytes(32) });
const [OLD, NEW] = [keyOf('2026-11'), keyOf('2026-12')];
const VALUES = [{ deadline: '2026-12-24', hasAddress: { email: true } }, 'nordlys', null, undefined];
const PAYLOADS = VALUES.map((value) => defaultPayloadConverter.toPayload(value));
const valuesOf = (payloads: readonly Payload[]) =>
  payloads.map((payload) => defaultPayloadConverter.fromPayload(payload));
const shown = ({ metadata = {}, data }: Payload) =>
  [...Object.entries(metadata ?? {}).flat(), data].map((part) => Buffer.from(part ?? '').toString('latin1'));

describe('what Temporal keeps', () => {
  it('is encrypted, says with which key, and looks different each time', async () => {
    const codec = createPayloadCodec([OLD]);
    const [first, again] = [await codec.encode(PAYLOADS), await codec.encode(PAYLOADS)];
    for (const payload of first) {
      const [, encoding, , id, data] = shown(payload);
      expect([encoding, id]).toEqual(['binary/encrypted', '2026-11']);
      expect(data).not.toMatch(/deadline|nordlys|json\/plain/);
    }
    expect(first[1]?.data).not.toEqual(again[1]?.data);
    expect(valuesOf(await codec.decode(first))).toEqual(VALUES);
  });

  it('is read with every key that is known while one replaces another, and written with the first', async () => {
    const [before, meanwhile, after] = [[OLD, NEW], [NEW, OLD], [NEW]].map(createPayloadCodec);
    const old = (await before?.encode(PAYLOADS)) ?? [];
    const young = (await meanwhile?.encode(PAYLOADS)) ?? [];
    expect([old, young].map(([one]) => one && shown(one)[3])).toEqual(['2026-11', '2026-12']);
    expect(valuesOf((await meanwhile?.decode([...old, ...young])) ?? [])).toEqual([...VALUES, ...VALUES]);
    expect(valuesOf((await before?.decode(young)) ?? [])).toEqual(VALUES);
    await expect(after?.decode(old)).rejects.toMatchObject({
      code: 'PAYLOAD_KEY_UNKNOWN',
      message: expect.stringContaining('"2026-11"'),
    });
  });

  it.each<[string, (payload: Payload) => Payload]>([
    ['a byte of it', (it) => ({ ...it, data: it.data?.map((byte, i) => (i === 20 ? byte ^ 1 : byte)) })],
    ['its end', (it) => ({ ...it, data: it.data?.subarray(0, -1) })],
    ['all of it', (it) => ({ ...it, data: new Uint8Array() })],
    [
      'the id of its key',
      (it) => ({ ...it, metadata: { ...it.metadata, 'encryption-key-id': Buffer.from('other') } }),
    ],
  ])('is not taken for what it was when %s was changed', async (_, change) => {
    const codec = createPayloadCodec([NEW, { ...NEW, id: 'other' }]);
    const changed = (await codec.encode(PAYLOADS)).map(change);
    await expect(codec.decode(changed)).rejects.toMatchObject({ code: 'PAYLOAD_DAMAGED' });
  });

  it('stays as it is without a key, and what was written before there was one is read with it', async () => {
    expect(await createPayloadCodec([]).encode(PAYLOADS)).toEqual(PAYLOADS);
    expect(await createPayloadCodec([NEW]).decode(PAYLOADS)).toEqual(PAYLOADS);
  });
});
