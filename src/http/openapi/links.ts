import type { ZodOpenApiLinkObject } from 'zod-openapi';
import type { Operation } from '../operation.ts';

/** Whose answers have the id of something that other calls take in their path. */
const SOURCES: Readonly<Record<string, { readonly parameter: string; readonly from: string }>> = {
  createCase: { parameter: 'caseId', from: '$response.body#/id' },
  listCases: { parameter: 'caseId', from: '$response.body#/data/0/id' },
  listEvents: { parameter: 'caseId', from: '$response.body#/data/0/caseId' },
  createApiKey: { parameter: 'keyId', from: '$response.body#/id' },
  listApiKeys: { parameter: 'keyId', from: '$response.body#/data/0/id' },
};

/** What can be done next with what an answer names: for programs that find their way by the description. */
export function linksOf({ id }: Operation, operations: readonly Operation[]) {
  const source = SOURCES[id];
  if (!source) return {};
  const { parameter, from } = source;
  const next = operations.filter(({ path }) => path.includes(`{${parameter}}`));
  const links = next.map(({ id: operationId }): [string, ZodOpenApiLinkObject] => [
    operationId,
    { operationId, parameters: { [parameter]: from } },
  ]);
  return Object.fromEntries(links);
}
