import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import openapiTS, { astToString } from 'openapi-typescript';
import { format } from 'prettier';
import type { oas31 } from 'zod-openapi';
import type { CalendarDate } from '../src/domain/instant.ts';
import { OPERATIONS } from '../src/http/api-description.ts';
import { describeApi } from '../src/http/openapi/document.ts';
import { changesOf } from './changes.ts';
import { httpFile, postmanCollection } from './requests.ts';

/**
 * The approved description, and what is made of it: `npm run openapi` writes them, `npm run check:openapi` says what has
 * changed since, and what of it breaks clients. Its prose is not in it, nor what another day or deployment would have.
 */
const DESCRIPTION = 'openapi.json';
const CHANGELOG = '../docs/partners/changelog.md';
const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });

const document = describeApi(
  {
    environment: 'test',
    publicUrl: 'https://booking.example',
    supportEmail: 'support@booking.example',
    sessionCookie: 'session',
    prose: { guide: 'The guide is at /docs.', tags: {} },
    operations: OPERATIONS,
  },
  { today: '2026-03-02' as CalendarDate, offered: ['psychology'], smsCountries: ['NO'] },
);
const plain = JSON.parse(JSON.stringify(document)) as oas31.OpenAPIObject;

const made = {
  [DESCRIPTION]: await asJson(plain),
  'typescript/schema.ts': `// Made by \`npm run openapi\`.\n${astToString(await openapiTS(JSON.stringify(plain)))}`,
  'treatment-booking.postman_collection.json': await asJson(postmanCollection(plain)),
  'treatment-booking.http': httpFile(plain),
};

const versions = await read(CHANGELOG).then((text) => [...text.matchAll(/^## (\S+)(?: \((.*)\))?$/gm)]);
const [newest] = versions;
const clientVersion = (JSON.parse(await read('typescript/package.json')) as { version: string }).version;
const faults: string[] = [];
for (const [what, version] of [
  [`the newest entry of ${CHANGELOG.replace('../', '')}`, newest?.[1]],
  ['clients/typescript/package.json', clientVersion],
])
  if (version !== plain.info.version)
    faults.push(`The description is ${plain.info.version}, and ${what} is ${version}.`);

const approved = JSON.parse(await read(DESCRIPTION).catch(() => '{}')) as typeof plain;
const { breaking, others, isSame } =
  'openapi' in approved ? changesOf(approved, plain) : { breaking: [], others: [], isSame: false };
const isReleased = /^\d{4}-/.test(newest?.[2] ?? '');
if (isReleased && !isSame && approved.info.version === plain.info.version)
  faults.push(`${plain.info.version} is released, so what is described now takes a version of its own.`);

for (const [title, words] of [
  ['Breaks clients', breaking],
  ['Changed, and breaks nothing', others],
] as const)
  if (words.length > 0) console.log(`${title}:\n${words.map((one) => `- ${one}`).join('\n')}\n`);

for (const [name, content] of Object.entries(made)) {
  if (values.check && (await read(name).catch(() => '')) !== content)
    faults.push(
      `clients/${name} is not what the code says. \`npm run openapi\` approves what is described now.`,
    );
  if (!values.check) await writeFile(new URL(name, import.meta.url), content);
}
for (const fault of faults) console.error(fault);
process.exitCode = faults.length > 0 ? 1 : 0;

function read(name: string): Promise<string> {
  return readFile(new URL(name, import.meta.url), 'utf8');
}

function asJson(value: unknown): Promise<string> {
  return format(JSON.stringify(value), { parser: 'json', printWidth: 110 });
}
