import { operatorSettings, readSettings, SettingsError } from '../config/settings.ts';
import { runOperator } from '../operator/command-line.ts';
import { OperatorError } from '../operator/operator-error.ts';
import { composeOperator } from './compose-operator.ts';

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
    throw new OperatorError('config', 'WRONG_SETTINGS', error.message);
  }
}
