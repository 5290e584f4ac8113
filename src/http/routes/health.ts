import { Router } from 'express';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Dependencies } from '../dependencies.ts';

/** Ready as long as PostgreSQL answers: without Temporal, cases are still taken. */
export function healthRoutes({ database }: Pick<Dependencies, 'database'>): Router {
  const router = Router();
  router.get('/live', (_req, res) => {
    res.json({ status: 'ok' });
  });
  router.get('/ready', async (_req, res) => {
    const answers = await database.oneFirst(sql.type(z.object({ one: z.number() }))`SELECT 1 AS one`).then(
      () => true,
      () => false,
    );
    res.status(answers ? 200 : 503).json({ status: answers ? 'ok' : 'unavailable', database: answers });
  });
  return router;
}
