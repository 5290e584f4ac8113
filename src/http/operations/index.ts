import type { Operation } from '../operation.ts';
import * as apiKeys from './api-keys.ts';
import * as auth from './auth.ts';
import * as booking from './booking.ts';
import * as cases from './cases.ts';
import * as events from './events.ts';
import * as sandbox from './sandbox.ts';
import * as treatmentTypes from './treatment-types.ts';
import * as verification from './verification.ts';

/** Every call of the API, in the order in which the documentation shows them. */
export const OPERATIONS: readonly Operation[] = [
  ...Object.values(cases),
  ...Object.values(events),
  ...Object.values(verification),
  ...Object.values(treatmentTypes),
  ...Object.values(booking),
  ...Object.values(auth),
  ...Object.values(apiKeys),
  ...Object.values(sandbox.DRIVES),
  sandbox.listMessages,
];
