import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { Router } from 'express';
import { ASSETS, ASSETS_ROUTE, ASSETS_VERSION } from '../../web/assets.ts';

type Encoding = 'br' | 'gzip';

const PACK: Record<Encoding, (content: string) => Promise<Buffer>> = {
  br: promisify(brotliCompress),
  gzip: promisify(gzip),
};

/** Styles, scripts and the icon. Their address changes with their content, so browsers keep them for good. */
export function assetRoutes(): Router {
  const packed = new Map<string, Promise<Buffer>>();
  const pack = (name: string, content: string, encoding: Encoding): Promise<Buffer> => {
    const key = `${encoding} ${name}`;
    const known = packed.get(key) ?? PACK[encoding](content);
    packed.set(key, known);
    return known;
  };

  const router = Router();
  router.get(ASSETS_ROUTE, async (req, res, next) => {
    const { version, name } = req.params;
    const asset = ASSETS.get(name);
    if (!asset) {
      next();
      return;
    }
    // while a new release comes up, a page of one instance may ask another: better its style than none, but not for good
    const isOurs = version === ASSETS_VERSION;
    res.set('Cache-Control', isOurs ? 'public, max-age=31536000, immutable' : 'no-cache');
    res.vary('Accept-Encoding').type(asset.type);
    const encoding = req.acceptsEncodings('br', 'gzip') as Encoding | false;
    if (!encoding) res.send(asset.content);
    else res.set('Content-Encoding', encoding).send(await pack(name, asset.content, encoding));
  });
  return router;
}
