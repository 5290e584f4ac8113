import { readCredential } from '../config/settings.ts';
import { runProviderCheck } from '../operator/providers/standalone-check.ts';
import { connectBookingSystem, PROVIDER_KINDS } from '../providers/connect.ts';

// whoever reads the answer has read enough (`| head`)
process.stdout.on('error', () => process.exit());

/** Tries a clinic's booking system: one check, and its end. */
process.exitCode = await runProviderCheck(process.argv.slice(2), {
  streams: process,
  kinds: PROVIDER_KINDS,
  connect: (registration, observer) =>
    connectBookingSystem(registration, { secretOf: readCredential, ...observer }),
  isSet: (variable) => readCredential(variable) !== null,
});
