/** What is usually the matter, by what the adapters say; the first that fits. */
const USUAL: readonly (readonly [said: RegExp, advice: string])[] = [
  [
    /token endpoint refuses us/,
    'The client is not known there, or its secret or key is not: compare --client-id, the variable, --method and --scope with what the clinic registered.',
  ],
  [
    /token endpoint|smart-configuration/,
    'No access token is to be had: check --token-url, and whether it is reached from here.',
  ],
  [
    /HTTP 401/,
    'It does not accept who we are: check --auth, what goes with it, and whether the secret is still good.',
  ],
  [
    /HTTP 403/,
    'It knows us, and does not allow this: ask the clinic to let us read its times, and change Slot, Appointment and Patient.',
  ],
  [
    /no FHIR R4 server|no answer of a CalDAV server|no calendar is there|without FHIR JSON|without a bundle|HTTP 404/,
    'Something answers there, but not the booking system. For FHIR the address is the base below which /metadata and /Slot lie, such as https://fhir.nordlys.example/r4; for CalDAV it is that of the calendars.',
  ],
  [/ENOTFOUND|EAI_AGAIN/, 'There is no such host: check the spelling of the address.'],
  [
    /CERT|SELF_SIGNED|ERR_TLS|UNABLE_TO/,
    "Its certificate is not trusted here: the clinic's own authority goes into NODE_EXTRA_CA_CERTS.",
  ],
  [/ERR_SSL|EPROTO/, 'It does not speak TLS there: check https:// or http://, and the port.'],
  [
    /timed out|in time/,
    'It takes too long: customers do not wait that long either. A firewall that swallows the request looks the same.',
  ],
  [/HTTP 30\d/, 'It sends us elsewhere, and redirects are not followed: give the address that it names.'],
  [/HTTP 429/, 'It limits how often it may be asked: try again later, and ask the clinic for more.'],
  [
    /HTTP 5\d\d|error inside|half a/,
    'The fault is at their end, or passes: try again, then tell the clinic.',
  ],
  [/no answer/, 'Nobody answers there: check host and port, firewalls, and whether the server is up.'],
  [
    /refused \(|"refused/,
    'It does not take what we write: ask the clinic to let us change Slot, Appointment and Patient, or what it misses in them.',
  ],
];

/** What to do about what went wrong; null when there is nothing usual about it. */
export const adviceOn = (reason: string): string | null =>
  USUAL.find(([said]) => said.test(reason))?.[1] ?? null;
