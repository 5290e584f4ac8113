import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import type { CaseState } from '../src/domain/case-state.ts';
import { attentionOf } from '../src/domain/views.ts';

/** What operators filter by in Temporal's Web UI. `CaseStatus`, since the UI can't show a column named `Status`. */
export const searchAttributes = {
  caseStatus: defineSearchAttributeKey('CaseStatus', SearchAttributeType.KEYWORD),
  partnerId: defineSearchAttributeKey('PartnerId', SearchAttributeType.KEYWORD),
  partnerCaseId: defineSearchAttributeKey('PartnerCaseId', SearchAttributeType.KEYWORD),
  treatmentType: defineSearchAttributeKey('TreatmentType', SearchAttributeType.KEYWORD),
  bookingDeadline: defineSearchAttributeKey('BookingDeadline', SearchAttributeType.DATETIME),
  needsAttention: defineSearchAttributeKey('NeedsAttention', SearchAttributeType.KEYWORD),
};

/** The attributes that follow the state; a start sets the others as well. */
export const attributesOf = (state: CaseState) => [
  { key: searchAttributes.caseStatus, value: state.status },
  { key: searchAttributes.bookingDeadline, value: new Date(state.deadline.passesAt) },
  { key: searchAttributes.needsAttention, value: attentionOf(state) },
];
