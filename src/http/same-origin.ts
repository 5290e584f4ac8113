import type { Request } from 'express';
import { ApiError } from './api-error.ts';

/** A POST that rides on the session's cookie has to come from our own pages (contract §3). @throws ORIGIN_NOT_ALLOWED */
export function requireSameOrigin(req: Pick<Request, 'get'>, publicUrl: string): void {
  const own = new URL(publicUrl).origin;
  if (req.get('origin') !== own) {
    throw new ApiError('ORIGIN_NOT_ALLOWED', `This request has to carry the header Origin: ${own}.`);
  }
}
