import type { CaseId } from '../../domain/ids.ts';
import { pathOf } from '../../web/paths.ts';

/**
 * Where a form leads back to: the field `back` says on which page of the case it stood, since our pages send no referrer.
 * Anything else leads to the case's first page.
 */
export function backTo(form: unknown, caseId: CaseId): string {
  const first = pathOf('welcome', caseId);
  const back = addressIn(form);
  return back && (back.path === first || back.path.startsWith(`${first}/`)) ? back.path + back.query : first;
}

/** The same for a form that stands on pages without a case, too. */
export function backToAnyPage(form: unknown): string {
  const back = addressIn(form);
  // for a browser, a path that begins with two slashes names another host
  return back && !back.path.startsWith('//') ? back.path + back.query : '/';
}

/** Only path and query count, so nobody is led to another host. */
function addressIn(form: unknown): { readonly path: string; readonly query: string } | null {
  const back = typeof form === 'object' && form !== null && 'back' in form ? form.back : null;
  const base = 'http://host';
  if (typeof back !== 'string' || !URL.canParse(back, base)) return null;
  const { pathname, search } = new URL(back, base);
  return { path: pathname, query: search };
}
