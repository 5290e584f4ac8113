import { beforeAll, describe, expect, it } from '@jest/globals';
import { validate } from '@scalar/openapi-parser';
import formats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Router } from 'express';
import { dateAt } from '../../src/calendar/dates.ts';
import { OPERATIONS } from '../../src/http/api-description.ts';
import { api } from '../../src/http/api.ts';
import type { Dependencies } from '../../src/http/dependencies.ts';
import { ERROR_CODES } from '../../src/http/error-codes.ts';
import { describeApi } from '../../src/http/openapi/document.ts';
import { refusalsOf } from '../../src/http/openapi/errors.ts';
import type { Environment } from '../../src/identity/secrets.ts';
import type { Json } from '../support/browser.ts';
import { useService } from '../support/use-service.ts';

describe('GET /openapi.json', () => {
  const service = useService('api');
  let document: Json;
  beforeAll(async () => {
    document = (await service.nobody.get<Json>('/openapi.json')).body;
  });

  /** Every described call: where in the document it is, and what stands there. */
  const calls = () =>
    entries(document.paths).flatMap(([path, methods]) =>
      entries(methods).map(
        ([method, call]) => [`/paths/${path.replaceAll('/', '~1')}/${method}`, call] as const,
      ),
    );
  /** Every JSON body with a schema and examples: requests, answers, errors. */
  const contents = () => {
    const own = calls().flatMap(([pointer, { requestBody, responses }]) => {
      const bodies = entries(responses).map(
        ([status, response]) => [`${pointer}/responses/${status}`, response] as const,
      );
      return requestBody ? [[`${pointer}/requestBody`, requestBody] as const, ...bodies] : bodies;
    });
    const shared = entries(document.components.responses).map(
      ([name, response]) => [`/components/responses/${name}`, response] as const,
    );
    return [...own, ...shared]
      .filter(([, { $ref }]) => $ref === undefined)
      .map<[string, Json]>(([pointer, { content }]) => [
        `${pointer}/content/application~1json`,
        content['application/json'],
      ]);
  };

  it('is valid OpenAPI 3.1, for anybody, as JSON', async () => {
    const { valid, errors } = await validate(document);
    expect(errors).toEqual([]);
    expect([valid, document.openapi]).toEqual([true, '3.1.0']);
    const reply = await service.nobody.get('/openapi.json', { Accept: 'text/html' });
    expect(reply.headers.get('Content-Type')).toBe('application/json; charset=utf-8');
    expect(reply.headers.get('RateLimit-Policy')).toMatch(/"public"/);
  });

  it('comes compressed, as every long answer, where that is asked for', async () => {
    const encodingOf = async (path: string, encoding: string) => {
      const headers = { 'Accept-Encoding': encoding, 'X-API-Key': service.partnerKey };
      return (await fetch(service.apiUrl + path, { headers })).headers.get('Content-Encoding');
    };
    for (const encoding of ['br', 'gzip']) expect(await encodingOf('/openapi.json', encoding)).toBe(encoding);
    expect(await encodingOf('/openapi.json', 'identity')).toBeNull();
    expect(await encodingOf('/cases', 'gzip')).toBeNull();
  });

  it('says where it is, and whom to ask', () => {
    expect(document.servers).toEqual([{ url: service.apiUrl, description: 'The test environment' }]);
    expect(document.info.contact.email).toBe('hjelp@timebestilling.example');
  });

  it('has no example that its own schema refuses', () => {
    const ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: true });
    formats.default(ajv);
    ajv.addVocabulary(Object.keys(document as object));
    ajv.addSchema(document, 'api');
    const refused = contents().flatMap(([pointer, { examples }]) => {
      const isValid = ajv.compile({ $ref: `api#${pointer}/schema` });
      return entries(examples).flatMap(([name, example]) => {
        const { value } = example.$ref
          ? document.components.examples[example.$ref.split('/').at(-1)]
          : example;
        return isValid(value) ? [] : [[pointer, name, ajv.errorsText(isValid.errors)]];
      });
    });
    expect(refused).toEqual([]);
    expect(contents().length).toBeGreaterThan(OPERATIONS.length);
  });

  it('has a named example for every body, and for every code that a call may answer', () => {
    for (const [pointer, { examples }] of contents()) {
      expect([pointer, Object.keys(examples as object)]).not.toEqual([pointer, []]);
      for (const [, example] of entries(examples))
        expect([pointer, example.summary ?? example.$ref]).toEqual([pointer, expect.stringMatching(/./)]);
    }
    for (const operation of OPERATIONS) {
      const call = document.paths[operation.path][operation.method];
      expect(call['x-error-codes']).toEqual(refusalsOf(operation));
      for (const code of refusalsOf(operation)) {
        const name = call.responses[ERROR_CODES[code].status].$ref.split('/').at(-1);
        const { content } = document.components.responses[name];
        expect(Object.keys(content['application/json'].examples)).toContain(code);
        expect(content['application/json'].schema).toEqual({ $ref: '#/components/schemas/Error' });
      }
    }
  });

  it('says of every call and everything that it takes what it is', () => {
    const unsaid: string[] = [];
    for (const [pointer, call] of calls()) {
      if (!call.summary || !call.description || call.tags.length !== 1) unsaid.push(pointer);
      for (const { name, description, schema } of call.parameters ?? [])
        if (!description || saysNothing(schema)) unsaid.push(`${pointer} ${name}`);
      const body = call.requestBody?.content['application/json'].schema;
      if (body && body.additionalProperties !== false) unsaid.push(`${pointer} takes whatever`);
      for (const [name, schema] of entries(body?.properties))
        if (!schema.description || saysNothing(schema)) unsaid.push(`${pointer} ${name}`);
    }
    for (const [name, { description, properties = {} }] of entries(document.components.schemas)) {
      if (!description) unsaid.push(name);
      for (const [field, schema] of entries(properties))
        if (saysNothing(schema)) unsaid.push(`${name}.${field}`);
    }
    expect(unsaid).toEqual([]);
  });

  it('is such that generators make clients of it that compile and go on working', () => {
    const odd: string[] = [];
    const look = (part: Json, at: string) => {
      if (typeof part !== 'object' || part === null) return;
      // openapi-generator makes no classes of what is an object or null
      if (Array.isArray(part.type) && part.type.includes('object')) odd.push(`${at}: ${part.type}`);
      if (['number', 'boolean'].includes(typeof part.const)) odd.push(`${at}: const ${part.const}`);
      for (const [key, inner] of entries(part))
        if (!['example', 'examples', 'default', 'enum'].includes(key)) look(inner, `${at}/${key}`);
    };
    look(document.paths, 'paths');
    look(document.components, 'components');
    expect(odd).toEqual([]);
    const { schemas } = document.components;
    expect(schemas.Error.properties.statusCode.type).toBe('integer');
    for (const name of ['EventType', 'MessageKind', 'VerificationReason', 'ErrorCode', 'FieldCode'])
      expect([name, schemas[name].anyOf[1]]).toEqual([name, { type: 'string' }]);
    expect(schemas.CaseStatus.anyOf).toBeUndefined();
  });

  it('leads from an answer to what can be done with it', () => {
    const { links } = document.paths['/cases'].post.responses['201'];
    expect(links.recallCase).toEqual({
      operationId: 'recallCase',
      parameters: { caseId: '$response.body#/id' },
    });
    const known = calls().map(([, { operationId }]) => operationId);
    for (const [, { responses }] of calls())
      for (const [, response] of entries(responses))
        for (const [, { operationId }] of entries(response.links)) expect(known).toContain(operationId);
  });

  it('is made anew when the day changes in Norway', async () => {
    const later = await service.alsoAt(() => new Date('2027-03-04T22:59:00Z'));
    const examples = async () =>
      JSON.stringify((await later.get<Json>('/openapi.json')).body.paths['/cases'].post);
    expect(await examples()).toContain('"injuryDate":"2027-02-02"');
    expect(JSON.stringify(document.paths['/cases'].post)).not.toContain('2027-02-02');
  });
});

