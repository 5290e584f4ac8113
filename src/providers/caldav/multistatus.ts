import type { DAVResponse } from 'tsdav';
import { z } from 'zod';
import { ProviderUnavailable } from '../port.ts';
import { NoCalDavServer } from './no-caldav-server.ts';

/** What a server says of one resource. */
export interface Entry {
  /** The path of its URL, as the server writes it. */
  readonly path: string;
  readonly status: number;
  readonly properties: Properties;
}

const properties = z.looseObject({
  resourcetype: z.unknown().optional(),
  displayname: z.unknown().optional(),
  getetag: z.unknown().optional(),
  calendarData: z.unknown().optional(),
  currentUserPrivilegeSet: z.unknown().optional(),
  supportedReportSet: z.unknown().optional(),
  supportedCalendarComponentSet: z.unknown().optional(),
});
export type Properties = z.infer<typeof properties>;

const answerSchema = z.object({
  status: z.number(),
  ok: z.boolean(),
  raw: z.unknown().optional(),
  href: z.unknown().optional(),
  props: properties.optional(),
});
const multistatusSchema = z.looseObject({ multistatus: z.unknown() });

/**
 * @param answers what the CalDAV library made of one answer
 * @returns null when there is nothing at that address
 * @throws ProviderUnavailable when the answer is no multistatus (RFC 4918 §13)
 */
export function entriesOf(method: string, base: URL, answers: readonly DAVResponse[]): Entry[] | null {
  const read = z.array(answerSchema).safeParse(answers);
  const [first] = read.data ?? [];
  if (read.data === undefined || first === undefined) throw new NoCalDavServer();
  if (!multistatusSchema.safeParse(first.raw).success) {
    if (first.status === 404 || first.status === 410) return null;
    throw first.ok
      ? new NoCalDavServer()
      : new ProviderUnavailable(`CalDAV ${method}: refused (http_${first.status})`);
  }
  return read.data.flatMap(({ href, status, props = {} }) => {
    const path = pathOf(textOf(href), base);
    return path === null ? [] : [{ path, status, properties: props }];
  });
}

/** Only the path: behind a proxy, servers name themselves by addresses that lead elsewhere. */
function pathOf(href: string | null, base: URL): string | null {
  return href !== null && URL.canParse(href, base.href) ? new URL(href, base).pathname : null;
}

const scalar = z.union([z.string(), z.number(), z.boolean()]);
const cdata = z.looseObject({ _cdata: z.union([scalar, z.array(scalar)]) });

/** The text of an element, which the library makes a number or a section of; null when it has none. */
export function textOf(element: unknown): string | null {
  const section = cdata.safeParse(element);
  if (section.success) return [section.data._cdata].flat().join('');
  const text = scalar.safeParse(element);
  return text.success && text.data !== '' ? String(text.data) : null;
}
