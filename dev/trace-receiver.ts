import express from 'express';
import { type Content, html } from '../src/pages/html.ts';
import { type LocalServer, serveLocally } from './local-server.ts';
import { page } from './page.ts';

/** A span as it came, with the process that it is of. */
export interface ReceivedSpan {
  readonly service: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty where a trace begins. */
  readonly parentSpanId: string;
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly start: number;
  readonly end: number;
  readonly attributes: Readonly<Record<string, string>>;
  readonly links: readonly { readonly traceId: string }[];
  /** Of what went wrong. */
  readonly failure: string | null;
}

/** What of an export (OTLP 1, as JSON) is read. @see https://opentelemetry.io/docs/specs/otlp/#otlphttp */
interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly Span[] }[];
  }[];
}
interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}
interface Span extends Pick<ReceivedSpan, 'traceId' | 'spanId' | 'name'> {
  readonly parentSpanId?: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly Attribute[];
  readonly links?: ReceivedSpan['links'];
  readonly status: { readonly code?: number; readonly message?: string };
}

/** More than a life of a case has. The oldest go. */
const MAX_SPANS = 20_000;
const MAX_TRACES_SHOWN = 50;

/**
 * What stands in for an OpenTelemetry collector: takes spans by OTLP over HTTP, as JSON, at `/v1/traces`, and shows them;
 * `/spans` has them as JSON, and `/received` as they came.
 *
 * @throws when the port is in use
 */
export async function startTraceReceiver(port: number): Promise<LocalServer> {
  const spans: ReceivedSpan[] = [];
  const bodies: string[] = [];
  const app = express();
  app.disable('x-powered-by');
  app.get('/', (_req, res) => void res.send(tracesPage(spans)));
  app.get('/spans', (_req, res) => void res.json(spans));
  app.get('/received', (_req, res) => void res.type('text').send(bodies.join('\n')));
  app.post('/v1/traces', express.text({ type: 'application/json', limit: '16mb' }), (req, res) => {
    bodies.push(String(req.body));
    for (const { resource, scopeSpans } of (JSON.parse(String(req.body)) as Export).resourceSpans) {
      const service = valuesOf(resource.attributes)['service.name'] ?? '';
      spans.push(...scopeSpans.flatMap((scope) => scope.spans.map((span) => receivedSpan(service, span))));
    }
    spans.splice(0, spans.length - MAX_SPANS);
    bodies.splice(0, bodies.length - MAX_SPANS);
    res.json({});
  });
  return serveLocally(app, port);
}

const receivedSpan = (
  service: string,
  { traceId, spanId, parentSpanId = '', name, attributes, links = [], ...span }: Span,
): ReceivedSpan => ({
  ...{ service, traceId, spanId, parentSpanId, name, links },
  start: Number(BigInt(span.startTimeUnixNano) / 1_000n) / 1_000,
  end: Number(BigInt(span.endTimeUnixNano) / 1_000n) / 1_000,
  attributes: valuesOf(attributes),
  failure: span.status.code === 2 ? (span.status.message ?? '') : null,
});

const valuesOf = (attributes: readonly Attribute[]): Record<string, string> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, String(Object.values(value)[0])]));

/** Each trace as a tree, the newest first. */
function tracesPage(spans: readonly ReceivedSpan[]): string {
  const traces = [...Map.groupBy(spans, ({ traceId }) => traceId).values()]
    .reverse()
    .slice(0, MAX_TRACES_SHOWN);
  const known = new Set(spans.map(({ spanId }) => spanId));
  const tree = (trace: readonly ReceivedSpan[], parent: string | null): Content => {
    const children = trace
      .filter(({ parentSpanId }) => (parent === null ? !known.has(parentSpanId) : parentSpanId === parent))
      .sort((a, b) => a.start - b.start);
    if (children.length === 0) return '';
    return html`<ul>
      ${children.map(
        ({ name, service, start, end, failure, spanId }) =>
          html`<li>
            ${name}
            <small>${service}, ${(end - start).toFixed(1)} ms${failure !== null && `, ${failure}`}</small>
            ${tree(trace, spanId)}
          </li>`,
      )}
    </ul>`;
  };
  return page(
    'Spor',
    traces.length === 0
      ? html`<p>Ingen spor ennå.</p>`
      : traces.map(
          (trace) =>
            html`<article>
              <h2>${trace[0]?.traceId}</h2>
              ${tree(trace, null)}
            </article>`,
        ),
    'article { margin: 1rem 0; padding: 1rem; border: 1px solid #767676; border-radius: 8px } h2 { margin: 0; font-size: 1rem }',
    html`<meta http-equiv="refresh" content="10" />`,
  );
}
