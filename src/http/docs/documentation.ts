import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { Router } from 'express';
import helmet from 'helmet';
import { ApiError } from '../api-error.ts';
import { page, rendererPath, START } from './page.ts';
import { loadRenderer, type Renderer } from './renderer.ts';

const startFile = fileURLToPath(new URL('./assets/start.js', import.meta.url));

/** The API's description for people, all from our own origin: the page, and the script that renders it. */
export function documentation(): Router {
  let loading: Promise<Renderer> | null = null;
  let packing: Promise<Buffer> | null = null;
  const renderer = () => (loading ??= loadRenderer());

  const router = Router();
  router.use(helmet.contentSecurityPolicy({ useDefaults: false, directives: POLICY }));
  router.get('/', async (_req, res) => {
    const { version } = await renderer();
    res.set('Cache-Control', 'no-cache').type('html').send(page(version).toString());
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
