/** What the starter needs of the world. */
export interface StarterDeps {
  /** Starts up to a batch of unstarted cases. */
  readonly startBatch: () => Promise<{ readonly started: number; readonly failure: unknown }>;
  /** Calls `wake` when a case was created; resolves once it listens. `lost` when it does no longer. */
  readonly listen: (wake: () => void, lost: () => void) => Promise<{ close(): Promise<void> }>;
  readonly onError: (error: unknown) => void;
  /** Looks this often for what a lost notification left (milliseconds). */
  readonly lookEvery?: number;
}

/** Starts the workflow of every case that has a row and none yet (promise P1). One in every worker process. */
export function runStarter({ startBatch, listen, onError, lookEvery = 3_000 }: StarterDeps): {
  stop(): Promise<void>;
} {
  let stopped = false;
  const isStopped = () => stopped;
  let wakeUp: () => void = () => undefined;
  let isWoken = false;
  let listener: { close(): Promise<void> } | null = null;
  const wake = () => {
    isWoken = true;
    wakeUp();
  };

  const rest = async () => {
    if (!isWoken && !isStopped()) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, lookEvery);
        wakeUp = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    isWoken = false;
  };

  const work = async () => {
    while (!isStopped()) {
      try {
        listener ??= await listen(wake, () => (listener = null));
        // Full batches mean that more may wait; one in which nothing could be started has to wait for better times.
        let batch = await startBatch();
        while (!isStopped() && batch.started > 0) batch = await startBatch();
        if (batch.failure !== null) onError(batch.failure);
      } catch (error) {
        onError(error);
      }
      await rest();
    }
  };
  const running = work();

  return {
    async stop() {
      stopped = true;
      wake();
      await running;
      await listener?.close();
    },
  };
}
