import { sql } from 'slonik';
import { z } from 'zod';
import { CASE_STATUSES, type CaseState } from '../domain/case-state.ts';
import type { CaseId, PartnerId } from '../domain/ids.ts';
import type { CalendarDate, Instant } from '../domain/instant.ts';
import { keyOf, sealed } from './sealing.ts';

/** Text with a type of its own, such as an id. */
export const textColumn = <T extends string>() => z.custom<T>((value) => typeof value === 'string');
export const instantColumn = textColumn<Instant>();
export const dateColumn = textColumn<CalendarDate>();
export const nothing = z.object({});

/** A case as its readers see it. `state` is the workflow's own, as of `revision`. */
export const caseRow = z.object({
  id: textColumn<CaseId>(),
  partner_id: textColumn<PartnerId>(),
  partner_case_id: z.string(),
  /** What Temporal shows in its stead. */
  hashed_reference: z.string().nullable(),
  patient_first_name: z.string(),
  patient_last_name: z.string(),
  patient_email: z.string().nullable(),
  patient_phone: z.string().nullable(),
  /** Null where a restore has lost it; names are empty then until they are sent again. */
  injury_date: dateColumn.nullable(),
  injury_description: z.string().nullable(),
  treatment_type: z.string(),
  created_at: instantColumn,
  updated_at: instantColumn,
  workflow_started_at: instantColumn.nullable(),
  /** Where its trace began, as W3C Trace Context writes it; null where its beginning was not traced. */
  traceparent: z.string().nullable(),
  revision: z.number(),
  status: z.enum(CASE_STATUSES),
  // Written by `project` from the typed state, and by nobody else.
  state: z.custom<CaseState>((value) => typeof value === 'object' && value !== null),
});
export type CaseRow = z.infer<typeof caseRow>;

/** What of it is sealed, in one piece. */
const SEALED = {
  partner_case_id: true,
  patient_first_name: true,
  patient_last_name: true,
  patient_email: true,
  patient_phone: true,
  injury_date: true,
  injury_description: true,
} as const;
export const sealedCase = caseRow.pick(SEALED);
export type SealedCase = z.infer<typeof sealedCase>;

/** A row without what is sealed. */
export const unsealedRow = caseRow.omit(SEALED);

export const unsealedColumns = sql.fragment`
  cases.id, cases.partner_id, cases.hashed_reference, cases.treatment_type, cases.created_at, cases.updated_at,
  cases.workflow_started_at, cases.traceparent, cases.revision, cases.status, cases.state`;

export const caseColumns = sql.fragment`
  ${unsealedColumns}, ${sealed(sql.fragment`cases.sealed`, 'cases.sealed')}, ${keyOf(sql.fragment`cases.id`)}`;
