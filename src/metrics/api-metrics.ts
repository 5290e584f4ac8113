import { Counter, Histogram, type Registry } from 'prom-client';
import { ACTIONS } from '../domain/transitions.ts';
import { LOGIN_FAILURES } from '../identity/login-failed.ts';

/** The bounds of what callers may expect are among them: 0.5 s for a create, 5 s for a confirm. */
const SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30];

/** What the API and the operator API tell of themselves. */
export function createApiMetrics(registry: Registry) {
  const registers = [registry];
  const requests = new Histogram({
    name: 'booking_http_request_duration_seconds',
    help: 'Requests by route and status, from their first byte to the last of the answer',
    labelNames: ['method', 'route', 'status'],
    buckets: SECONDS,
    registers,
  });
  const asked = new Histogram({
    name: 'booking_workflow_request_duration_seconds',
    help: 'Commands to workflows: done, refused, unavailable (nothing happened), or unknown (sent and not answered)',
    labelNames: ['command', 'outcome'],
    buckets: SECONDS,
    registers,
  });
  const loginFailures = new Counter({
    name: 'booking_login_failures_total',
    help: "Customers' logins at the eID that led to nobody, and who has to do something about it",
    labelNames: ['reason', 'fault'],
    registers,
  });
  // shown from the start: Prometheus takes no series' first value for a rise, so the first failures would set nothing off
  for (const command of ACTIONS) asked.zero({ command, outcome: 'unknown' });
  for (const [reason, { fault }] of Object.entries(LOGIN_FAILURES)) loginFailures.inc({ reason, fault }, 0);
  return {
    /** A request was answered. @param route the pattern; null where there is none */
    request: (method: string, route: string | null, status: number, seconds: number) =>
      requests.observe({ method, route: route ?? 'none', status }, seconds),
    /** A case's workflow was asked for something. */
    asked: (command: string, outcome: string, seconds: number) =>
      asked.observe({ command, outcome }, seconds),
    /** @param fault who has to do something about it */
    loginFailed: (reason: string, fault: string) => loginFailures.inc({ reason, fault }),
  };
}
export type ApiMetrics = ReturnType<typeof createApiMetrics>;
