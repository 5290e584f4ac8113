import { isDeepStrictEqual } from 'node:util';
import type { AnyKnown } from './resources.ts';

export type JsonPatch = readonly {
  readonly op: 'add' | 'remove' | 'replace' | 'test';
  readonly path: string;
  readonly value?: unknown;
}[];

const NOT_OURS = new Set(['id', 'meta', 'resourceType']);

/**
 * What turns one into the other, an element of the resource at a time (RFC 6902).
 * @param isGuarded tests first that what is replaced is still as it was: for servers that keep no versions
 */
export function patchOf(
  before: AnyKnown,
  after: AnyKnown,
  { isGuarded }: { readonly isGuarded: boolean },
): JsonPatch {
  const old = new Map<string, unknown>(Object.entries(before));
  const fresh = new Map<string, unknown>(Object.entries(after));
  return [...new Set([...old.keys(), ...fresh.keys()])]
    .filter((key) => !NOT_OURS.has(key) && !isDeepStrictEqual(old.get(key), fresh.get(key)))
    .flatMap((key): JsonPatch => {
      const path = `/${key}`;
      const value = fresh.get(key);
      if (!old.has(key)) return [{ op: 'add', path, value }];
      const test: JsonPatch = isGuarded ? [{ op: 'test', path, value: old.get(key) }] : [];
      return [...test, fresh.has(key) ? { op: 'replace', path, value } : { op: 'remove', path }];
    });
}
