import { z } from 'zod';
import { operation } from '../operation.ts';

export const readDescription = operation({
  id: 'readDescription',
  method: 'get',
  path: '/openapi.json',
  tag: 'API description',
  access: 'anybody',
  summary: 'Read this description',
  description:
    'OpenAPI 3.1, made of the schemas by which requests are parsed. Good for generating a client; the dates in its examples ' +
    'are those of today.',
  answer: {
    status: 200,
    description: 'The whole API.',
    schema: z
      .looseObject({
        openapi: z.literal('3.1.0'),
        info: z.looseObject({ title: z.string(), version: z.string() }),
        paths: z.record(z.string(), z.unknown()),
      })
      .meta({ id: 'ApiDescription', description: 'An OpenAPI document.' }),
    examples: {
      beginning: {
        summary: 'How it begins',
        value: () => ({ openapi: '3.1.0', info: { title: 'Treatment booking', version: '1' }, paths: {} }),
      },
    },
  },
});
