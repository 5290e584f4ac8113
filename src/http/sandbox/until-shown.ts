import { setTimeout as delay } from 'node:timers/promises';
import type { CaseState } from '../../domain/case-state.ts';
import { readCase, type CaseView } from '../../postgres/read-cases.ts';
import { afterwards } from '../afterwards.ts';
import { caseNotFound } from '../api-error.ts';
import type { Dependencies } from '../dependencies.ts';

/** How long a partner waits for an effect (milliseconds); then the case is answered as it is. */
const PATIENCE = 10_000;
const LOOK_EVERY = 100;

export type UntilShown = (view: CaseView, isSo: (state: CaseState) => boolean) => Promise<CaseView>;

/** Waits until the case's readers see it so, since what the sandbox sets off goes on behind the answer. */
export const createUntilShown =
  ({ database }: Pick<Dependencies, 'database'>): UntilShown =>
  async ({ id }, isSo) => {
    const end = performance.now() + PATIENCE;
    for (;;) {
      const view = await afterwards(() => readCase(database, id));
      if (!view) throw caseNotFound();
      if (isSo(view.state) || performance.now() > end) return view;
      await delay(LOOK_EVERY);
    }
  };
