import { enableCompileCache } from 'node:module';

// what was compiled is kept from one command to the next: that is half of its start
enableCompileCache();
const { readOperatorClientSettings } = await import('../config/operator-client.ts');
const { Failure } = await import('../operator/command-line/failure.ts');
const { breakGlassConnection, createLogin, loginCommands } =
  await import('../operator/command-line/login.ts');
const { runOperator } = await import('../operator/command-line/program.ts');

// whoever reads the answer has read enough (`| head`)
process.stdout.on('error', () => process.exit());

const wrongSettings = (message: string) => new Failure('config', 'WRONG_SETTINGS', message);
const { url, socketPath, loginFile } = readOperatorClientSettings();
const openLogin = () => {
  if (url === null) throw wrongSettings('OPERATOR_API_URL must be the address of the operator API.');
  return createLogin({ url, loginFile });
};

/** The operator's command line, a client of the operator API: one command, and its end. */
process.exitCode = await runOperator(process.argv.slice(2), {
  streams: process,
  connect(breakGlass) {
    if (breakGlass === undefined) return openLogin().connection;
    if (socketPath !== null) return breakGlassConnection(socketPath, breakGlass);
    throw wrongSettings(
      "OPERATOR_SOCKET must be the path of the operator API's socket: run it in its container.",
    );
  },
  addCommands: (program, context) => loginCommands(program, context, openLogin),
});
