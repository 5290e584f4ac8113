import { Router } from 'express';
import { answers } from '../../postgres/answers.ts';
import type { Dependencies } from '../dependencies.ts';

/** Ready as long as PostgreSQL answers: without Temporal, cases are still taken. Not once it was told to stop. */
export function healthRoutes({ database, isLeaving }: Pick<Dependencies, 'database' | 'isLeaving'>): Router {
  const router = Router();
  router.get('/live', (_req, res) => {
    res.json({ status: 'ok' });
  });
  router.get('/ready', async (_req, res) => {
    if (isLeaving()) {
      res.status(503).json({ status: 'stopping' });
      return;
    }
    const there = await answers(database);
    res.status(there ? 200 : 503).json({ status: there ? 'ok' : 'unavailable', database: there });
  });
  return router;
}
