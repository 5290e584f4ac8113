import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import express from 'express';
import { type LocalServer, serveLocally } from './local-server.ts';

/** As much of Vault's Transit engine as wraps and opens data keys, with its answers as Vault 1.21 gives them. */
export function startVault(token: string): Promise<LocalServer> {
  const app = express().use(express.json());
  const keys = new Map<string, Buffer>();
  app.use((req, res, next) => {
    if (req.get('x-vault-token') === token) next();
    else
      res.status(403).json({ errors: ['2 errors occurred:\n\t* permission denied\n\t* invalid token\n\n'] });
  });
  app.post('/v1/sys/mounts/transit', (_, res) => void res.status(204).end());
  app.post('/v1/transit/keys/:name', ({ params }, res) => {
    keys.set(params.name, randomBytes(32));
    res.json({ data: { name: params.name, type: 'aes256-gcm96', latest_version: 1 } });
  });
  app.post('/v1/transit/datakey/wrapped/:name', ({ params: { name } }, res) => {
    const key = keys.get(name);
    if (!key) return void res.status(400).json({ errors: ['encryption key not found'] });
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', key, nonce);
    const sealed = [nonce, cipher.update(randomBytes(32)), cipher.final(), cipher.getAuthTag()];
    const ciphertext = `vault:v1:${Buffer.concat(sealed).toString('base64')}`;
    res.json({ data: { ciphertext, key_version: 1 } });
  });
  app.post('/v1/transit/decrypt/:name', ({ params: { name }, body }, res) => {
    const key = keys.get(name);
    if (!key) return void res.status(400).json({ errors: ['encryption key not found'] });
    const sealed = Buffer.from(String((body as { ciphertext?: string }).ciphertext).slice(9), 'base64');
    if (sealed.length < 28) return void res.status(400).json({ errors: ['invalid ciphertext length'] });
    try {
      const cipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12), { authTagLength: 16 });
      cipher.setAuthTag(sealed.subarray(-16));
      const plain = Buffer.concat([cipher.update(sealed.subarray(12, -16)), cipher.final()]);
      res.json({ data: { plaintext: plain.toString('base64') } });
    } catch {
      res.status(400).json({ errors: ['cipher: message authentication failed'] });
    }
  });
  return serveLocally(app, 0);
}
