import type { Context, Link, SpanContext } from '@opentelemetry/api';
import type { SpanExporter } from '@opentelemetry/sdk-trace';
import { type Tracer, setTracer, type SpanOptions } from './spans.ts';

/** As OpenTelemetry names its samplers: which traces are kept, decided where each begins. */
export const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

export interface TracingSettings {
  /** The OpenTelemetry collector's, for OTLP over HTTP; without it nothing is traced, and nothing loaded for it. */
  readonly OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined;
  readonly OTEL_EXPORTER_OTLP_HEADERS?: Readonly<Record<string, string>> | undefined;
  readonly OTEL_TRACES_SAMPLER: (typeof SAMPLERS)[number];
  /** The share that `traceidratio` keeps. */
  readonly OTEL_TRACES_SAMPLER_ARG: number;
}

/**
 * Sends spans to a collector, from now on until it is stopped, which sends what is left.
 *
 * The tracer is ours alone and is not registered with OpenTelemetry's API: slonik would write its errors into spans, and
 * those quote what a statement held.
 *
 * @param name the process's, as its log lines have it
 * @param onFailure told of each time that spans could not be sent: they are lost
 */
export async function startTracing(
  name: string,
  settings: TracingSettings,
  onFailure: (error: unknown) => void,
): Promise<{ stop(): Promise<void> }> {
  const endpoint = settings.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === undefined) return { stop: () => Promise.resolve() };
  const [{ ROOT_CONTEXT, SpanKind, SpanStatusCode, trace }, sdk, { OTLPTraceExporter }, resources] =
    await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
    ]);
  const { OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: ratio } = settings;
  const root = sampler.endsWith('always_off')
    ? new sdk.AlwaysOffSampler()
    : sampler.endsWith('always_on')
      ? new sdk.AlwaysOnSampler()
      : new sdk.TraceIdRatioBasedSampler(ratio);
  const exporter = new OTLPTraceExporter({
    url: `${endpoint}/v1/traces`,
    headers: { ...settings.OTEL_EXPORTER_OTLP_HEADERS },
  });
  const told: SpanExporter = {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.error) onFailure(result.error);
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
  };
  const provider = new sdk.TracerProvider({
    sampler: sampler.startsWith('parentbased_') ? new sdk.ParentBasedSampler({ root }) : root,
    resource: resources
      .defaultResource()
      .merge(resources.resourceFromAttributes({ 'service.name': `treatment-booking-${name}` }))
      .merge(
        resources.detectResources({
          detectors: [resources.serviceNameEnvDetector, resources.resourceAttributesEnvDetector],
        }),
      ),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter: told })],
  });
  const tracer = provider.getTracer('treatment-booking');
  const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER };

  const begin: Tracer = ({ kind, parent, link, startedAt }: SpanOptions) => {
    const context: Context =
      parent === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, spanContextOf(parent));
    const links: Link[] = link === null ? [] : [{ context: spanContextOf(link) }];
    const span = tracer.startSpan('', { kind: kinds[kind], links, startTime: startedAt }, context);
    const { traceId, spanId, traceFlags } = span.spanContext();
    return {
      traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
      end({ name: said, attributes, failure }) {
        span.updateName(said).setAttributes(attributes);
        if (failure !== null) span.setStatus({ code: SpanStatusCode.ERROR, message: failure });
        span.end();
      },
    };
  };
  setTracer(begin);
  return {
    async stop() {
      setTracer(null);
      // a collector that is away keeps nobody from ending
      await provider.shutdown().catch(() => undefined);
    },
  };
}

/** Of a `traceparent` that we wrote ourselves. */
function spanContextOf(traceparent: string): SpanContext {
  const [, traceId = '', spanId = '', flags = '00'] = traceparent.split('-');
  return { traceId, spanId, traceFlags: parseInt(flags, 16), isRemote: true };
}
