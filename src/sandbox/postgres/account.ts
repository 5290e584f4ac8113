/** The one account of the local database, which listens on 127.0.0.1 only. No secret. */
export const USER = 'postgres';
export const PASSWORD = 'sandbox';
