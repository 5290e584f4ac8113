import { isSupportedCountry } from 'libphonenumber-js/max';
import { z } from 'zod';

/** The European Economic Area (ISO 3166), with Åland and Svalbard, which have numbers of Finland's and Norway's. */
const EEA = 'AT AX BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SJ SK';

/**
 * The countries to whose numbers SMS are sent. Numbers of all others, and those of no country (satellites, and services
 * that bill the sender), count as numbers that can't get SMS: who may enter a number must not choose what an SMS costs.
 */
export const smsCountries = z
  .string()
  .default('')
  .transform((text) => (text.trim() || EEA).toUpperCase().split(/[\s,]+/))
  .refine(
    (countries) => countries.every((country) => isSupportedCountry(country)),
    'must be codes of countries, such as NO SE DK',
  );
