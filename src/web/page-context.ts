import type { Language } from '../calendar/format.ts';
import type { CaseId } from '../domain/ids.ts';
import type { Instant } from '../domain/instant.ts';

/** What every page needs besides its own matter. */
export interface PageContext {
  readonly language: Language;
  readonly support: { readonly email: string; readonly phone: string };
  /** Ties a form to this browser: the value of every form's `_token`. */
  readonly token: string;
  /** The address of this page, to which a choice of language and a longer session lead back. */
  readonly here: string;
  /** Null where there is no case to go on with. */
  readonly visit: Visit | null;
}

/** What the pages of a case need. */
export interface CaseContext extends PageContext {
  readonly visit: Visit;
}

export interface Visit {
  readonly caseId: CaseId;
  readonly partnerName: string;
  /** Who is logged in, as the eID named them; null without a session. */
  readonly customer: CustomerSession | null;
}

export interface CustomerSession {
  readonly name: string;
  readonly endsAt: Instant;
  /** Until then. Browsers' clocks are wrong by minutes. */
  readonly secondsLeft: number;
  readonly mayBeExtended: boolean;
}
