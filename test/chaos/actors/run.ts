import { setTimeout as delay } from 'node:timers/promises';
import type { Plan } from '../plan.ts';
import type { Party, PlannedAct } from '../plan/parties.ts';
import type { ChaosStack } from '../stack.ts';
import { type Account, type Answered, marksOf } from './account.ts';
import { createCaller } from './call.ts';
import { type Customer, customerOf, type OfferedTime, partnerOf } from './people.ts';

/** How long after the last fault somebody still insists on an answer (milliseconds). */
const LAST_CALLS_WITHIN = 60_000;

export interface Lived {
  readonly accounts: readonly Account[];
  readonly answers: readonly Answered[];
}

/** Has everybody live through their part of the plan. @param since the run's begin */
export async function runParties(plan: Plan, stack: ChaosStack, since: number): Promise<Lived> {
  const answers: Answered[] = [];
  const call = createCaller((answered) => answers.push(answered));
  const { described, partnersApi, keys } = stack;
  const until = since + plan.length + LAST_CALLS_WITHIN;
  const at = (time: number) => delay(Math.max(0, since + time - Date.now()));

  const liveThrough = async (party: Party): Promise<Account[]> => {
    const accounts = party.cases.map((planned): Account => ({
      planned,
      story: party.story,
      partnerCaseId: `chaos-${plan.seed}-${planned.number}`,
      marks: marksOf(planned.number, planned.channels === 'refused'),
      created: [],
      attempts: [],
    }));
    await at(party.opensAt);
    const partners = accounts.map((account) =>
      partnerOf(account, { call, api: partnersApi, keys: keys[account.planned.partner] ?? [], until }),
    );
    const ids = await Promise.all(partners.map((partner) => partner.create()));
    const customers = accounts.map((account, i) =>
      customerOf(account, ids[i] ?? '', { call, web: described.web, until }),
    );
    const favourites = needsTimes(party) && !ids.includes(null) ? await favouritesOf(party, customers) : [];

    const perform = async ({ deed, of, favourite, after }: PlannedAct) => {
      await delay(after);
      const [partner, customer, id] = [partners[of], customers[of], ids[of]];
      if (!partner || !customer || !id) return;
      switch (deed) {
        case 'confirm': {
          const times = favourites[of] ?? [];
          const time = times[(party.pick + favourite) % times.length];
          // nothing was offered for so long that the customer gave up
          if (time) await customer.confirm(time, party.cases.length === 1);
          return;
        }
        case 'cancel':
          await customer.cancel();
          return;
        case 'askForHelp':
          await customer.askForHelp();
          return;
        case 'recall':
          await partner.recall(id);
          return;
        case 'expire':
          await partner.expire(id);
      }
    };
    for (const moment of party.moments) {
      await at(moment.at);
      await Promise.all(moment.acts.map(perform));
    }
    return accounts;
  };

  const accounts = await Promise.all(plan.parties.map(liveThrough));
  return { accounts: accounts.flat(), answers };
}

const needsTimes = ({ moments }: Party): boolean =>
  moments.some(({ acts }) => acts.some(({ deed }) => deed === 'confirm' || deed === 'cancel'));

/** Everybody logs in and looks. Those who come together want the same times. */
async function favouritesOf(party: Party, customers: readonly Customer[]): Promise<OfferedTime[][]> {
  const offered = await Promise.all(
    customers.map(async (customer) => {
      await customer.logIn();
      return customer.look(party.fromDay);
    }),
  );
  const common = (hour: string) => offered.every((times) => times.some((time) => time.hour === hour));
  return offered.map((times) => times.filter(({ hour }) => common(hour)));
}
