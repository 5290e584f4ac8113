import type { Command } from '@commander-js/extra-typings';
import { z } from 'zod';
import type { ProviderId } from '../../domain/ids.ts';
import type { NewProvider } from '../../postgres/catalogue.ts';
import {
  addProvider,
  changeProvider,
  findProvider,
  type RegisteredProvider,
} from '../../postgres/provider-register.ts';
import { alreadyThere, wrongUsage } from '../ending.ts';
import { examples } from '../examples.ts';
import { by, each, label, newId, variableName } from '../inputs.ts';
import { logged, type Operation, type Run } from '../operation.ts';
import { checkProvider } from './check.ts';
import { PROVIDER, requireProvider, requireTreatments, shown } from './shown.ts';

const url = by(
  z
    .url({ protocol: /^https?$/, error: 'has to be an http:// or https:// address.' })
    .transform((text) => text.replace(/\/$/, '')),
);
const UNCHECKED = ['--unchecked', 'without asking the booking system whether it answers'] as const;

/** Which booking systems there are, and how they are reached. */
export function registerCommands(provider: Command, run: Run): void {
  provider
    .command('add')
    .description('register a provider, once its booking system answers')
    .argument('<id>', 'short, and for good: it stands in cases, in the log and in Temporal', newId)
    .requiredOption('--name <name>', 'what customers read', label)
    .requiredOption('--url <address>', 'of its FHIR R4 server, such as https://fhir.nordlys.example/r4', url)
    .option(
      '--token-variable <NAME>',
      'the name of the environment variable that holds its bearer token (never the token itself)',
      variableName,
    )
    .option(
      '--offer <treatment>',
      'what it offers; may be given several times',
      each((text) => text),
    )
    .option(...UNCHECKED)
    .addHelpText(
      'after',
      examples([
        'provider add nordlys --name "Nordlys Helse" --url https://fhir.nordlys.example/r4 --token-variable NORDLYS_TOKEN --offer psychology',
        'a clinic with a credential',
      ]) +
        '\n\nThe variable has to be set for the API, the worker and this command; a new one takes their restart.',
    )
    .action((id, { name, url: base_url, tokenVariable, offer = [], unchecked }) =>
      run(async (operation) => {
        const { database } = operation;
        const row = registration(operation, {
          id,
          name,
          base_url,
          connection: tokenVariable === undefined ? { auth: 'none' } : { auth: 'bearer', tokenVariable },
        });
        await requireTreatments(operation, offer);
        const checked = await logged(operation, { action: 'provider.add', subject: id }, async () => {
          if (await findProvider(database, id)) throw alreadyThere(`There is a provider ${id} already.`);
          const result = unchecked ? null : await checkProvider(operation, row, offer);
          if (!(await addProvider(database, row, offer)))
            throw alreadyThere(`There is a provider ${id} already.`);
          return result;
        });
        const next = offer.length === 0 ? `Next: \`operator provider offer ${id} <treatment>\`.` : null;
        return shown(
          operation,
          id,
          `Provider ${id} is registered, and in use everywhere within 15 seconds.`,
          checked,
          next,
        );
      }),
    );

  provider
    .command('change')
    .description("change a provider's name, address or credential")
    .argument(...PROVIDER)
    .option('--name <name>', 'what customers read', label)
    .option('--url <address>', 'of its FHIR R4 server', url)
    .option(
      '--token-variable <NAME>',
      'the name of the environment variable that holds its bearer token',
      variableName,
    )
    .option('--no-token', 'it asks for no token any more')
    .option(...UNCHECKED)
    .addHelpText(
      'after',
      examples(['provider change nordlys --url https://fhir.nordlys.example/r5', 'its server has moved']),
    )
    .action((id, { name, url: base_url, tokenVariable, token, unchecked }) =>
      run(async (operation) => {
        const before = await requireProvider(operation, id);
        if (name === undefined && base_url === undefined && tokenVariable === undefined && token)
          throw wrongUsage('Say what to change: --name, --url, --token-variable, --no-token.');
        const row = registration(operation, {
          id,
          name: name ?? before.name,
          base_url: base_url ?? before.base_url,
          connection: changed(before.connection, token, tokenVariable),
        });
        const checked = await logged(operation, { action: 'provider.change', subject: id }, async () => {
          const result = unchecked ? null : await checkProvider(operation, row, before.treatments);
          await changeProvider(operation.database, row);
          return result;
        });
        return shown(
          operation,
          id,
          `Provider ${id} is changed, and in use everywhere within 15 seconds.`,
          checked,
        );
      }),
    );
}

/** @throws Ending when the connection is to stay as it is, and can not be read */
function changed(
  before: RegisteredProvider['connection'],
  token: boolean,
  tokenVariable: string | undefined,
): NewProvider['connection'] {
  if (!token) return { auth: 'none' };
  if (tokenVariable !== undefined) return { auth: 'bearer', tokenVariable };
  if (before === null)
    throw wrongUsage('Its credential can not be read: give --token-variable or --no-token.');
  return before;
}

/** In production personal data goes there, so only over TLS. */
function registration(
  { settings }: Operation,
  row: Omit<NewProvider, 'id' | 'kind'> & { readonly id: string },
): NewProvider {
  if (settings.environment === 'production' && !row.base_url.startsWith('https:'))
    throw wrongUsage('--url has to be https:// in production: personal data is sent there.');
  return { ...row, id: row.id as ProviderId, kind: 'fhir' };
}
