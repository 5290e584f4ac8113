/** Anything of Temporal's with its payloads in plain text: what whoever may read histories can read. */
export function decoded(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => {
    if (inner instanceof Uint8Array) return Buffer.from(inner).toString('utf8');
    // Buffers turn themselves into this before they get here
    if (isBuffer(inner)) return Buffer.from(inner.data).toString('utf8');
    return typeof inner === 'bigint' ? inner.toString() : inner;
  });
}

const isBuffer = (value: unknown): value is { type: 'Buffer'; data: number[] } =>
  typeof value === 'object' &&
  value !== null &&
  'type' in value &&
  value.type === 'Buffer' &&
  'data' in value;
