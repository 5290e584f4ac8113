import { RegistryUnavailable, type Verdict, type VerificationKind } from '../domain/verification.ts';
import { createFhirClient, type FhirClient } from '../fhir/client.ts';
import { FhirUnavailable } from '../fhir/unavailable.ts';
import type { Rules } from './judge.ts';
import { verifyPolicy, type PolicyQuery } from './policy.ts';
import type { Inquiry } from './records.ts';
import { verifyReferral, type ReferralQuery } from './referral.ts';

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
  readonly patienceMs?: number;
  /** Told why there is no answer, without data. */
  readonly onUnavailable?: (kind: VerificationKind, why: string) => void;
}

export function createRegistries(options: RegistriesOptions): Registries {
  const { patienceMs = 5_000, onUnavailable = () => undefined } = options;
  const clients: Record<VerificationKind, FhirClient | null> = {
    policy: options.policy && clientOf(options.policy, patienceMs),
    referral: options.referral && clientOf(options.referral, patienceMs),
  };

  const ask = async (
    kind: VerificationKind,
    verify: (inquiry: Inquiry) => Promise<Verdict>,
  ): Promise<Verdict> => {
    const client = clients[kind];
    if (!client) throw new RegistryUnavailable(kind, 'there is no such registry', { isMissing: true });
    try {
      return await verify({ client, signal: AbortSignal.timeout(patienceMs) });
    } catch (error) {
      if (!(error instanceof FhirUnavailable)) throw error;
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
