import { z } from 'zod';
import { dateAt } from '../calendar/dates.ts';
import * as booking from './booking/operations.ts';
import * as cases from './cases/operations.ts';
import type { Dependencies } from './dependencies.ts';
import { listCaseEvents, listEvents } from './events.ts';
import { describeApi } from './openapi/document.ts';
import { readPartnerGuide } from './openapi/partner-guide.ts';
import { defineOperation, memoizeByContext, type Operation } from './operation.ts';
import type { Add } from './route.ts';
import * as partnerLogin from './partner-login/operations.ts';
import { advanceClock, listMessages, SANDBOX_OPERATIONS, seedCases } from './sandbox/operations.ts';
import { listTreatmentTypes } from './treatment-types.ts';
import { verifyPolicy, verifyReferral } from './verification.ts';

const readDescription = defineOperation({
  id: 'readDescription',
  method: 'get',
  path: '/openapi.json',
  tag: 'API description',
  access: 'anybody',
  summary: 'Read this description',
  description:
    'OpenAPI 3.1, made of the schemas by which requests are parsed. Good for generating a client; the dates in its examples ' +
    'are those of today.',
  answer: {
    status: 200,
    description: 'The whole API.',
    schema: z
      .looseObject({
        openapi: z.literal('3.1.0'),
        info: z.looseObject({ title: z.string(), version: z.string() }),
        paths: z.record(z.string(), z.unknown()),
      })
      .meta({ id: 'ApiDescription', description: 'An OpenAPI document.' }),
    examples: {
      beginning: {
        summary: 'How it begins',
        value: () => ({ openapi: '3.1.0', info: { title: 'Treatment booking', version: '1' }, paths: {} }),
      },
    },
  },
});

/** Every call of the API, in the order in which the documentation shows them. */
export const OPERATIONS: readonly Operation[] = [
  cases.createCase,
  cases.getCase,
  cases.listCases,
  cases.changeCase,
  cases.resendLink,
  cases.recallCase,
  cases.archiveCase,
  listTreatmentTypes,
  listEvents,
  listCaseEvents,
  verifyPolicy,
  verifyReferral,
  partnerLogin.activate,
  partnerLogin.login,
  partnerLogin.me,
  partnerLogin.logout,
  partnerLogin.listApiKeys,
  partnerLogin.createApiKey,
  partnerLogin.rotateApiKey,
  partnerLogin.revokeApiKey,
  partnerLogin.listRequests,
  seedCases,
  ...Object.values(SANDBOX_OPERATIONS),
  advanceClock,
  listMessages,
  booking.readBooking,
  booking.beginLogin,
  booking.listAvailability,
  booking.confirmBooking,
  booking.cancelBooking,
  booking.requestAssistance,
  booking.endLogin,
  readDescription,
];

type Description = z.input<typeof readDescription.answer.schema>;

/** The API's description. It is made anew when the date in Norway changes, or what is offered: its examples have both. */
export function descriptionRoutes(add: Add, { settings, sessions, treatmentTypes, now }: Dependencies) {
  const prose = readPartnerGuide(settings);
  const service = { ...settings, sessionCookie: sessions.cookieName, prose, operations: OPERATIONS };
  const describe = memoizeByContext((context) => describeApi(service, context) as Description);

  add(readDescription, async () => {
    const offered = (await treatmentTypes()).map(({ code }) => code);
    return describe({ today: dateAt(now()), offered, smsCountries: settings.smsCountries });
  });
}
