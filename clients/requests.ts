import type { oas31 } from 'zod-openapi';

type Description = oas31.OpenAPIObject;

/** One request that can be sent as it stands, but for a key and an id. */
interface Sample {
  readonly tag: string;
  readonly title: string;
  readonly method: string;
  /** Its parameters in double braces. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** The calls of partners' systems and users, with each example of a body. What is the customer's is the browser's. */
function samplesOf({ paths = {} }: Description): Sample[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, called]): Sample[] => {
      const { tags = [], summary = '', security = [], requestBody } = called as oas31.OperationObject;
      const [tag = ''] = tags;
      if (tag === 'Booking') return [];
      const [scheme = ''] = security.flatMap((one) => Object.keys(one));
      const sample = {
        tag,
        method: method.toUpperCase(),
        path: path.replaceAll('{', '{{').replaceAll('}', '}}'),
        headers: HEADERS_OF[scheme] ?? {},
      };
      const content = (requestBody as oas31.RequestBodyObject | undefined)?.content['application/json'];
      const bodies = Object.values(content?.examples ?? {}) as oas31.ExampleObject[];
      if (bodies.length === 0) return [{ ...sample, title: summary, body: null }];
      return bodies.map(({ summary: which = '', value }) => ({
        ...sample,
        title: `${summary}: ${which}`,
        headers: { ...sample.headers, 'Content-Type': 'application/json' },
        body: JSON.stringify(value, null, 2),
      }));
    }),
  );
}

const HEADERS_OF: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  apiKey: { 'X-API-Key': '{{apiKey}}' },
  accessToken: { Authorization: 'Bearer {{accessToken}}' },
};

const variablesOf = ({ servers = [] }: Description): Readonly<Record<string, string>> => ({
  baseUrl: servers[0]?.url ?? '',
  apiKey: 'tb_test_…',
  accessToken: 'tb_at_…',
  caseId: '',
  keyId: '',
});

/** For editors that send requests from a file, such as VS Code and IntelliJ. */
export function httpFile(description: Description): string {
  const variables = Object.entries(variablesOf(description)).map(([name, value]) => `@${name} = ${value}`);
  const requests = samplesOf(description).map(({ tag, title, method, path, headers, body }) =>
    [
      `### ${tag}: ${title}`,
      `${method} {{baseUrl}}${path}`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      ...(body === null ? [] : ['', body]),
    ].join('\n'),
  );
  return `${[variables.join('\n'), ...requests].join('\n\n')}\n`;
}

/** For Postman and what reads its collections (version 2.1). */
export function postmanCollection(description: Description) {
  const folders = Map.groupBy(samplesOf(description), ({ tag }) => tag);
  return {
    info: {
      name: description.info.title,
      description: 'Set apiKey; the calls about one case take its caseId.',
      version: description.info.version,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    variable: Object.entries(variablesOf(description)).map(([key, value]) => ({ key, value })),
    item: [...folders].map(([name, samples]) => ({
      name,
      item: samples.map(({ title, method, path, headers, body }) => ({
        name: title,
        request: {
          method,
          url: {
            raw: `{{baseUrl}}${path}`,
            host: ['{{baseUrl}}'],
            path: path.slice(1).split('/'),
          },
          header: Object.entries(headers).map(([key, value]) => ({ key, value })),
          ...(body === null
            ? {}
            : { body: { mode: 'raw', raw: body, options: { raw: { language: 'json' } } } }),
        },
      })),
    })),
  };
}
