import type { History } from '@temporalio/common/lib/proto-utils.js';

/**
 * A history as text. Not as `historyToJSON` writes it: that breaks where npm installs two copies of protobufjs, which
 * is npm's to choose.
 */
export const writeHistory = (history: History): string => `${JSON.stringify(plain(history))}\n`;

export const readHistory = (text: string): History =>
  JSON.parse(text, (_, value: unknown) =>
    typeof value === 'object' && value !== null && 'base64' in value
      ? Buffer.from(String(value.base64), 'base64')
      : value,
  ) as History;

function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return { base64: Buffer.from(value).toString('base64') };
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    // A stack names the directories of the machine it was written on, and no replay reads it.
    Object.entries(value).map(([key, inner]) => [key, key === 'stackTrace' ? '' : plain(inner)]),
  );
}
