/** What of Temporal's SDK rules and dashboards build on; the canary's stack says whether a worker tells it. */
export const TEMPORAL_METRICS = [
  'temporal_workflow_task_schedule_to_start_latency_seconds',
  'temporal_activity_schedule_to_start_latency_seconds',
  'temporal_activity_succeed_endtoend_latency_seconds',
  'temporal_activity_execution_failed_total',
  'temporal_worker_task_slots_available',
  'temporal_worker_task_slots_used',
  'temporal_num_pollers',
  'temporal_sticky_cache_size',
] as const;
