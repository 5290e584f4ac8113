import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { LocalServer } from '../../dev/local-server.ts';
import { type ReceivedSpan, startTraceReceiver } from '../../dev/trace-receiver.ts';
import { startTracing, type TracingSettings } from '../../src/tracing/exporter.ts';
import { beginRequest, currentTraceparent, inSpan, joinTrace, traceIdOf } from '../../src/tracing/spans.ts';

let receiver: LocalServer;
beforeEach(async () => {
  receiver = await startTraceReceiver(0);
});
afterEach(() => receiver.stop());

/** What a collector gets of the work. */
async function sentBy(
  work: () => Promise<unknown>,
  settings: Partial<TracingSettings> = {},
): Promise<readonly ReceivedSpan[]> {
  const tracing = await startTracing(
    'test',
    {
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_TRACES_SAMPLER: 'parentbased_always_on',
      OTEL_TRACES_SAMPLER_ARG: 1,
      ...settings,
    },
    (error) => {
      throw error;
    },
  );
  await work();
  await tracing.stop();
  return (await (await fetch(`${receiver.url}/spans`)).json()) as ReceivedSpan[];
}
const step = (name: string, work: () => Promise<unknown> = async () => undefined, trace?: string | null) =>
  inSpan(name, { kind: 'client', trace: trace ?? null }, work);

describe('a trace', () => {
  it('is the tree of its steps, in this process and behind a header', async () => {
    let header: string | null = null;
    const spans = await sentBy(async () => {
      await step('call', async () => {
        header = currentTraceparent();
        await step('clinic');
      });
      await step('activity', undefined, header);
    });
    const [clinic, call, activity] = spans;
    expect(spans.map(({ name }) => name)).toEqual(['clinic', 'call', 'activity']);
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
    expect(call).toMatchObject({ parentSpanId: '', service: 'treatment-booking-test' });
    expect([clinic?.parentSpanId, activity?.parentSpanId]).toEqual([call?.spanId, call?.spanId]);
  });

  it('of a case is gone into from another, with a link back', async () => {
    let ofCase: string | null = null;
    const spans = await sentBy(async () => {
      await step('call', async () => void (ofCase = currentTraceparent()));
      await step('operator', () => step('recall', undefined, ofCase));
    });
    const [call, recall, operator] = spans;
    expect(recall).toMatchObject({ traceId: call?.traceId, parentSpanId: call?.spanId });
    expect(recall?.links).toMatchObject([{ traceId: operator?.traceId }]);
    expect(operator?.traceId).not.toBe(call?.traceId);
  });

  it('of a case is joined by a request as long as that has done nothing', async () => {
    let ofCase: string | null = null;
    const request = async (name: string, before: () => Promise<unknown>) => {
      const span = beginRequest();
      await new Promise<void>((resolve) => {
        span.run(() => {
          void before().then(async () => {
            joinTrace(ofCase);
            await step(`${name}'s`);
            resolve();
          });
        });
      });
      span.end({ name, attributes: {}, failure: null });
    };
    const spans = await sentBy(async () => {
      await step('call', async () => void (ofCase = currentTraceparent()));
      await request('joins', async () => undefined);
      await request('has begun', () => step('something'));
    });
    const of = (name: string) => spans.find((span) => span.name === name);
    expect(of('joins')).toMatchObject({ traceId: traceIdOf(ofCase), parentSpanId: of('call')?.spanId });
    expect(of("joins's")?.parentSpanId).toBe(of('joins')?.spanId);
    expect(of('has begun')).toMatchObject({ parentSpanId: '' });
  });

  it('is kept as a whole or not at all, as its sampler says', async () => {
    const some = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: 0.5 } as const;
    const spans = await sentBy(async () => {
      for (let i = 0; i < 200; i++) await step('call', () => step('clinic'));
    }, some);
    const traces = Map.groupBy(spans, ({ traceId }) => traceId);
    expect([...traces.values()].every((trace) => trace.length === 2)).toBe(true);
    // each trace one of two hundred throws of a coin: 40 or 160 would be eight standard deviations off
    expect(traces.size).toBeGreaterThan(40);
    expect(traces.size).toBeLessThan(160);
  });
});

it('says what failed by its kind, and not in its words', async () => {
  const failing = () => Promise.reject(new TypeError('Kari Nordmann'));
  const spans = await sentBy(() => step('clinic', failing).catch(() => undefined));
  expect(spans).toMatchObject([{ name: 'clinic', failure: 'TypeError' }]);
  const received = await (await fetch(`${receiver.url}/received`)).text();
  expect(received).not.toContain('Nordmann');
});

it('is nothing without an endpoint: no trace to be in, and nobody who gets any', async () => {
  const off = { OTEL_EXPORTER_OTLP_ENDPOINT: undefined };
  const spans = await sentBy(() => step('call', async () => expect(currentTraceparent()).toBeNull()), off);
  expect(spans).toEqual([]);
});

it('tells of spans that could not be sent, and goes on', async () => {
  const failures: unknown[] = [];
  await receiver.stop();
  const tracing = await startTracing(
    'test',
    {
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_TRACES_SAMPLER: 'always_on',
      OTEL_TRACES_SAMPLER_ARG: 1,
    },
    (error) => failures.push(error),
  );
  await step('call');
  await tracing.stop();
  expect(failures).toHaveLength(1);
  receiver = await startTraceReceiver(0);
});
