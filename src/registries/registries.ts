import type { ServiceRequest } from 'fhir/r4.d.ts';
import type { CalendarDate } from '../domain/instant.ts';
import { RegistryUnavailable, type Verdict, type VerificationKind } from '../domain/verification.ts';
import { createFhirClient, type FhirClient } from '../fhir/client.ts';
import { ServerUnavailable } from '../http-client/exchange.ts';
import type { Name } from '../identity/name-match.ts';
import {
  type DateAt,
  firstDayOf,
  judgeEvidence,
  type Rules,
  twelveMonthsFrom,
  type Validity,
  validityOf,
} from './judge.ts';
import { createPersonNames, findByNumber, type Inquiry } from './records.ts';

/** Policy and referral registries. Both verbs throw {@link RegistryUnavailable} where the registry can't say. */
export interface Registries {
  /** Was the person insured under this number on the day of the injury? */
  verifyPolicy(query: PolicyQuery): Promise<Verdict>;
  /** Is the person referred to this treatment under this number today? */
  verifyReferral(query: ReferralQuery): Promise<Verdict>;
}

/** A FHIR R4 server that knows Coverages or ServiceRequests. */
export interface RegistryAddress {
  readonly baseUrl: string;
  readonly bearerToken?: string | undefined;
}

export interface RegistriesOptions extends Rules {
  /** Null where the deployment has no such registry. */
  readonly policy: RegistryAddress | null;
  readonly referral: RegistryAddress | null;
  /** For all that one verification asks together, in milliseconds. */
  readonly timeoutMs?: number;
  /** Told why there is no answer, without data. */
  readonly onUnavailable?: (kind: VerificationKind, why: string) => void;
}

export function createRegistries(options: RegistriesOptions): Registries {
  const { timeoutMs = 5_000, onUnavailable = () => undefined } = options;
  const clients: Record<VerificationKind, FhirClient | null> = {
    policy: options.policy && clientOf(options.policy, timeoutMs),
    referral: options.referral && clientOf(options.referral, timeoutMs),
  };

  const ask = async (
    kind: VerificationKind,
    verify: (inquiry: Inquiry) => Promise<Verdict>,
  ): Promise<Verdict> => {
    const client = clients[kind];
    if (!client) throw new RegistryUnavailable(kind, 'registry not configured', { isMissing: true });
    try {
      return await verify({ client, signal: AbortSignal.timeout(timeoutMs) });
    } catch (error) {
      if (!(error instanceof ServerUnavailable)) throw error;
      const { message, retryAfterSeconds } = error;
      onUnavailable(kind, message);
      throw new RegistryUnavailable(kind, message, { retryAfterSeconds, cause: error });
    }
  };

  return {
    verifyPolicy: (query) => ask('policy', (inquiry) => verifyPolicy(inquiry, query, options)),
    verifyReferral: (query) => ask('referral', (inquiry) => verifyReferral(inquiry, query, options)),
  };
}

const clientOf = ({ baseUrl, bearerToken }: RegistryAddress, timeoutMs: number): FhirClient =>
  createFhirClient({
    baseUrl,
    timeoutMs,
    ...(bearerToken ? { headers: async () => ({ authorization: `Bearer ${bearerToken}` }) } : {}),
  });

export interface PolicyQuery {
  readonly policyNumber: string;
  readonly person: Name;
  /** The day of the injury: the policy has to cover that one, and may have ended since. */
  readonly on: CalendarDate;
}

/** A policy is a Coverage: whose beneficiary it is, and in whose period the injury lies. */
async function verifyPolicy(
  inquiry: Inquiry,
  { policyNumber, person, on }: PolicyQuery,
  rules: Rules,
): Promise<Verdict> {
  const found = await findByNumber(inquiry, 'Coverage', 'beneficiary', policyNumber);
  const namesOf = createPersonNames(inquiry, found.included);
  const evidence = await Promise.all(
    found.records.map(async ({ status, beneficiary, contained = [], period }) => ({
      isActive: status === 'active',
      isOtherTreatment: false,
      names: await namesOf({ reference: beneficiary, contained }),
      validity: validityOf(period, rules.dateAt),
    })),
  );
  return judgeEvidence(evidence, { person, on, isWhole: found.isWhole }, rules);
}

export interface ReferralQuery {
  readonly referralNumber: string;
  readonly person: Name;
  /** Today: a referral is for treatment that is yet to come. */
  readonly on: CalendarDate;
  readonly treatmentType: string;
  /** All that we know by a code, by which another treatment is told from another vocabulary. */
  readonly treatmentTypes: readonly string[];
}

/** A referral is a ServiceRequest: whose subject it is, for which treatment, and until when. */
async function verifyReferral(inquiry: Inquiry, query: ReferralQuery, rules: Rules): Promise<Verdict> {
  const found = await findByNumber(inquiry, 'ServiceRequest', 'subject', query.referralNumber);
  const namesOf = createPersonNames(inquiry, found.included);
  const evidence = await Promise.all(
    found.records.map(async (request) => ({
      // a request not to do it is no referral
      isActive: request.status === 'active' && request.doNotPerform !== true,
      isOtherTreatment: isForOther(request, query),
      names: await namesOf({ reference: request.subject, contained: request.contained ?? [] }),
      validity: validityOfReferral(request, rules.dateAt),
    })),
  );
  return judgeEvidence(evidence, { person: query.person, on: query.on, isWhole: found.isWhole }, rules);
}

/** Only what speaks of treatments by our codes is judged: most registries have words of their own. */
function isForOther(
  { code, category = [] }: ServiceRequest,
  { treatmentType, treatmentTypes }: ReferralQuery,
): boolean {
  const codes = [code, ...category].flatMap((concept) => concept?.coding ?? []).map((coding) => coding.code);
  const ours = codes.filter((one) => one !== undefined && treatmentTypes.includes(one));
  return ours.length > 0 && !ours.includes(treatmentType);
}

/** As the referral says, or else for twelve months from the day on which it was written. */
function validityOfReferral({ occurrencePeriod, authoredOn }: ServiceRequest, dateAt: DateAt): Validity {
  const written = authoredOn === undefined ? null : firstDayOf(authoredOn, dateAt);
  if (occurrencePeriod === undefined) return { from: written, to: written && twelveMonthsFrom(written) };
  const { from, to } = validityOf(occurrencePeriod, dateAt);
  return { from: from ?? written, to };
}
