import type { Connection } from '@temporalio/client';
import type { SearchAttributeTypes } from './search-attributes.ts';

/** IndexedValueType of Temporal's API. */
const INDEXED_VALUE_TYPES = { Keyword: 2, Datetime: 6 } as const;

/** Adds what a running server lacks; what it has already stays. */
export async function addMissingSearchAttributes(
  connection: Connection,
  namespace: string,
  wanted: SearchAttributeTypes,
): Promise<void> {
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  const missing = Object.entries(wanted).filter(([name]) => !Object.hasOwn(customAttributes, name));
  if (missing.length > 0) await addSearchAttributes(connection, namespace, Object.fromEntries(missing));
}

/** Without a look first: the time-skipping server can add them and cannot list them. */
export async function addSearchAttributes(
  connection: Connection,
  namespace: string,
  attributes: SearchAttributeTypes,
): Promise<void> {
  await connection.operatorService.addSearchAttributes({
    namespace,
    searchAttributes: Object.fromEntries(
      Object.entries(attributes).map(([name, type]) => [name, INDEXED_VALUE_TYPES[type]]),
    ),
  });
}
