import type { CaseId } from '../../domain/ids.ts';
import { pathOf } from '../../web/paths.ts';

/**
 * Where a form leads back to: the field `back` says on which page of the case it stood, since our pages send no referrer.
 * Anything else leads to the case's first page.
 */
export function backTo(form: unknown, caseId: CaseId): string {
  const first = pathOf('welcome', caseId);
  const back = typeof form === 'object' && form !== null && 'back' in form ? form.back : null;
  const here = 'http://here';
  if (typeof back !== 'string' || !back.startsWith('/') || !URL.canParse(back, here)) return first;
  const { origin, pathname, search } = new URL(back, here);
  const ofCase = pathname === first || pathname.startsWith(`${first}/`);
  return origin === here && ofCase ? pathname + search : first;
}
