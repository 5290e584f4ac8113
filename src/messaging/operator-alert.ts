import type { AlertKind } from '../domain/events.ts';
import type { CaseId } from '../domain/ids.ts';
import type { Instant } from '../domain/instant.ts';
import { formatTimestamp } from '../calendar/format.ts';
import type { Mail } from './mail.ts';
import type { EmailSection } from './texts/email-template.ts';
import { type Email, renderEmail } from './texts/email.ts';

/** A case that waits for a person, and for what. Nothing personal in it. */
export interface OperatorAlert {
  readonly kind: AlertKind;
  readonly caseId: CaseId;
  readonly partnerName: string;
  /** The case in Temporal's UI; null where nobody said where that is. */
  readonly caseLink: string | null;
  /** The same for every repetition of this alert, and for no other: a case may need help twice. */
  readonly dedupId: string;
}

/** Tells the operator of a case that needs a person. @throws AddressRefused, DeliveryUnavailable */
export const createOperatorAlert =
  ({ mail, operatorEmail }: { readonly mail: Mail; readonly operatorEmail: string }) =>
  async (alert: OperatorAlert): Promise<{ reference: string }> =>
    mail.send({ to: operatorEmail, ...composeAlert(alert), dedupId: alert.dedupId });

/** A clinic whose changes nobody sees. Nothing personal in it. */
export interface UnwatchedAlert {
  readonly providerId: string;
  readonly providerName: string;
  /** When its calendar was last compared with our appointments. */
  readonly since: Instant;
}

/** Tells the operator of a clinic that could not be watched. @throws AddressRefused, DeliveryUnavailable */
export const createUnwatchedAlert =
  ({ mail, operatorEmail }: { readonly mail: Mail; readonly operatorEmail: string }) =>
  async (unwatched: UnwatchedAlert): Promise<{ reference: string }> =>
    mail.send({
      to: operatorEmail,
      ...composeUnwatchedAlert(unwatched),
      dedupId: `${unwatched.providerId}:unwatched:${unwatched.since}`,
    });

interface AlertWording {
  readonly heading: string;
  readonly happened: (partner: string) => string;
  readonly whatToDo: string;
  /** Each begins with what `operator` is told; the case's id is put in place of ID. */
  readonly commands: readonly string[];
}

/** What each kind of trouble means, and how it ends. In English, as the operator's commands are. */
const ALERTS: Readonly<Record<OperatorAlert['kind'], AlertWording>> = {
  assistance: {
    heading: 'A customer asks for help',
    happened: (partner) =>
      `A customer of ${partner} has asked for help, and was told that somebody gets in touch, usually within one working day.`,
    whatToDo:
      'The first command shows what they wrote and how to reach them; that is logged. Help them, or book for them. Then settle the request with the last one.',
    commands: [
      'case show ID --reveal --reason "the customer asked for help"',
      'case availability ID',
      'case resolve-assistance ID --note "what was done"',
    ],
  },
  undeliverable: {
    heading: 'No message reaches the customer',
    happened: (partner) =>
      `A message to a customer of ${partner} has failed for good on every address that the case has. They may know nothing of it.`,
    whatToDo:
      'Correct an address, which sends the link again to a customer who has not booked; or call them, and book for them. The insurer sees the failed messages on the case, and can correct addresses too.',
    commands: [
      'case show ID --reveal --reason "no message arrives"',
      'case correct ID --email',
      'case correct ID --phone',
      'case availability ID',
    ],
  },
  disowned: {
    heading: 'A message went to somebody else',
    happened: (partner) =>
      `Whoever got the booking link of a customer of ${partner} says that it is not for them. The case gets no more messages until an address is corrected.`,
    whatToDo:
      'Find out how to reach the customer, and correct the address, which sends the link to it; or call them, and book for them. The insurer was told by an event, and can correct addresses too.',
    commands: [
      'case show ID --reveal --reason "the link went to somebody else"',
      'case correct ID --email',
      'case correct ID --phone',
    ],
  },
  transfer_refused: {
    heading: 'A clinic did not take an appointment',
    happened: (partner) =>
      `A customer of ${partner} has booked a time, and the clinic’s system refuses the appointment for good. The case stands still until somebody settles it; the customer has got no confirmation.`,
    whatToDo:
      'Ask the clinic what is wrong. When it is settled, let the case go on: it tries the same slot again. If it can’t be settled, call the customer.',
    commands: ['case show ID', 'case retry ID'],
  },
  release_unverified: {
    heading: 'A clinic keeps a time that was cancelled',
    happened: (partner) =>
      `An appointment of a customer of ${partner} was cancelled, but its slot is still busy in the clinic’s calendar after two minutes of attempts to release it. Nobody else can book it.`,
    whatToDo:
      'The service goes on trying every few minutes, and the case needs nobody any more once the time is free. If it stays, ask the clinic to free the time, then let the case look again.',
    commands: ['case show ID', 'case retry ID'],
  },
  overlap: {
    heading: 'A clinic moved an appointment onto another',
    happened: (partner) =>
      `A clinic has moved an appointment of a customer of ${partner} onto a time at which the same practitioner already has a booking of ours. The customer was told of the new time.`,
    whatToDo:
      'Ask the clinic which of the two it keeps. Once one of them is moved or cancelled there, both cases follow by themselves within minutes.',
    commands: ['case show ID', 'case retry ID'],
  },
  double_booked: {
    heading: 'A clinic has two appointments at one time',
    happened: (partner) =>
      `A clinic has an appointment of its own at the time of one that a customer of ${partner} has with us: whoever made it looked before the time was taken, or paid no heed to it. Both stand, and the customer was told nothing.`,
    whatToDo:
      'Ask the clinic which of the two it keeps. Once one of them is moved or cancelled there, the case follows by itself; where the clinic keeps both, nothing is to be done.',
    commands: ['case show ID'],
  },
  messages_held: {
    heading: 'Messages are held back',
    happened: (partner) =>
      `More messages were due than may leave: to one customer of ${partner} in a day, or for all customers of ${partner} in an hour. The rest wait, and go out once there is room; the case below is the first of them.`,
    whatToDo:
      'Look at what the case has been through: corrections, or bookings made and cancelled, time after time are misuse, or a fault of the insurer’s system. Where all is as it should be, raise MESSAGES_PER_RECIPIENT_DAY or MESSAGES_PER_PARTNER_HOUR of the worker.',
    commands: ['case show ID'],
  },
  workflow_lost: {
    heading: 'The workflow of a case has ended',
    happened: (partner) =>
      `A case of ${partner} is not over, but its workflow is gone or was ended from outside: nobody is reminded, and nothing can be booked or changed, until it is started again.`,
    whatToDo:
      'Find out who ended it, and why. The second command restarts it from its record in the database. Where many are gone at once, only some are told of by mail: the last one lists them all.',
    commands: ['case show ID', 'case restart ID', 'case list --attention workflow_lost'],
  },
  workflow_behind: {
    heading: 'Workflows are older than what readers saw',
    happened: (partner) =>
      `The workflows of many cases, one of ${partner} among them, are older than what readers saw of them, as after an older backup of Temporal was restored. They are left as they are until somebody decides.`,
    whatToDo:
      'Find out whether Temporal was restored, and read “What can happen, and the way back” in docs/operations/recovery.md. The second command lists these cases. Either the workflows’ state is to count, bookings made since the backup included: the third command. Or what readers see is to count: terminate these workflows, and start them again with the last one.',
    commands: [
      'case show ID',
      'case list --attention workflow_lost',
      'reconcile --full --workflows-win',
      'case restart ID',
    ],
  },
};

