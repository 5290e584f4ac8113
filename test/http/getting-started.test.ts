import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { CaseBody } from '../support/caller.ts';
import { today } from '../support/new-case.ts';
import { useService } from '../support/use-service.ts';
import { stepsOf } from './walk-through.ts';

const PAGE = fileURLToPath(new URL('../../docs/partners/getting-started.md', import.meta.url));
const steps = stepsOf(readFileSync(PAGE, 'utf8'));

describe('docs/partners/getting-started.md', () => {
  const service = useService();
  let caseId = '';

  const filledIn = (text: string) =>
    text.replaceAll('$CASE', caseId).replaceAll('$SOON', today(14)).replaceAll('$RANDOM', '4711');

  // in the order of the page, each going on where the one before it ended
  it.each(steps)('$title: $method $path → $status $says', async ({ method, path, body, status, says }) => {
    const sent = body === null ? undefined : filledIn(body);
    const reply = await service.partner.call<CaseBody>(method, filledIn(path), sent);
    expect(reply.status).toBe(status);
    if (says) expect(reply.body.status).toBe(says);
    if (status === 201) caseId = reply.body.id;
  });
});
