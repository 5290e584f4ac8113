import * as cases from './cases.ts';
import * as logs from './logs.ts';
import * as partners from './partners.ts';
import * as person from './person.ts';
import * as platform from './platform.ts';
import * as providers from './providers.ts';

/** All that operators can do, in the order in which it is shown. */
export const DESCRIPTIONS = [
  cases.attention,
  cases.caseList,
  cases.caseShow,
  cases.caseReveals,
  cases.caseTake,
  cases.caseHandBack,
  cases.caseNote,
  cases.caseAvailability,
  cases.caseBook,
  cases.caseChange,
  cases.caseMoveDeadline,
  cases.caseResend,
  cases.caseRetry,
  cases.caseResolveAssistance,
  cases.caseRestart,
  cases.caseSettle,
  cases.caseCorrect,
  cases.caseUnbind,
  cases.caseReadmit,
  cases.caseCancel,
  cases.caseRecall,
  cases.caseArchive,
  partners.partnerAdd,
  partners.partnerList,
  partners.partnerRename,
  partners.partnerSuspend,
  partners.partnerResume,
  partners.partnerReferences,
  partners.partnerRetention,
  partners.partnerImport,
  partners.userAdd,
  partners.userList,
  partners.userActivate,
  partners.userSuspend,
  partners.userResume,
  partners.userRemove,
  partners.keyCreate,
  partners.keyList,
  partners.keyRotate,
  partners.keyRevoke,
  providers.providerList,
  providers.providerShow,
  providers.providerProblems,
  providers.providerAdd,
  providers.providerChange,
  providers.providerOffer,
  providers.providerWithdraw,
  providers.providerRemove,
  providers.treatmentList,
  providers.treatmentAdd,
  providers.treatmentMinutes,
  logs.accessCase,
  logs.accessBy,
  logs.accessAddress,
  logs.accessVerify,
  person.personExport,
  person.personErase,
  person.personHold,
  person.personErasures,
  person.personReapplyErasures,
  person.personKeys,
  person.personRewrapKeys,
  platform.reconcile,
  platform.afterRestore,
  platform.workerVersions,
  platform.workerPromote,
  logs.log,
  platform.grant,
  platform.whoami,
] as const;

export type Described = (typeof DESCRIPTIONS)[number];
export type OperationName = Described['name'];
/** What an operation of this name is given. */
export type InputOf<Name extends OperationName> = Extract<
  Described,
  { name: Name }
>['input']['_zod']['output'];

/** What is said of each noun in the help. */
export const NOUNS: Readonly<Record<string, string>> = {
  case: 'cases: show, book for somebody, repair, end',
  partner: 'insurers, who hand cases over',
  user: 'people who log in for a partner, to manage its API keys',
  key: 'API keys of partners',
  provider: 'clinics with a booking system, and what they offer',
  treatment: 'kinds of treatment that cases can be for',
  access: 'who read which case, from where, and whether the logs are whole',
  person: "a person's data: give it to them, keep it, erase it",
  worker: "the workers' versions, and which one is current",
};
