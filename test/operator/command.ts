import { PassThrough, Writable } from 'node:stream';
import { expect } from '@jest/globals';
import { operatorSettings, readSettings } from '../../src/config/settings.ts';
import { composeOperator, type OperatorContext } from '../../src/main/compose-operator.ts';
import { runOperator } from '../../src/operator/command-line.ts';
import { runningServers } from '../support/running-servers.ts';
import type { TestService } from '../support/service.ts';

export interface Ended {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
}

export interface Circumstances {
  /** What a person at a terminal types, a line for each question; without it there is nobody to ask. */
  readonly typed?: readonly string[];
  /** How wide the terminal is; without it standard output is a file. */
  readonly columns?: number;
  /** Settings that are other than the service's. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly now?: () => Date;
  /** How long a reply is waited for, in milliseconds. */
  readonly timeout?: number;
}

/** Gives the operator's commands to a service, in this process. */
export function operatorOf(
  service: () => Pick<TestService, 'url' | 'databaseUrl' | 'taskQueue'>,
  always: Pick<OperatorContext, 'recheckAfter'> = {},
) {
  const run = async (argv: readonly string[], circumstances: Circumstances = {}): Promise<Ended> => {
    const { typed, columns, settings = {}, now, timeout } = circumstances;
    const written = { out: '', err: '' };
    const questions = [...(typed ?? [])];
    const stdin = Object.assign(new PassThrough(), { isTTY: typed !== undefined });
    const sink = (name: 'out' | 'err', onText: (text: string) => void = () => undefined) =>
      new Writable({
        decodeStrings: false,
        write(text: string, _encoding, done) {
          written[name] += text;
          onText(text);
          done();
        },
      });
    const stderr = sink('err', (text) => {
      if (!text.endsWith(': ')) return;
      const line = questions.shift();
      if (line === undefined) stdin.end();
      else stdin.write(`${line}\n`);
    });
    const stdout = Object.assign(sink('out'), columns === undefined ? {} : { isTTY: true, columns });
    const { url, databaseUrl, taskQueue } = service();
    const exit = await runOperator(argv, {
      streams: { stdin, stdout, stderr },
      open: (say) =>
        composeOperator(
          readSettings(operatorSettings, {
            DATABASE_URL: databaseUrl,
            TEMPORAL_ADDRESS: runningServers().temporalAddress,
            ENVIRONMENT: 'test',
            PUBLIC_URL: url,
            OPERATOR_NAME: 'ola',
            ...settings,
          }),
          { say, taskQueue, ...always, ...(timeout === undefined ? {} : { timeout }) },
        ),
      ...(now ? { now } : {}),
    });
    return { exit, ...written };
  };

  /** As somebody types it, a word for each blank; it must be done. @returns what it prints */
  const done = async (words: string, ...more: readonly string[]): Promise<string> => {
    const { exit, out, err } = await run([...words.split(' '), ...more]);
    if (exit !== 0) throw new Error(`${words} ended with ${exit}: ${err}`);
    return out;
  };

  /** It must be refused. @returns how and why */
  const refused = async (words: string, ...more: readonly string[]): Promise<[exit: number, why: string]> => {
    const { exit, out, err } = await run([...words.split(' '), ...more]);
    if (exit === 0) throw new Error(`${words} was done: ${out}`);
    return [exit, err];
  };

  /** It must be refused, with this status and these words. @returns all that it says */
  const refuses = async (exit: number, why: string, words: string, ...more: readonly string[]) => {
    const [ended, err] = await refused(words, ...more);
    expect([ended, err]).toEqual([exit, expect.stringContaining(why)]);
    return err;
  };

  /** What it prints with `--json`, whatever it ends with. */
  const json = async <T = any>(words: string, ...more: readonly string[]): Promise<T> => {
    const { out } = await run([...words.split(' '), ...more, '--json']);
    return JSON.parse(out) as T;
  };

  return { run, done, refused, refuses, json };
}
