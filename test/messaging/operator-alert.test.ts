import { afterEach, describe, expect, it } from '@jest/globals';
import { ATTENTION_KINDS } from '../../src/domain/attention.ts';
import type { Instant } from '../../src/domain/instant.ts';
import { composeAlert, createOperatorAlert } from '../../src/messaging/operator-alert.ts';
import { flagOf } from '../../src/operator/description.ts';
import { DESCRIPTIONS } from '../../src/operator/descriptions/index.ts';
import { createMailServers } from './mail-server.ts';
import { alertOf, caseId, webUi } from './messages.ts';

const OVER = '2026-11-22T05:10:00.000Z' as Instant;

const servers = createMailServers();
afterEach(() => servers.end());

describe('a mail to the operator', () => {
  it('goes to the operator’s address, and a repetition is known as one', async () => {
    const { smtpUrl, received } = await servers.start();
    const alert = createOperatorAlert({
      mail: servers.clientOf(smtpUrl),
      operatorEmail: 'drift@example.no',
      webUi,
    });
    await alert([alertOf('assistance')]);
    await alert([alertOf('assistance')]);
    await alert([alertOf('assistance', { told: 1 })]);
    expect(received[0]).toContain('To: drift@example.no');
    expect(received[0]).toContain('multipart/alternative');
    const ids = received.map((mail) => /^Message-ID: (.*)$/im.exec(mail)?.[1]);
    expect([ids[0] === ids[1], ids[0] === ids[2]]).toEqual([true, false]);
  });

  it.each(ATTENTION_KINDS)('of %s says what, since when, why with the answer, and what to do', (kind) => {
    const { subject, text, html } = composeAlert(alertOf(kind), webUi);
    expect(subject).not.toMatch(/[\r\n]/);
    expect(subject).toContain('Havgløtt Helse');
    for (const part of [text, html]) {
      expect(part).toContain('2026-11-22 04:10');
      expect(part).toContain('HTTP 503');
      expect(part.replaceAll(/\s+/g, ' ')).not.toMatch(/undefined|null| ID | CAUSE /);
    }
  });

  it('of a case has its id and a link to it, as far as somebody said where Temporal’s UI is', () => {
    const { text, html, subject } = composeAlert(alertOf('assistance'), webUi);
    expect(subject).toContain(`case ${caseId.slice(0, 8)}`);
    for (const part of [text, html]) expect(part).toContain(webUi?.caseLink(caseId));
    const bare = composeAlert(alertOf('assistance'), null);
    for (const part of [bare.text, bare.html]) {
      expect(part).not.toMatch(/href|http:/);
      expect(part).toContain(caseId);
    }
  });

  it('of many cases with one cause says how many, and names the first', () => {
    const { subject, text } = composeAlert(alertOf('transfer_pending', { waiting: 12 }), webUi);
    expect(subject).toContain('12 cases');
    expect(text).toContain(`${caseId}, and 11 more`);
    expect(text).toContain(webUi?.listLink('transfer_pending'));
  });

  it('says that it is over, and of nothing to do', () => {
    const { subject, text } = composeAlert(alertOf('transfer_pending', { overAt: OVER }), webUi);
    expect(subject).toMatch(/^Over: /);
    expect(text).toContain('2026-11-22 06:10');
    expect(text).not.toContain('operator provider');
  });

  it('of many things at once is one mail, with a line for each', async () => {
    const { smtpUrl, received } = await servers.start();
    const mail = servers.clientOf(smtpUrl);
    const alert = createOperatorAlert({ mail, operatorEmail: 'drift@example.no', webUi });
    await alert([alertOf('assistance'), alertOf('changes_unseen'), alertOf('overlap', { overAt: OVER })]);
    expect(received).toHaveLength(1);
    expect(received[0]).toContain('Subject: 2 things need an operator');
  });

  it.each(ATTENTION_KINDS)('of %s names commands that there are', (kind) => {
    const { text } = composeAlert(alertOf(kind), webUi);
    const named = [...text.matchAll(/^ {4}operator (.*)$/gm)].map(([, line = '']) => line);
    expect(named.length).toBeGreaterThan(0);
    for (const line of named) {
      const described = DESCRIPTIONS.find(({ name }) => `${line} `.startsWith(`${name} `));
      expect([line, described !== undefined]).toEqual([line, true]);
      const flags = Object.keys(described?.input.shape ?? {}).map(flagOf);
      const given: string[] = line.match(/--[\w-]+/g) ?? [];
      expect(flags).toEqual(expect.arrayContaining(given));
      // what `case show` wants of whoever sees personal data
      if (given.includes('--reveal')) expect(given).toEqual(expect.arrayContaining(['--reason', '--ticket']));
    }
  });
});
