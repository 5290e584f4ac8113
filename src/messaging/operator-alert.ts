import type { AlertKind } from '../domain/events.ts';
import type { CaseId } from '../domain/ids.ts';
import type { Mail } from './mail.ts';
import { composeAlert } from './texts/compose-alert.ts';

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

export interface OperatorAlertOptions {
  readonly mail: Mail;
  readonly operatorEmail: string;
}

/** Tells the operator of a case that needs a person. @throws AddressRefused, DeliveryUnavailable */
export const createOperatorAlert =
  ({ mail, operatorEmail }: OperatorAlertOptions) =>
  async (alert: OperatorAlert): Promise<{ reference: string }> =>
    mail.send({ to: operatorEmail, ...composeAlert(alert), dedupId: alert.dedupId });
