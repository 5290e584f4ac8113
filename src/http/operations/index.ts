import type { Operation } from '../operation.ts';
import { createApiKey, listApiKeys, revokeApiKey, rotateApiKey } from './api-keys.ts';
import { activate, login, logout, me } from './auth.ts';
import {
  beginLogin,
  cancelBooking,
  confirmBooking,
  endLogin,
  listAvailability,
  readBooking,
  requestAssistance,
} from './booking.ts';
import { archiveCase, changeCase, createCase, getCase, listCases, recallCase, resendLink } from './cases.ts';
import { readDescription } from './description.ts';
import { listCaseEvents, listEvents } from './events.ts';
import { DRIVES, listMessages } from './sandbox.ts';
import { listTreatmentTypes } from './treatment-types.ts';
import { verifyPolicy, verifyReferral } from './verification.ts';

/** Every call of the API, in the order in which the documentation shows them. */
export const OPERATIONS: readonly Operation[] = [
  createCase,
  getCase,
  listCases,
  changeCase,
  resendLink,
  recallCase,
  archiveCase,
  listTreatmentTypes,
  listEvents,
  listCaseEvents,
  verifyPolicy,
  verifyReferral,
  activate,
  login,
  me,
  logout,
  listApiKeys,
  createApiKey,
  rotateApiKey,
  revokeApiKey,
  ...Object.values(DRIVES),
  listMessages,
  readBooking,
  beginLogin,
  listAvailability,
  confirmBooking,
  cancelBooking,
  requestAssistance,
  endLogin,
  readDescription,
];
