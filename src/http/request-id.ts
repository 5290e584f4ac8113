import { randomUUID } from 'node:crypto';
import type { RequestHandler, Response } from 'express';

/** Every response carries an id by which it is found in our log; ours, since a caller's could be anything. */
export const giveRequestId: RequestHandler = (_req, res, next) => {
  res.setHeader('X-Request-Id', randomUUID());
  next();
};

export const requestIdOf = (res: Response): string => String(res.getHeader('X-Request-Id'));
