import type { Headers, WorkflowInterceptors } from '@temporalio/workflow';
import { TRACE_HEADER } from './contract.ts';

/**
 * Gives to what a workflow does the trace of what it was last asked, or was started with: activities belong to it, as does
 * a run that goes on as new. Nothing else of tracing is in here, and no command depends on it, so that a history
 * replays whether it was traced or not.
 */
export const interceptors = (): WorkflowInterceptors => {
  let trace: Headers = {};
  const follow = ({ headers: { [TRACE_HEADER]: given } }: { readonly headers: Headers }) => {
    if (given) trace = { [TRACE_HEADER]: given };
  };
  const withTrace = <Input extends { readonly headers: Headers }>(input: Input): Input => ({
    ...input,
    headers: { ...input.headers, ...trace },
  });
  return {
    inbound: [
      {
        execute(input, next) {
          follow(input);
          return next(input);
        },
        handleUpdate(input, next) {
          follow(input);
          return next(input);
        },
        handleSignal(input, next) {
          follow(input);
          return next(input);
        },
      },
    ],
    outbound: [
      {
        scheduleActivity: (input, next) => next(withTrace(input)),
        continueAsNew: (input, next) => next(withTrace(input)),
      },
    ],
  };
};
