/** What global-setup.ts started for the whole run, as the suites, which are processes of their own, get to know it. */
const VARIABLES = {
  /** Any database of the server; to create others with. */
  postgresUrl: 'TEST_POSTGRES_URL',
  /** Name of the migrated database that the suites' own are copied from. */
  templateDatabase: 'TEST_POSTGRES_TEMPLATE',
  /** host:port of the Temporal dev server. */
  temporalAddress: 'TEST_TEMPORAL_ADDRESS',
  /** The time-skipping server's program; empty when there is none, and the next one says why. */
  timeSkippingServer: 'TEST_TIME_SKIPPING_SERVER',
  timeSkippingProblem: 'TEST_TIME_SKIPPING_PROBLEM',
  /** The file with the workflows' code, made once for all workers of the run. */
  workflowBundle: 'TEST_WORKFLOW_BUNDLE',
} as const;

export type RunningServers = Readonly<Record<keyof typeof VARIABLES, string>>;

export function publish(servers: RunningServers): void {
  for (const [name, variable] of Object.entries(VARIABLES)) {
    process.env[variable] = servers[name as keyof RunningServers];
  }
}

/** @throws outside a jest run */
export function runningServers(): RunningServers {
  const read = (variable: string) => {
    const value = process.env[variable];
    if (value === undefined)
      throw new Error(`${variable} is not set: is this a run of jest with our globalSetup?`);
    return value;
  };
  return {
    postgresUrl: read(VARIABLES.postgresUrl),
    templateDatabase: read(VARIABLES.templateDatabase),
    temporalAddress: read(VARIABLES.temporalAddress),
    timeSkippingServer: read(VARIABLES.timeSkippingServer),
    timeSkippingProblem: read(VARIABLES.timeSkippingProblem),
    workflowBundle: read(VARIABLES.workflowBundle),
  };
}
