import { composeOperator } from './compose-operator.ts';
import { operatorSettings, readSettings, SettingsError } from './config.ts';
import { Ending } from './operator/ending.ts';
import { runOperator } from './operator/run.ts';

// whoever reads the answer has read enough (`| head`)
process.stdout.on('error', () => process.exit());

/** The operator's command line: one command, and its end. */
process.exitCode = await runOperator(process.argv.slice(2), {
  streams: process,
  open: async (say) => composeOperator(settings(), { say }),
});

function settings() {
  try {
    return readSettings(operatorSettings);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    throw new Ending('wrongSettings', 'WRONG_SETTINGS', error.message);
  }
}