const oneLine = (name: string): string => name.replaceAll(/\s+/g, ' ').trim();

/** Without anything personal: it lies in a mailbox. */
export function composeAlert({ kind, caseId, partnerName, caseLink }: OperatorAlert): Email {
  const { heading, happened, whatToDo, commands } = ALERTS[kind];
  const partner = oneLine(partnerName);
  // as much of the id as the commands need
  const short = caseId.slice(0, 8);
  return renderAlert({
    subject: `${heading} (${partner}, case ${short})`,
    heading,
    paragraphs: [happened(partner), whatToDo, `The case: ${caseId}`],
    commands: commands.map((command) => command.replace('ID', short)),
    link: caseLink === null ? null : { label: 'Open the case in Temporal', url: caseLink },
    more: 'All cases that wait for somebody: operator case list --attention',
  });
}

export function composeUnwatchedAlert({ providerId, providerName, since }: UnwatchedAlert): Email {
  const clinic = oneLine(providerName);
  const heading = `Changes at ${clinic} are not being seen`;
  return renderAlert({
    subject: heading,
    heading,
    paragraphs: [
      `Since ${formatTimestamp(since)} the calendar of ${clinic} (${providerId}) could not be compared with our appointments there. Customers are not told of what its staff moves or cancels.`,
      'The first command tries its booking system, the second shows what was found there. It is tried again every five minutes, and you get no other mail of this until it has succeeded.',
    ],
    commands: [`provider show ${providerId} --check`, `provider problems ${providerId}`],
    link: null,
    more: 'What is wrong at all clinics: operator provider problems',
  });
}

interface AlertParts extends Pick<EmailSection, 'heading' | 'paragraphs' | 'commands' | 'link'> {
  readonly subject: string;
  /** Where there is more of the kind. */
  readonly more: string;
}

const renderAlert = ({ subject, commands, more, ...said }: AlertParts): Email =>
  renderEmail({
    subject,
    preview: said.paragraphs[0] ?? '',
    from: 'Treatment booking: for the operator',
    main: {
      ...said,
      language: 'en',
      when: null,
      commands: commands.map((command) => `operator ${command}`),
      closing: [],
      phone: '',
      email: '',
    },
    also: null,
    notes: [{ language: 'en', text: `You get this because OPERATOR_EMAIL names this address. ${more}` }],
  });
