import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { DataConverter, Payload, PayloadCodec } from '@temporalio/common';
import proto from '@temporalio/proto';

const wire = proto.temporal.api.common.v1.Payload;

/** A key by its id, which is written beside what it encrypts. */
export interface PayloadKey {
  readonly id: string;
  /** 32 bytes */
  readonly key: Buffer;
}

/** As Temporal's samples for all SDKs call it, so that tools know it for what it is. */
const ENCRYPTED = 'binary/encrypted';
const KEY_ID = 'encryption-key-id';
const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** A payload that can not be read here. The message says why, and nothing of what is in it. */
export class UnreadablePayload extends Error {
  override readonly name = 'UnreadablePayload';
  readonly code: 'PAYLOAD_KEY_UNKNOWN' | 'PAYLOAD_DAMAGED';

  constructor(code: UnreadablePayload['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Encrypts what Temporal keeps of inputs, results and failures with AES-256-GCM: the initialization vector, what is
 * encrypted, and the tag, which holds for the key's id as well. What was written before there was a key stays readable.
 *
 * @param keys the first encrypts, all decrypt; none leaves everything as it is
 */
export function createPayloadCodec(keys: readonly PayloadKey[]): PayloadCodec {
  const byId = new Map(keys.map(({ id, key }) => [id, key]));
  const [current] = keys;

  const encrypt = (payload: Payload): Payload => {
    if (current === undefined) return payload;
    const id = Buffer.from(current.id);
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(CIPHER, current.key, iv).setAAD(id);
    const data = Buffer.concat([iv, cipher.update(wire.encode(payload).finish()), cipher.final()]);
    return {
      metadata: { encoding: Buffer.from(ENCRYPTED), [KEY_ID]: id },
      data: Buffer.concat([data, cipher.getAuthTag()]),
    };
  };

  const decrypt = (payload: Payload): Payload => {
    if (textOf(payload, 'encoding') !== ENCRYPTED) return payload;
    const id = textOf(payload, KEY_ID);
    const key = byId.get(id);
    if (key === undefined)
      throw new UnreadablePayload(
        'PAYLOAD_KEY_UNKNOWN',
        `It is encrypted with the key "${id}", which is not among TEMPORAL_PAYLOAD_KEYS here.`,
      );
    const data = payload.data ?? new Uint8Array();
    try {
      const decipher = createDecipheriv(CIPHER, key, data.subarray(0, IV_BYTES)).setAAD(Buffer.from(id));
      decipher.setAuthTag(data.subarray(-TAG_BYTES));
      return wire.decode(
        Buffer.concat([decipher.update(data.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]),
      );
    } catch {
      throw new UnreadablePayload(
        'PAYLOAD_DAMAGED',
        `It is not what was encrypted with the key "${id}", or that is another key.`,
      );
    }
  };

  return {
    encode: async (payloads) => payloads.map(encrypt),
    decode: async (payloads) => payloads.map(decrypt),
  };
}

const textOf = ({ metadata }: Payload, name: string): string =>
  Buffer.from(metadata?.[name] ?? []).toString();

/** How clients and workers read and write what Temporal keeps. Without keys, as the SDK does by itself. */
export const dataConverterOf = (keys: readonly PayloadKey[]): DataConverter =>
  keys.length === 0
    ? {}
    : {
        payloadCodecs: [createPayloadCodec(keys)],
        // a failure's words are no payload, unless this makes them one; workflows' own are always (workflow-bundle.ts)
        failureConverterPath: FAILURE_CONVERTER,
      };

const FAILURE_CONVERTER = fileURLToPath(new URL('../../workflows/failure-converter.cjs', import.meta.url));
