import type { WorkflowClientInterceptor } from '@temporalio/client';
import { defaultPayloadConverter, type Headers } from '@temporalio/common';
import { TRACE_HEADER } from '../../workflows/contract.ts';
import { currentTraceparent } from '../tracing/spans.ts';

/** Has the trace that one is in go with what a workflow is asked, which gives it to its activities (workflows/trace.ts). */
const withTrace = <Input extends { readonly headers: Headers }>(input: Input): Input => {
  const traceparent = currentTraceparent();
  if (traceparent === null) return input;
  const header = { [TRACE_HEADER]: defaultPayloadConverter.toPayload(traceparent) };
  return { ...input, headers: { ...input.headers, ...header } };
};

export const passTraceOn: WorkflowClientInterceptor = {
  startWithDetails: (input, next) => next(withTrace(input)),
  startUpdate: (input, next) => next(withTrace(input)),
  signal: (input, next) => next(withTrace(input)),
};

/** What a workflow or an activity was given of it. */
export const traceparentIn = ({ [TRACE_HEADER]: header }: Headers): string | null =>
  header ? defaultPayloadConverter.fromPayload<string>(header) : null;
