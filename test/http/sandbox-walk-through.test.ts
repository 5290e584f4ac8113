import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { CASE_STATUSES } from '../../src/domain/case-state.ts';
import { SANDBOX_ACTIONS } from '../../src/http/sandbox/actions.ts';
import type { CaseBody, ErrorBody } from '../support/caller.ts';
import { today } from '../support/new-case.ts';
import { useService } from '../support/use-service.ts';
import { stepsOf } from './walk-through.ts';

const steps = stepsOf(
  readFileSync(fileURLToPath(new URL('../../docs/partners/sandbox.md', import.meta.url)), 'utf8'),
);

describe('docs/partners/sandbox.md', () => {
  const service = useService();
  let caseId = '';

  const filledIn = (text: string) =>
    text
      .replaceAll('$CASE', caseId)
      .replaceAll('$SOON', today(14))
      .replaceAll('$RANDOM', () => String(Math.floor(Math.random() * 32_768)));

  it('shows every status, and every call of the sandbox', () => {
    expect(new Set(steps.map(({ says }) => says))).toEqual(
      new Set([...CASE_STATUSES, 'APPOINTMENT_STARTED', 'ACTION_NOT_ALLOWED', null]),
    );
    for (const action of SANDBOX_ACTIONS)
      expect(steps.filter(({ path }) => path.endsWith(`/$CASE/${action}`))).not.toHaveLength(0);
  });

  // in the order of the page, each going on where the one before it ended
  it.each(steps)('$title: $method $path → $status $says', async ({ method, path, body, ...expected }) => {
    const sent = body === null ? undefined : filledIn(body);
    const reply = await service.partner.call<CaseBody & ErrorBody>(method, filledIn(path), sent);
    expect(reply.status).toBe(expected.status);
    if (expected.status < 400 && expected.says) expect(reply.body.status).toBe(expected.says);
    if (expected.status >= 400) expect(reply.body.details.code).toBe(expected.says);
    if (expected.problem) expect(reply.body.problem?.code).toBe(expected.problem);
    if (expected.status === 201) caseId = reply.body.id;
  });
});
