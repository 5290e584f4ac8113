import { Gauge, Histogram, type Registry } from 'prom-client';
import { CHANNELS } from '../domain/case-state.ts';
import { MESSAGE_KINDS } from '../domain/events.ts';

/** A clinic's booking system as this process has it. */
type Systems = ReadonlyMap<string, { state(): 'closed' | 'half_open' | 'open' }>;

/** What a worker tells of itself, beside what Temporal's SDK tells of it. */
export function createWorkerMetrics(registry: Registry, systems: Systems) {
  const registers = [registry];
  const starts = new Histogram({
    name: 'booking_case_start_seconds',
    help: 'From the creation of a case to its running workflow',
    buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 3_600],
    registers,
  });
  const messages = new Histogram({
    name: 'booking_message_seconds',
    help: 'From the order of a message to its end: sent (its server has it), failed for good, or dropped as no longer true',
    labelNames: ['kind', 'channel', 'outcome'],
    buckets: [1, 5, 15, 60, 300, 600, 3_600, 86_400],
    registers,
  });
  // shown from the start, as in src/metrics/api-metrics.ts
  for (const kind of MESSAGE_KINDS)
    for (const channel of CHANNELS) messages.zero({ kind, channel, outcome: 'failed' });
  const circuits = new Gauge({
    name: 'booking_clinic_circuit_open',
    help: "Whether this process leaves a clinic's booking system alone: 1 open, 0.5 half-open, 0 closed",
    labelNames: ['clinic'],
    registers,
    collect() {
      // a clinic that is withdrawn has none any more
      circuits.reset();
      for (const [clinic, system] of systems) circuits.set({ clinic }, OPENNESS[system.state()]);
    },
  });
  return {
    /** A case's workflow was started so long after the case was created. */
    started: (seconds: number) => starts.observe(seconds),
    /** A message came to its end so long after it was ordered. */
    message: (kind: string, channel: string, outcome: string, seconds: number) =>
      messages.observe({ kind, channel, outcome }, seconds),
  };
}

const OPENNESS = { closed: 0, half_open: 0.5, open: 1 } as const;
