import { boundedFetch, createExchange } from '../../src/http-client/exchange.ts';
import { createSms } from '../../src/messaging/sms.ts';

/** Run by proxy.test.ts: whether Node uses a proxy is settled when a process starts. */
const exchange = createExchange({ baseUrl: 'https://clinic.example', timeoutMs: 5_000 });
const sms = createSms({ accountSid: 'AC0', authToken: 'token', sender: { from: 'Booking' } });

const results = await Promise.allSettled([
  exchange({ method: 'GET', url: new URL('https://clinic.example/fhir/Slot') }).then(({ status }) => status),
  boundedFetch('https://eid.example/.well-known/openid-configuration', {}).then(({ status }) => status),
  sms
    .send({ to: '+4790000000', body: 'hei', dedupId: 'a', statusCallback: null })
    .then(({ reference }) => reference),
]);
for (const result of results)
  console.log(result.status === 'fulfilled' ? result.value : String(result.reason));
process.exit();
