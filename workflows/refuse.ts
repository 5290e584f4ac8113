import { ApplicationFailure } from '@temporalio/workflow';
import type { Refusal } from '../src/domain/refusal.ts';
import { REFUSAL } from './contract.ts';

/** A refusal as the one kind of error that ends an update instead of stalling the workflow's task. */
export const refuse = (refusal: Refusal): ApplicationFailure =>
  ApplicationFailure.nonRetryable(refusal.code, REFUSAL, refusal);
