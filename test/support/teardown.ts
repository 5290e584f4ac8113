type Step = () => Promise<unknown>;

// jest loads the setup and the teardown as modules of their own, in one process
const run = globalThis as typeof globalThis & { treatmentBookingTeardown?: Step[] };

export function onTeardown(step: Step): void {
  (run.treatmentBookingTeardown ??= []).push(step);
}

/** Last started, first stopped; one that fails doesn't keep the others running. */
export default async function tearDown(): Promise<void> {
  const steps = run.treatmentBookingTeardown?.splice(0).reverse() ?? [];
  const failures: unknown[] = [];
  for (const step of steps) await step().catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw new AggregateError(failures, failures.map(String).join('\n'));
}
