import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { Router } from 'express';
import type { PartnerId } from '../domain/ids.ts';

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

const readOwn = (path: string): string => read(fileURLToPath(new URL(path, import.meta.url)));

/** In the layers in which Designsystemet's own index has them, so that the same rules win. */
const styles = (): string =>
  [
    '@layer ds.theme, ds.base, ds.components;',
    read(require.resolve('@digdir/designsystemet-css/theme.css')),
    `@layer ds.base {${component('base')}}`,
    `@layer ds.components {${COMPONENTS.map(component).join('\n')}}`,
    readOwn('assets/site.css'),
  ].join('\n');

const MODULES = readdirSync(new URL('client', import.meta.url)).filter((name) => name.endsWith('.js'));

/** What pages load besides themselves, by file name. All of it is ours, and small. */
export const ASSETS: ReadonlyMap<string, Asset> = new Map([
  ['pages.css', { type: 'css', content: styles() }],
  ['office.css', { type: 'css', content: readOwn('assets/office.css') }],
  ['icon.svg', { type: 'svg', content: readOwn('assets/icon.svg') }],
  ...MODULES.map((name): [string, Asset] => [name, { type: 'js', content: readOwn(`client/${name}`) }]),
]);

const versionOf = (content: string): string =>
  createHash('sha256').update(content).digest('base64url').slice(0, 12);

/** Changes with any of them: one address for all, so that a module finds those that it imports beside itself. */
const ASSETS_VERSION = versionOf(JSON.stringify([...ASSETS]));

const ASSETS_ROUTE = '/assets/:version/:name';

export const assetPath = (name: string): string => `/assets/${ASSETS_VERSION}/${name}`;

/** Insurers' marks, by partner: shown beside their names, from our own origin. */
export type Marks = ReadonlyMap<PartnerId, Asset & { readonly path: string }>;

/** @param pictures SVG. They run nothing: pages show them as images, and their own address has the policy of what is no page. */
export const createMarks = (pictures: ReadonlyMap<PartnerId, string>): Marks =>
  new Map(
    [...pictures].map(([partner, content]) => {
      const path = `/assets/${versionOf(content)}/${markName(partner)}`;
      return [partner, { type: 'svg', content, path }];
    }),
  );

/** So that none is taken for a file of ours. */
const markName = (partner: PartnerId): string => `mark-${partner}.svg`;

type Encoding = 'br' | 'gzip';

const COMPRESS: Record<Encoding, (content: string) => Promise<Buffer>> = {
  br: promisify(brotliCompress),
  gzip: promisify(gzip),
};

/** Styles, scripts, the icon and marks. Their address changes with their content, so browsers keep them for good. */
export function assetRoutes(marks: Marks = new Map()): Router {
  const byName = new Map<string, Asset & { readonly path: string }>([
    ...[...ASSETS].map(([name, asset]) => [name, { ...asset, path: assetPath(name) }] as const),
    ...[...marks].map(([partner, mark]) => [markName(partner), mark] as const),
  ]);
  const packed = new Map<string, Promise<Buffer>>();
  const pack = (name: string, content: string, encoding: Encoding): Promise<Buffer> => {
    const key = `${encoding} ${name}`;
    const known = packed.get(key) ?? COMPRESS[encoding](content);
    packed.set(key, known);
    return known;
  };

  const router = Router();
  router.get(ASSETS_ROUTE, async (req, res, next) => {
    const { name } = req.params;
    const asset = byName.get(name);
    if (!asset) {
      next();
      return;
    }
    // while a new release comes up, a page of one instance may ask another: better its style than none, but not for good
    const isOurs = req.path === asset.path;
    res.set('Cache-Control', isOurs ? 'public, max-age=31536000, immutable' : 'no-cache');
    res.vary('Accept-Encoding').type(asset.type);
    const encoding = req.acceptsEncodings('br', 'gzip') as Encoding | false;
    if (!encoding) res.send(asset.content);
    else res.set('Content-Encoding', encoding).send(await pack(name, asset.content, encoding));
  });
  return router;
}
