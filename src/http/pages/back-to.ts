import type { CaseId } from '../../domain/ids.ts';
import { pathOf } from '../../web/paths.ts';

/**
 * Where a form leads back to: the field `back` says on which page of the case it stood, since our pages send no referrer.
 * Anything else leads to the case's first page. Only path and query count, so nobody is led to another host.
 */
export function backTo(form: unknown, caseId: CaseId): string {
  const first = pathOf('welcome', caseId);
  const back = typeof form === 'object' && form !== null && 'back' in form ? form.back : null;
  const base = 'http://host';
  if (typeof back !== 'string' || !URL.canParse(back, base)) return first;
  const { pathname, search } = new URL(back, base);
  return pathname === first || pathname.startsWith(`${first}/`) ? pathname + search : first;
}
