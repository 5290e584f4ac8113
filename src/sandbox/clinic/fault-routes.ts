import { json, Router } from 'express';

/** Where a clinic's faults are read, set and cleared. */
export function faultRoutes(faults: {
  list(): unknown;
  add(input: unknown): unknown;
  clear(): void;
}): Router {
  const router = Router();
  router.get('/', (_request, response) => void response.json(faults.list()));
  router.post(
    '/',
    json({ limit: '20mb' }),
    (request, response) => void response.status(201).json(faults.add(request.body)),
  );
  router.delete('/', (_request, response) => {
    faults.clear();
    response.json([]);
  });
  return router;
}