const entries = (part: Json): [string, Json][] => Object.entries((part ?? {}) as object);

/** A schema by which anything is right. */
const saysNothing = (schema: Json): boolean =>
  ['type', '$ref', 'anyOf', 'oneOf', 'allOf', 'enum', 'const'].every((keyword) => !(keyword in schema));

describe('the calls that are served', () => {
  it.each<Environment>(['test', 'production'])('in %s are those that are described', (environment) => {
    const described = OPERATIONS.filter(({ tag }) => tag !== 'Sandbox' || environment === 'test');
    expect(served(environment)).toEqual(described.map(({ method, path }) => `${method} ${path}`).sort());
    const { paths } = describeApi(serviceIn(environment), {
      today: dateAt(new Date()),
      offered: [],
      smsCountries: ['NO'],
    });
    expect(Object.keys(paths ?? {}).sort()).toEqual([...new Set(described.map(({ path }) => path))].sort());
  });

  it('answer each code of the registry somewhere', () => {
    const answered = new Set(OPERATIONS.flatMap(refusalsOf));
    // where there is no call
    answered.add('NOT_FOUND');
    expect([...answered].sort()).toEqual(Object.keys(ERROR_CODES).sort());
  });

  it('have ids of their own', () => {
    const ids = OPERATIONS.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

const serviceIn = (environment: Environment) => ({
  environment,
  publicUrl: 'https://booking.example',
  supportEmail: 'help@booking.example',
  sessionCookie: 'session',
  otherEnvironmentUrl: null,
  prose: { guide: '', tags: {} },
  operations: OPERATIONS,
});

/** The routes of the API, which are registered whatever they will work with. */
function served(environment: Environment): string[] {
  const router = api({ settings: serviceIn(environment), sessions: {} } as unknown as Dependencies);
  return routesOf(router).sort();
}

const routesOf = (router: Router): string[] =>
  router.stack.flatMap(({ route, handle }) =>
    route
      ? route.stack.map(({ method }) => `${method} ${route.path.replace(/:(\w+)/g, '{$1}')}`)
      : 'stack' in handle
        ? routesOf(handle as unknown as Router)
        : [],
  );
