import type { Connection } from '@temporalio/client';
import type { SearchAttributeTypes } from './search-attributes.ts';

/** IndexedValueType of Temporal's API. */
const INDEXED_VALUE_TYPES = { Keyword: 2, Datetime: 6 } as const;

/** Adds what a running server lacks; what it has already stays. */
export async function registerSearchAttributes(
  connection: Connection,
  namespace: string,
  wanted: SearchAttributeTypes,
): Promise<void> {
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  const missing = Object.entries(wanted).filter(([name]) => !Object.hasOwn(customAttributes, name));
  if (missing.length === 0) return;
  await connection.operatorService.addSearchAttributes({
    namespace,
    searchAttributes: Object.fromEntries(missing.map(([name, type]) => [name, INDEXED_VALUE_TYPES[type]])),
  });
}
