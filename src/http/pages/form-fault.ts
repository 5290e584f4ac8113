import type { StatusKind } from '../../web/strings/nb.ts';

/** A form that could not be read, by no fault of ours: the page that says so, and its status. */
export function formFaultOf(thrown: unknown): { page: StatusKind; status: number } | null {
  if (!(thrown instanceof Error) || !('type' in thrown) || !('status' in thrown)) return null;
  const { status } = thrown;
  if (typeof status !== 'number' || status < 400 || status > 499) return null;
  return { page: thrown.type === 'entity.too.large' ? 'too_long' : 'stale_form', status };
}
