import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { parse } from 'yaml';
import { createApiMetrics } from '../../src/metrics/api-metrics.ts';
import { gaugesOf } from '../../src/metrics/business-gauges.ts';
import { createProcessMetrics } from '../../src/metrics/process-metrics.ts';
import { createWorkerMetrics } from '../../src/metrics/worker-metrics.ts';
import { TEMPORAL_METRICS } from '../support/temporal-metrics.ts';

const root = join(import.meta.dirname, '../..');
const read = (file: string) => readFile(join(root, file), 'utf8');

interface Rule {
  readonly alert?: string;
  readonly record?: string;
  readonly expr: string;
  readonly annotations?: { readonly runbook: string };
}
interface Panel {
  readonly targets?: readonly { readonly expr: string }[];
}

/** What others tell: Prometheus itself, its exporters, the backup's job; and the SDK, of what has failed once. */
const OTHERS = [
  ...[
    'up',
    'ALERTS',
    'node_filesystem_avail_bytes',
    'node_filesystem_size_bytes',
    'pg_replication_lag_seconds',
    'pg_replication_last_replay_seconds',
  ],
  ...['probe_ssl_earliest_cert_expiry', 'booking_backup_timestamp_seconds'],
  'temporal_workflow_task_execution_failed_total',
];

const waiting = { count: 1, oldest: 1 };
const GAUGES: Parameters<typeof gaugesOf>[0] = {
  ...{ unstarted: waiting, transfers: waiting, releases: waiting, keysEnding: 1 },
  messages: [{ ...waiting, channel: 'email', state: 'new' }],
  attention: [{ ...waiting, kind: 'assistance' }],
  reconciliations: [
    { kind: 'regular', age: 1, differing: 0, withoutWorkflow: 0, withoutCase: 0, unanswered: 0 },
  ],
  findings: [{ clinic: 'nordlys', kind: 'malformed', count: 1 }],
  server: { connections: 1, maxConnections: 100, archiveAge: 1 },
  restoreUnfinished: true,
};

describe('the alarms', () => {
  let rules: readonly Rule[] = [];
  let tried = '';
  let panels: readonly Panel[] = [];
  beforeAll(async () => {
    const { groups } = parse(await read('monitoring/prometheus/alarms.yml')) as {
      groups: { rules: Rule[] }[];
    };
    rules = groups.flatMap((group) => group.rules);
    tried = await read('monitoring/prometheus/alarms.test.yml');
    ({ panels } = JSON.parse(await read('monitoring/grafana/service.json')) as { panels: Panel[] });
  });

  it('each have a page that says what they mean, where to look first and how to mend it; and are set off in a test', async () => {
    const alerts = rules.filter(({ alert }) => alert !== undefined);
    expect(alerts.length).toBeGreaterThan(15);
    for (const { alert = '', annotations } of alerts) {
      const page = await read(annotations?.runbook ?? 'no page');
      expect(page).toContain(alert);
      for (const heading of ['Meaning', 'First look', 'Mend', 'Tried'])
        expect(page).toContain(`\n## ${heading}\n`);
      expect(tried).toContain(`- name: ${alert}\n`);
    }
  });

  it('see the first failure, whose metric is there before it', async () => {
    const registry = createProcessMetrics({});
    createApiMetrics(registry);
    createWorkerMetrics(registry, new Map());
    const told = await registry.metrics();
    for (const series of [
      'booking_message_seconds_count{kind="invitation",channel="sms",outcome="failed"}',
      'booking_workflow_request_duration_seconds_count{command="confirm",outcome="unknown"}',
      'booking_login_failures_total{reason="eid_unavailable",fault="eID"}',
    ])
      expect(told).toContain(`${series} 0\n`);
  });

  it('and the dashboard build on metrics that are exported', async () => {
    const registry = createProcessMetrics({});
    createApiMetrics(registry);
    createWorkerMetrics(registry, new Map());
    const temporal = { currentWorkers: 1, schedules: [{ name: 'reconcile', lastRunAt: 1, paused: false }] };
    const ours = Registry.merge([registry, gaugesOf(GAUGES, temporal)]).getMetricsAsArray();
    const exported = new Set([
      ...ours.map(({ name }) => name),
      ...TEMPORAL_METRICS,
      ...OTHERS,
      ...rules.map(({ record }) => record),
    ]);
    const expressions = [
      ...rules.map(({ expr }) => expr),
      ...panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
    ];
    const named = expressions
      // what stands in quotes or brackets is a label's
      .map((expr) => expr.replace(/"[^"]*"/g, '').replace(/\{[^}]*\}/g, ''))
      .flatMap((expr) => [
        ...expr.matchAll(/\b(?:(?:booking|temporal|nodejs|process|node|pg|probe)_\w+|slo:[\w:]+|up\b)/g),
      ])
      .map(([name]) => name);
    expect(named.length).toBeGreaterThan(80);
    const unknown = named.filter(
      (name) => !exported.has(name) && !exported.has(name.replace(/_(bucket|count|sum)$/, '')),
    );
    expect(unknown).toEqual([]);
  });
});
