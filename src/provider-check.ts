import { credential } from './config.ts';
import { runProviderCheck } from './operator/providers/standalone.ts';
import { connectTo, PROVIDER_KINDS } from './providers/index.ts';

// whoever reads the answer has read enough (`| head`)
process.stdout.on('error', () => process.exit());

/** Tries a clinic's booking system: one check, and its end. */
process.exitCode = await runProviderCheck(process.argv.slice(2), {
  streams: process,
  kinds: PROVIDER_KINDS,
  connect: (registration, onMalformed) =>
    connectTo(registration, {
      secretOf: credential,
      onMalformed: (_, ...what) => onMalformed(...what),
    }),
  isSet: (variable) => credential(variable) !== null,
});
