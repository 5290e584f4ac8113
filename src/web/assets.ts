import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);

export interface Asset {
  readonly type: 'css' | 'js' | 'svg';
  readonly content: string;
}

/** The parts of Designsystemet that our pages use: all of it would be 150 kB. */
const COMPONENTS = [
  'alert',
  'button',
  'card',
  'details',
  'dialog',
  'error-summary',
  'field',
  'fieldset',
  'heading',
  'input',
  'label',
  'link',
  'list',
  'skip-link',
  'validation-message',
];

const read = (path: string): string => readFileSync(path, 'utf8');
const designsystemet = dirname(require.resolve('@digdir/designsystemet-css'));
const component = (name: string): string => read(join(designsystemet, `${name}.css`));

const own = (path: string): string => read(fileURLToPath(new URL(path, import.meta.url)));

/** In the layers in which Designsystemet's own index has them, so that the same rules win. */
const styles = (): string =>
  [
    '@layer ds.theme, ds.base, ds.components;',
    read(require.resolve('@digdir/designsystemet-css/theme.css')),
    `@layer ds.base {${component('base')}}`,
    `@layer ds.components {${COMPONENTS.map(component).join('\n')}}`,
    own('assets/site.css'),
  ].join('\n');

const MODULES = readdirSync(new URL('client', import.meta.url)).filter((name) => name.endsWith('.js'));

/** What pages load besides themselves, by file name. All of it is ours, and small. */
export const ASSETS: ReadonlyMap<string, Asset> = new Map([
  ['pages.css', { type: 'css', content: styles() }],
  ['icon.svg', { type: 'svg', content: own('assets/icon.svg') }],
  ...MODULES.map((name): [string, Asset] => [name, { type: 'js', content: own(`client/${name}`) }]),
]);

/** Changes with any of them: one address for all, so that a module finds those that it imports beside itself. */
export const ASSETS_VERSION = createHash('sha256')
  .update(JSON.stringify([...ASSETS]))
  .digest('base64url')
  .slice(0, 12);

export const ASSETS_ROUTE = '/assets/:version/:name';

export const assetPath = (name: string): string => `/assets/${ASSETS_VERSION}/${name}`;
