import { createDocument, type ZodOpenApiPathsObject } from 'zod-openapi';
import type { Environment } from '../../keys/api-key.ts';
import { TAGS, type InputContext, type Operation } from '../operation.ts';
import { describeCall } from './call.ts';
import { errorExamples } from './errors.ts';
import { HEADER_COMPONENTS } from './headers.ts';
import { plainly, tidy } from './plainly.ts';
import type { Prose } from './prose.ts';
import { securitySchemes } from './security.ts';

export interface DescribedService {
  readonly environment: Environment;
  /** Without a trailing slash. */
  readonly publicUrl: string;
  readonly supportEmail: string;
  readonly sessionCookie: string;
  readonly prose: Prose;
  readonly operations: readonly Operation[];
}

/** The API's description, OpenAPI 3.1, made of what its routes parse and answer by. */
export function describeApi(service: DescribedService, context: InputContext) {
  const { environment, publicUrl, supportEmail, sessionCookie, prose } = service;
  const operations = service.operations.filter(({ tag }) => tag !== 'Sandbox' || environment === 'test');
  const used = TAGS.filter((name) => operations.some(({ tag }) => tag === name));
  const paths: ZodOpenApiPathsObject = {};
  for (const operation of operations) {
    const { path, method } = operation;
    paths[path] = { ...paths[path], [method]: describeCall(operation, { operations, context }) };
  }
  const document = createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'Treatment booking',
        summary: 'Hand over an injury case; the customer books the treatment.',
        description: prose.guide,
        version: '1',
        contact: { name: 'Support', email: supportEmail },
      },
      servers: [
        {
          url: `${publicUrl}/api/v1`,
          description: environment === 'test' ? 'The test environment' : 'Production',
        },
      ],
      tags: used.map((name) => ({ name, description: prose.tags[name] ?? '' })),
      paths,
      components: {
        securitySchemes: securitySchemes(sessionCookie),
        headers: HEADER_COMPONENTS,
        examples: errorExamples(context.today),
      },
    },
    { override: plainly },
  );
  return tidy(document);
}
