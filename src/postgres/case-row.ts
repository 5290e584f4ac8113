import { sql } from 'slonik';
import { z } from 'zod';
import { CASE_STATUSES, type CaseState } from '../domain/case-state.ts';
import type { CaseId, PartnerId } from '../domain/ids.ts';
import type { CalendarDate, Instant } from '../domain/instant.ts';

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
  injury_date: dateColumn,
  injury_description: z.string().nullable(),
  treatment_type: z.string(),
  created_at: instantColumn,
  updated_at: instantColumn,
  workflow_started_at: instantColumn.nullable(),
  revision: z.number(),
  status: z.enum(CASE_STATUSES),
  // Written by `project` from the typed state, and by nobody else.
  state: z.custom<CaseState>((value) => typeof value === 'object' && value !== null),
});
export type CaseRow = z.infer<typeof caseRow>;

export const caseColumns = sql.fragment`
  cases.id, cases.partner_id, cases.partner_case_id, cases.hashed_reference, cases.patient_first_name, cases.patient_last_name,
  cases.patient_email, cases.patient_phone, cases.injury_date, cases.injury_description, cases.treatment_type,
  cases.created_at, cases.updated_at, cases.workflow_started_at, cases.revision, cases.status, cases.state`;
