/** What callers may ask for, and how often: the same over HTTP, on the pages and on the command line. */

/** How often a case's link may be sent again in 24 hours, whoever asks for it. */
export const RESENDS_A_DAY = 5;

/** How often a case's customer may ask for help in 24 hours. */
export const HELP_REQUESTS_A_DAY = 3;

/** How long a request for help may be. */
export const HELP_MESSAGE_LETTERS = 2000;

/** Days of free times that are listed when nobody says otherwise, and at most. */
export const AVAILABILITY_DAYS = 14;
export const MAX_AVAILABILITY_DAYS = 90;

/** How long a key goes on beside the one that replaces it, when nobody says otherwise, and at most. */
export const KEY_OVERLAP_HOURS = 24;
export const MAX_KEY_OVERLAP_HOURS = 7 * 24;

/** What a key may be for: reading (GET), and everything else. */
export const KEY_SCOPES = ['cases:read', 'cases:write'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

/** How many networks a key may name. */
export const MAX_KEY_NETWORKS = 20;
