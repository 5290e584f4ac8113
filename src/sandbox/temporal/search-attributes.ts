/** What operators search cases by, as the servers register them. Names and types are for good: issue 3, item 8. */
export const SEARCH_ATTRIBUTES = {
  CaseStatus: 'Keyword',
  PartnerId: 'Keyword',
  PartnerCaseId: 'Keyword',
  TreatmentType: 'Keyword',
  BookingDeadline: 'Datetime',
  NeedsAttention: 'Keyword',
} as const satisfies SearchAttributeTypes;

export type SearchAttributeTypes = Readonly<Record<string, 'Keyword' | 'Datetime'>>;
