import { continueAsNew } from '@temporalio/workflow';
import { eraseOverdue } from './activity-proxies.ts';

/** Pages in one run: a history of a few hundred events. */
const PAGES_PER_RUN = 100;

/** Erases the archived cases whose time is over, a page at a time: what a run did not get to is the next one's. */
export async function eraseOverdueCases(): Promise<void> {
  for (let page = 0; page < PAGES_PER_RUN; page += 1) if ((await eraseOverdue()) === 0) return;
  await continueAsNew<typeof eraseOverdueCases>();
}
