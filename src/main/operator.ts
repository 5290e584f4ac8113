import { enableCompileCache } from 'node:module';

// what was compiled is kept from one command to the next: that is half of its start
enableCompileCache();
const { readOperatorClientSettings } = await import('../config/operator-client.ts');
const { Failure } = await import('../operator/command-line/failure.ts');
const { runOperator } = await import('../operator/command-line/program.ts');

// whoever reads the answer has read enough (`| head`)
process.stdout.on('error', () => process.exit());

/** The operator's command line, a client of the operator API: one command, and its end. */
process.exitCode = await runOperator(process.argv.slice(2), {
  streams: process,
  connect() {
    const settings = readOperatorClientSettings();
    if (settings) return { ...settings, authorization: async () => null };
    throw new Failure(
      'config',
      'WRONG_SETTINGS',
      'OPERATOR_API_URL must be the address of the operator API.',
    );
  },
});
