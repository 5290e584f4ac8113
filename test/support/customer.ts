import type { offerJson } from '../../src/http/booking/offered-slots.ts';
import type { bookingJson } from '../../src/http/cases/case-json.ts';
import { logInAt } from '../identity/eid-visitor.ts';
import { type Caller, createCaller, freshAddress, type Reply } from './caller.ts';
import type { TestService } from './service.ts';

export const KARI = { givenName: 'Kari', familyName: 'Nordmann', birthDate: '1985-03-02' };

export type OfferedTime = ReturnType<typeof offerJson>;

export interface Availability {
  readonly slots: readonly OfferedTime[];
  readonly providers: readonly {
    readonly id: string;
    readonly name: string;
    readonly state: string;
    readonly asOf: string;
  }[];
}

export type BookingBody = NonNullable<ReturnType<typeof bookingJson>>;

/** A customer's browser after the login, which calls from our own pages. */
export interface Customer extends Caller {
  readonly cookie: string;
  slots(query?: string): Promise<Availability>;
  /** A time that no other test was given. */
  freshSlot(): Promise<OfferedTime>;
  confirm<T = BookingBody>(slot: { readonly slotId: string }): Promise<Reply<T>>;
}

/** By what suites have in common that share a service. */
const given = new WeakMap<TestService['clinics'], Set<string>>();

export async function logIn(service: TestService, caseId: string, person = KARI): Promise<Customer> {
  const begun = await service.nobody.post<{ authorizationUrl: string }>(`/booking/${caseId}/login`);
  const loginCookie = cookiesOf(begun.headers);
  const callback = await logInAt(begun.body.authorizationUrl, `${service.url}/eid/callback`, person);
  const headers = { Cookie: loginCookie, 'X-Forwarded-For': freshAddress() };
  const arrived = await fetch(callback, { redirect: 'manual', headers });
  return customerWith(service, caseId, cookiesOf(arrived.headers));
}

export function customerWith(service: TestService, caseId: string, cookie: string): Customer {
  const caller = createCaller(`${service.apiUrl}/booking/${caseId}`, { Cookie: cookie, Origin: service.url });
  const slots = async (query = '') => (await caller.get<Availability>(`/availability${query}`)).body;
  const taken = given.get(service.clinics) ?? new Set();
  given.set(service.clinics, taken);
  return {
    ...caller,
    cookie,
    slots,
    async freshSlot() {
      const slot = (await slots()).slots.find((one) => !taken.has(keyOf(one)));
      if (!slot) throw new Error('no slot left');
      taken.add(keyOf(slot));
      return slot;
    },
    confirm: ({ slotId }) => caller.post('/confirm', { slotId }),
  };
}

const keyOf = ({ practitioner, start }: OfferedTime) => `${practitioner} ${start}`;

const cookiesOf = (headers: Headers): string =>
  headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
