import { setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import type { CaseState } from '../src/domain/case-state.ts';
import { describeCase } from '../src/domain/describe-case.ts';
import { attributesOf } from './attributes.ts';

/** Keeps what the operator sees up to date; costs a history event only where an attribute changes. */
export function keepBoard(): (state: CaseState) => void {
  let shown: CaseState | null = null;
  return (state) => {
    const before = shown && attributesOf(shown).map(({ value }) => value.toString());
    const changed = attributesOf(state).filter(({ value }, i) => before && before[i] !== value.toString());
    if (changed.length > 0) upsertSearchAttributes(changed);
    setCurrentDetails(describeCase(state));
    shown = state;
  };
}
