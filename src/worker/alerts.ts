import { every } from '../main/process.ts';
import {
  type Alert,
  type AlertChannel,
  noteTold,
  noteUntold,
  refreshAlerts,
  takeDueAlerts,
} from '../postgres/alerts.ts';
import { sweepAttention } from '../postgres/attention.ts';
import type { Database } from '../postgres/database.ts';

/** Milliseconds. */
const SWEEP_EVERY = 15_000;
const TELL_EVERY = 5_000;
/** More at once are told as one, so that an outage of ours or of the channel's is no flood. */
const EACH_BY_ITSELF = 3;
const AT_ONCE = 200;

export interface AlertsOptions {
  /** How operators are told, by channel; one that this deployment lacks is left out. */
  readonly channels: Readonly<Partial<Record<AlertChannel, (alerts: readonly Alert[]) => Promise<void>>>>;
  /** In words without personal data. */
  readonly reasonOf: (error: unknown) => string;
  readonly onFailure: (error: unknown, channel: AlertChannel | null) => void;
  readonly sweepEvery?: number;
  readonly tellEvery?: number;
}

/**
 * Looks for what needs an operator, and tells of it, in any number of processes at once. Each channel for itself: one
 * that hangs or refuses holds up nothing on the other.
 */
export function startAlerts(
  database: Database,
  { channels, reasonOf, onFailure, sweepEvery = SWEEP_EVERY, tellEvery = TELL_EVERY }: AlertsOptions,
): { stop(): Promise<void> } {
  const names = Object.keys(channels) as AlertChannel[];
  const tellDue = async (channel: AlertChannel): Promise<void> => {
    const tell = channels[channel];
    const due = tell ? await takeDueAlerts(database, channel, AT_ONCE) : [];
    for (const batch of due.length > EACH_BY_ITSELF ? [due] : due.map((one) => [one])) {
      try {
        await tell?.(batch);
      } catch (error) {
        onFailure(error, channel);
        await noteUntold(database, batch, reasonOf(error));
        continue;
      }
      await noteTold(database, batch);
    }
  };
  const jobs = [
    every(
      sweepEvery,
      async () => {
        await sweepAttention(database);
        await refreshAlerts(database, names);
      },
      (error) => onFailure(error, null),
    ),
    ...names.map((channel) =>
      every(
        tellEvery,
        () => tellDue(channel),
        (error) => onFailure(error, channel),
      ),
    ),
  ];
  return {
    async stop() {
      await Promise.all(jobs.map((job) => job.stop()));
    },
  };
}
