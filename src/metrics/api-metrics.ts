import { Counter, Histogram, type Registry } from 'prom-client';

/** A request that was answered. @param route the pattern; null where there is none */
export interface AnsweredRequest {
  readonly method: string;
  readonly route: string | null;
  readonly status: number;
  readonly seconds: number;
}

/** What came of asking a case's workflow for something. */
export interface AskedWorkflow {
  readonly command: string;
  readonly outcome: string;
  readonly seconds: number;
}

export interface ApiMetrics {
  readonly request: (answered: AnsweredRequest) => void;
  readonly asked: (workflow: AskedWorkflow) => void;
  /** @param fault who has to do something about it */
  readonly loginFailed: (failure: { readonly reason: string; readonly fault: string }) => void;
}

/** The bounds of what callers may expect are among them: 0.5 s for a create, 5 s for a confirm. */
const SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30];

/** What the API and the operator API tell of themselves. */
export function createApiMetrics(registry: Registry): ApiMetrics {
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
  return {
    request: ({ method, route, status, seconds }) =>
      requests.observe({ method, route: route ?? 'none', status }, seconds),
    asked: ({ seconds, ...labels }) => asked.observe(labels, seconds),
    loginFailed: (labels) => loginFailures.inc(labels),
  };
}
