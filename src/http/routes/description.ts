import type { z } from 'zod';
import { dateAt } from '../../calendar/dates.ts';
import type { Dependencies } from '../dependencies.ts';
import { describeApi } from '../openapi/document.ts';
import { readProse } from '../openapi/prose.ts';
import { keptWhileSame, type Add } from '../operation.ts';
import * as described from '../operations/description.ts';
import { OPERATIONS } from '../operations/index.ts';

type Description = z.input<typeof described.readDescription.answer.schema>;

/** The API's description. It is made anew when the date in Norway changes, or what is offered: its examples have both. */
export function descriptionRoutes(
  add: Add,
  { settings, sessions, treatmentTypes, limits, now }: Dependencies,
) {
  const prose = readProse(settings.publicUrl);
  const service = { ...settings, sessionCookie: sessions.cookieName, prose, operations: OPERATIONS };
  const describe = keptWhileSame((context) => describeApi(service, context) as Description);

  add(described.readDescription, async ({ req, res }) => {
    await limits.publicCalls(req, res);
    const offered = (await treatmentTypes()).map(({ code }) => code);
    return describe({ today: dateAt(now()), offered });
  });
}
