import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { Router } from 'express';
import helmet from 'helmet';
import { dateAt } from '../../calendar/dates.ts';
import { html, type Html } from '../../pages/html.ts';
import { ApiError } from '../errors.ts';
import type { Dependencies } from '../dependencies.ts';
import { readPartnerGuide } from '../openapi/partner-guide.ts';
import { errorsPage } from './errors-page.ts';

const startFile = fileURLToPath(new URL('./start.js', import.meta.url));

/** The API's description for people, all from our own origin: the page, and the script that renders it. */
export function documentation({
  limits,
  now,
  settings,
}: Pick<Dependencies, 'limits' | 'now' | 'settings'>): Router {
  const { guide, tags } = readPartnerGuide(settings);
  let loading: Promise<Renderer> | null = null;
  let packing: Promise<Buffer> | null = null;
  const renderer = () => (loading ??= loadRenderer());

  const router = Router();
  router.use(helmet.contentSecurityPolicy({ useDefaults: false, directives: POLICY }));
  router.use(async (req, res, next) => {
    await limits.pages(req, res);
    next();
  });
  router.get('/', async (_req, res) => {
    const { version } = await renderer();
    res.set('Cache-Control', 'no-cache').type('html').send(page(version).toString());
  });
  router.get('/errors', (_req, res) => {
    res
      .set('Cache-Control', 'no-cache')
      .type('html')
      .send(errorsPage(dateAt(now())).toString());
  });
  router.get('/llms.txt', (_req, res) => {
    res.set('Cache-Control', 'no-cache').type('text/plain').send(forLanguageModels(settings.publicUrl));
  });
  router.get('/guide.md', (_req, res) => {
    const chapters = Object.entries(tags).map(([tag, chapter]) => `# ${tag}\n\n${chapter}`);
    res
      .set('Cache-Control', 'no-cache')
      .type('text/markdown')
      .send([guide, ...chapters, ''].join('\n\n'));
  });
  router.get(START, (_req, res) => {
    res.set('Cache-Control', 'no-cache').sendFile(startFile);
  });
  router.get(rendererPath(':version'), async (req, res) => {
    const { script, version } = await renderer();
    if (req.params['version'] !== version) throw new ApiError('NOT_FOUND');
    // its address changes with its content
    res.set('Cache-Control', 'public, max-age=31536000, immutable').vary('Accept-Encoding').type('js');
    if (req.acceptsEncodings('gzip') !== 'gzip') {
      res.send(script);
      return;
    }
    packing ??= promisify(gzip)(script);
    res.set('Content-Encoding', 'gzip').send(await packing);
  });
  return router;
}

/** What there is to read, for programs that write code (https://llmstxt.org). */
const forLanguageModels = (publicUrl: string): string =>
  `# Treatment booking

> Partners hand over injury cases over a JSON API; the customer books the treatment with an eID; partners follow a feed of events.

- [Guide](${publicUrl}/docs/guide.md): getting started, keys, statuses, errors, retries, events, clients, limits, versions
- [OpenAPI 3.1](${publicUrl}/api/v1/openapi.json): every call, with schemas and examples
- [Errors](${publicUrl}/docs/errors): every code, and what to do about it
`;

/** Only our own scripts, and nothing made from text; calls that are tried out stay here. The renderer writes its styles inline. */
const POLICY = {
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'", "'unsafe-inline'"],
  'img-src': ["'self'", 'data:', 'blob:'],
  'font-src': ["'self'", 'data:'],
  'connect-src': ["'self'"],
  'form-action': ["'none'"],
  'frame-ancestors': ["'none'"],
  'base-uri': ["'none'"],
};

/** Where the page's parts are, below `/docs`. */
const START = '/start.js';
const rendererPath = (version: string): string => `/renderer-${version}.js`;

/** The page itself is empty but for what it says without scripts. */
const page = (version: string): Html =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Treatment booking: API documentation</title>
        <meta name="description" content="Hand over an injury case; the customer books the treatment." />
        <link rel="icon" href="data:," />
      </head>
      <body>
        <noscript>
          <h1>Treatment booking: API documentation</h1>
          <p>
            This page needs JavaScript. Without it, read the same as
            <a href="/api/v1/openapi.json">OpenAPI</a>.
          </p>
        </noscript>
        <div id="docs"></div>
        <script src="/docs${rendererPath(version)}"></script>
        <script src="/docs${START}"></script>
      </body>
    </html>`;

interface Route {
  readonly url: string;
  readonly handler: (request: unknown, reply: Reply) => unknown;
}
interface Reply {
  header(): Reply;
  send(content: string): unknown;
}
type Plugin = (
  server: { route(route: Route): void; readonly initialConfig: object },
  options: { readonly configuration: { readonly url: string } },
  done: () => void,
) => void;

export interface Renderer {
  readonly script: string;
  /** Another one for another script. */
  readonly version: string;
}

/**
 * Scalar's script, the whole renderer in one. Its own package brings 270 others; the one for Fastify has nothing but the
 * script, and registers a route that sends it. So we play the server for as long as that takes. It is loaded when somebody
 * reads the documentation, since it takes half a second and 40 MB.
 */
async function loadRenderer(): Promise<Renderer> {
  // its types are Fastify's, which is not here
  const plugin = (await import('@scalar/fastify-api-reference')) as { readonly default: unknown };
  const routes: Route[] = [];
  const server = { route: (route: Route) => void routes.push(route), initialConfig: {} };
  const register = plugin.default as Plugin;
  register(server, { configuration: { url: '/' } }, () => undefined);

  let script = '';
  const reply: Reply = {
    header: () => reply,
    send: (content) => {
      script = content;
    },
  };
  routes.find(({ url }) => url.endsWith('/scalar.js'))?.handler({}, reply);
  if (script === '') throw new Error('@scalar/fastify-api-reference has no route that sends its script');
  return { script, version: createHash('sha256').update(script).digest('base64url').slice(0, 12) };
}
