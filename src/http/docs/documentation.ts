import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { Router } from 'express';
import helmet from 'helmet';
import { page, rendererPath, START } from './page.ts';
import { readRenderer } from './renderer.ts';

const startFile = fileURLToPath(new URL('./assets/start.js', import.meta.url));

/** The API's description for people, all from our own origin: the page, and the script that renders it. */
export function documentation(): Router {
  const { script, version } = readRenderer();
  const content = page(version).toString();
  let packed: Promise<Buffer> | null = null;

  const router = Router();
  router.use(helmet.contentSecurityPolicy({ useDefaults: false, directives: POLICY }));
  router.get('/', (_req, res) => {
    res.set('Cache-Control', 'no-cache').type('html').send(content);
  });
  router.get(START, (_req, res) => {
    res.set('Cache-Control', 'no-cache').sendFile(startFile);
  });
  router.get(rendererPath(version), async (req, res) => {
    // its address changes with its content
    res.set('Cache-Control', 'public, max-age=31536000, immutable').vary('Accept-Encoding').type('js');
    if (req.acceptsEncodings('gzip') !== 'gzip') {
      res.send(script);
      return;
    }
    packed ??= promisify(gzip)(script);
    res.set('Content-Encoding', 'gzip').send(await packed);
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
