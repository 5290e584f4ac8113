import { afterEach, describe, expect, it } from '@jest/globals';
import { ALERT_KINDS } from '../../src/domain/events.ts';
import type { CaseId } from '../../src/domain/ids.ts';
import type { Instant } from '../../src/domain/instant.ts';
import {
  composeAlert,
  composeUnwatchedAlert,
  createOperatorAlert,
  createUnwatchedAlert,
  type OperatorAlert,
} from '../../src/messaging/operator-alert.ts';
import { flagOf } from '../../src/operator/description.ts';
import { DESCRIPTIONS } from '../../src/operator/descriptions/index.ts';
import { createMailServers } from './mail-server.ts';

const CASE_ID = '6f1c4d7e-0a3b-4b7e-9c57-1d2f3a4b5c6d' as CaseId;
const LINK = `http://temporal.example/namespaces/default/workflows/case-${CASE_ID}`;
const alertOf = (kind: OperatorAlert['kind'], changed: Partial<OperatorAlert> = {}): OperatorAlert => ({
  ...{ kind, caseId: CASE_ID, partnerName: 'Fremtind', caseLink: LINK, dedupId: `${CASE_ID}:${kind}:1` },
  ...changed,
});

const servers = createMailServers();
afterEach(() => servers.end());

describe('a mail to the operator about a clinic', () => {
  const unwatched = {
    providerId: 'havglott',
    providerName: 'Havgløtt\r\n Helse',
    since: '2026-11-22T03:10:00.000Z' as Instant,
  };

  it('says by its name that its changes are not being seen, since when, and how to find out why', () => {
    const { subject, text, html } = composeUnwatchedAlert(unwatched);
    expect(subject).toBe('Changes at Havgløtt Helse are not being seen');
    for (const part of [text, html]) {
      expect(part).toContain('2026-11-22 04:10');
      expect(part).toContain('operator provider show havglott --check');
      expect(part).toContain('operator provider problems havglott');
    }
  });

  it('is one for all attempts until the clinic was seen again', async () => {
    const { smtpUrl } = await servers.start();
    const mail = servers.clientOf(smtpUrl);
    const alert = createUnwatchedAlert({ mail, operatorEmail: 'drift@example.no' });
    const first = await alert(unwatched);
    expect(await alert(unwatched)).toEqual(first);
    expect(await alert({ ...unwatched, since: '2026-11-23T03:10:00.000Z' as Instant })).not.toEqual(first);
  });
});

describe('a mail to the operator', () => {
  it('goes to the operator’s address, and a repetition is known as one', async () => {
    const { smtpUrl, received } = await servers.start();
    const mail = servers.clientOf(smtpUrl);
    const alert = createOperatorAlert({ mail, operatorEmail: 'drift@example.no' });
    const first = await alert(alertOf('assistance'));
    expect(await alert(alertOf('assistance'))).toEqual(first);
    expect(await alert(alertOf('assistance', { dedupId: 'another' }))).not.toEqual(first);
    expect(received[0]).toContain('To: drift@example.no');
    expect(received[0]).toContain('multipart/alternative');
  });

  it.each(ALERT_KINDS)('of %s says which case, of whom, what to do, and where to look', (kind) => {
    const { subject, text, html } = composeAlert(alertOf(kind));
    expect(subject).toMatch(/ \(Fremtind, case 6f1c4d7e\)$/);
    expect(subject).not.toMatch(/[\r\n]/);
    for (const part of [text, html]) {
      expect(part).toContain(LINK);
      expect(part).toContain(CASE_ID);
      expect(part).toContain('operator case show 6f1c4d7e');
    }
  });

  it.each(ALERT_KINDS)('of %s has no link where nobody said where Temporal’s UI is', (kind) => {
    const { text, html } = composeAlert(alertOf(kind, { caseLink: null }));
    for (const part of [text, html]) {
      expect(part).not.toMatch(/href|http|null/);
      expect(part).toContain('operator case show 6f1c4d7e');
    }
  });

  it.each(ALERT_KINDS)('of %s names commands that there are', (kind) => {
    const { text } = composeAlert(alertOf(kind));
    const named = [...text.matchAll(/^ {4}operator case ([\w-]+) 6f1c4d7e(.*)$/gm)];
    expect(named.length).toBeGreaterThan(0);
    for (const [, name, rest = ''] of named) {
      const described = DESCRIPTIONS.find((it) => it.name === `case ${name}`);
      const flags = Object.keys(described?.input.shape ?? {}).map(flagOf);
      expect([name, described?.name]).toEqual([name, `case ${name}`]);
      expect(flags).toEqual(expect.arrayContaining(rest.match(/--[\w-]+/g) ?? []));
    }
  });
});
