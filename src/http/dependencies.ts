import type { Logger } from 'pino';
import type { DeliveryFault } from '../domain/events.ts';
import type { CustomerLogin } from '../identity/login.ts';
import type { OneTimeCodes } from '../identity/one-time-codes.ts';
import type { Passwords } from '../identity/passwords.ts';
import type { Environment } from '../identity/secrets.ts';
import type { Sessions } from '../identity/session.ts';
import type { Marks } from '../pages/assets.ts';
import type { ApiMetrics } from '../metrics/api-metrics.ts';
import type { FormTokens } from '../pages/forms.ts';
import type { ServiceOwner } from '../pages/layout.ts';
import type { createSignatureCheck } from '../messaging/twilio-reports.ts';
import type { NoteAccess } from '../postgres/access-log.ts';
import type { AsPartner } from '../postgres/as-partner.ts';
import type { Database } from '../postgres/database.ts';
import type { TreatmentType } from '../postgres/providers.ts';
import type { Availability, AvailabilityQuery } from '../providers/availability.ts';
import type { Registries } from '../registries/registries.ts';
import type { CaseClient } from '../temporal/case-client.ts';
import type { SlotTokens } from './booking/slot-tokens.ts';
import type { Idempotency } from './idempotency.ts';
import type { Limits } from './limits.ts';
import type { RequestList } from './request-list.ts';

/** All that the HTTP side works with, handed over by the composition root. */
export interface Dependencies {
  readonly settings: {
    readonly environment: Environment;
    /** Without a trailing slash. */
    readonly publicUrl: string;
    /** Of the test environment where this is production, and the other way round; null where nobody says. */
    readonly otherEnvironmentUrl: string | null;
    readonly trustProxy: number | readonly string[];
    readonly archiveAfterDays: number;
    /** How many months after that personal data is erased. */
    readonly personalDataMonths: number;
    /** To whose numbers SMS are sent (ISO 3166). */
    readonly smsCountries: readonly string[];
    readonly supportEmail: string;
    readonly supportPhone: string;
    readonly serviceOwner: ServiceOwner;
  };
  /** Insurers' marks, by partner. */
  readonly marks: Marks;
  readonly database: Database;
  /** What partners ask for is read so. */
  readonly asPartner: AsPartner;
  /** Who read what, written before it is answered. */
  readonly noteAccess: NoteAccess;
  readonly caseClient: CaseClient;
  /** Whether anybody works on the cases; it may throw. */
  readonly hasWorkers: () => Promise<boolean>;
  /** What is offered, and by whom; up to a few seconds old. */
  readonly treatmentTypes: () => Promise<readonly TreatmentType[]>;
  readonly availability: (query: AvailabilityQuery) => Promise<Availability>;
  readonly registries: Registries;
  readonly login: CustomerLogin;
  readonly sessions: Sessions;
  readonly passwords: Passwords;
  readonly oneTimeCodes: OneTimeCodes;
  readonly slotTokens: SlotTokens;
  readonly formTokens: FormTokens;
  readonly limits: Limits;
  /** Whether a form that came to `url` is signed by Twilio. */
  readonly isFromTwilio: ReturnType<typeof createSignatureCheck>;
  /** What an error of Twilio's says against a number for good; null: nothing. */
  readonly numberFaultOf: (twilioCode: number) => DeliveryFault | null;
  readonly idempotency: Idempotency;
  readonly requestList: RequestList;
  /** SIGTERM came: requests are drained, and nobody should send more. */
  readonly isDraining: () => boolean;
  readonly log: Logger;
  readonly metrics: ApiMetrics;
  /** The time; a test may bring its own. */
  readonly now: () => Date;
}
