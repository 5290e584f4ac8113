import type { Request, RequestHandler, Response } from 'express';
import type { PartnerId } from '../domain/ids.ts';
import { readKey, type Environment } from '../keys/api-key.ts';
import { noteKeyUse, ownerOfKey, type KeyOwner } from '../postgres/api-keys.ts';
import { ApiError } from './api-error.ts';
import type { Dependencies } from './dependencies.ts';

type Reason = 'missing' | 'malformed' | 'wrong_environment' | 'ambiguous' | 'not_accepted';

const PREFIX: Record<Environment, string> = { test: 'tb_test_…', production: 'tb_live_…' };
const NEW_KEYS = 'Your users create keys with POST /auth/api-keys.';

const WHY: Record<Reason, (environment: Environment, req: Request) => string> = {
  missing: (_environment, req) =>
    `This needs an API key in the header X-API-Key.${whereItIs(req)} ${NEW_KEYS}`,
  malformed: (environment) =>
    `The API key is incomplete or mistyped. It begins with ${PREFIX[environment]}: copy it again, in full.`,
  wrong_environment: (environment) =>
    `This is the ${environment} environment: it takes keys that begin with ${PREFIX[environment]}.`,
  ambiguous: () => 'The header X-API-Key has to be sent once.',
  not_accepted: () => `This API key is not accepted: it is unknown, has expired, or was revoked. ${NEW_KEYS}`,
};

const NAMES_A_KEY = /^(x[-_]?)?api[-_]?key$/i;

/** Whoever brought a key to another place is told; what they brought is not even looked at. */
function whereItIs(req: Request): string {
  if (Object.keys(req.query).some((name) => NAMES_A_KEY.test(name)))
    return ' It is never read from the address, which others may log: replace the key that you sent there by another.';
  if (req.headers.authorization !== undefined) return ' The header Authorization is not read here.';
  return '';
}

/** Lets a partner's request in by its key, within the key's limit; counts all others as public (contract §5). */
export const requirePartner = ({ settings, database, limits, log }: Dependencies): RequestHandler => {
  const { environment } = settings;
  const noted = new Map<string, number>();
  return async (req, res, next) => {
    const owner = await ownerOf(req);
    if (typeof owner === 'string') {
      await limits.publicCalls(req, res);
      throw new ApiError('INVALID_API_KEY', WHY[owner](environment, req), { reason: owner });
    }
    await limits.authenticated(req, res, owner.keyId);
    res.locals['partnerId'] = owner.partnerId;
    noteUse(owner.keyId);
    next();
  };

  /** For people to read, so nobody waits for it, and once a minute will do. */
  function noteUse(keyId: string): void {
    const minute = Math.floor(Date.now() / 60_000);
    if (noted.get(keyId) === minute) return;
    noted.set(keyId, minute);
    noteKeyUse(database, keyId).catch((error: unknown) => {
      log.debug({ fault: error instanceof Error ? error.name : 'unknown' }, 'the use of a key was not noted');
    });
  }

  async function ownerOf(req: Request): Promise<KeyOwner | Reason> {
    const sent = req.headersDistinct['x-api-key'] ?? [];
    const [key] = sent;
    if (key === undefined || key === '') return 'missing';
    if (sent.length > 1) return 'ambiguous';
    const reading = readKey(key, environment);
    if (!reading.ok) return reading.reason;
    return (await ownerOfKey(database, reading.hash)) ?? 'not_accepted';
  }
};

export const partnerOf = (res: Response): PartnerId => res.locals['partnerId'] as PartnerId;
