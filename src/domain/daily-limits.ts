/** How often a case's link may be sent again in 24 hours, whoever asks for it (contract §1). */
export const RESENDS_A_DAY = 5;

/** How often a case's customer may ask for help in 24 hours (contract §3). */
export const HELP_REQUESTS_A_DAY = 3;

/** How long a request for help may be. */
export const HELP_MESSAGE_LETTERS = 2000;
