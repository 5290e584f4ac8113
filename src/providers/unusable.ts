import { eachVerb } from './each-verb.ts';
import type { BookingSystem } from './port.ts';
import { ProviderUnavailable } from './port.ts';

/** A booking system that is registered, but can not be spoken to until somebody mends its registration. */
export const unusable = (why: string): BookingSystem =>
  eachVerb(() => Promise.reject(new ProviderUnavailable(why)));
