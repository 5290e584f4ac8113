import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { replayHistories } from '../support/replay-histories.ts';
import { runningServers } from '../support/running-servers.ts';
import { CONTINUED } from './continued.ts';
import { STORIES } from './stories.ts';
import { readHistory } from './written-history.ts';

const directory = join(import.meta.dirname, 'histories');
const names = readdirSync(directory).map((file) => file.replace('.json', ''));
const read = (name: string) => readFileSync(join(directory, `${name}.json`), 'utf8');

describe('the history of a case', () => {
  let faults: ReadonlyMap<string, unknown>;
  beforeAll(async () => {
    const histories = names.map((name) => ({ workflowId: name, history: readHistory(read(name)) }));
    faults = await replayHistories({ codePath: runningServers().workflowBundle }, histories);
  });

  it('is there for every story (`npm run histories` writes those that are missing)', () => {
    expect(names).toEqual(expect.arrayContaining([...Object.keys(STORIES), ...CONTINUED]));
  });

  it.each(names)('%s replays', (name) => {
    expect([faults.has(name), faults.get(name)]).toEqual([true, undefined]);
  });

  it.each(names)('%s names no machine and nobody', (name) => {
    const history = read(name);
    const identities = [...history.matchAll(/"identity":"([^"]*)"/g)].map(([, identity]) => identity);
    expect(new Set(identities)).toEqual(new Set(['test']));
    const payloads = [...history.matchAll(/"base64":"([^"]*)"/g)].map(([, data = '']) =>
      Buffer.from(data, 'base64').toString(),
    );
    const personal =
      /Kari|Nordmann|Storgata|Practitioner One|address-\d|number-\d|An insurer|file:|node_modules/;
    expect([...payloads, history].filter((text) => personal.test(text))).toEqual([]);
  });
});
