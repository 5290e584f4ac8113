import { addressOf, after, button, kariAt, newCaseId, type Seen, strangerAt } from './ways.ts';

/** What anybody comes to without a link. */
const at = (path: string, title: Seen['title']): Seen => ({
  title,
  reach: async (rig, look) => {
    const visitor = await rig.stranger(look);
    await visitor.page.goto(rig.service.url + path);
    return visitor;
  },
});

/** What a link in a message leads to, and what whoever does not trust it looks at. */
export const first: Readonly<Record<string, Seen>> = {
  home: at('/', (t) => t.home.title),
  about: at('/about', (t) => t.about.title),
  privacy: at('/privacy', (t) => t.privacy.title),
  welcome: {
    title: (t) => t.welcome.title,
    reach: async (rig, look) => strangerAt(rig, look, 'welcome', await newCaseId(rig)),
  },
  'welcome, not open': {
    title: (t) => t.welcome.closedTitle,
    reach: async (rig, look) => strangerAt(rig, look, 'welcome', await newCaseId(rig, ['book'])),
  },
  'welcome, after the session': {
    title: (t) => t.welcome.title,
    reach: async (rig, look) => {
      const visitor = await rig.stranger(look);
      await visitor.page.goto(`${addressOf(rig, 'welcome', await newCaseId(rig))}?ended=1`);
      return visitor;
    },
  },
  'not for me': {
    title: (t) => t.notYours.title,
    reach: async (rig, look) => strangerAt(rig, look, 'notYours', await newCaseId(rig)),
  },
  'not for me, told': {
    title: (t) => t.notYours.doneTitle,
    reach: async (rig, look) => {
      const visitor = await strangerAt(rig, look, 'notYours', await newCaseId(rig));
      await button(visitor.page, 'not-for-me').click();
      return visitor;
    },
  },
  'not for me, but for whom it is': after([], (t) => t.status.yours.title, 'notYours'),
};

/** On the way to the eID and back, and how it can go wrong. */
export const login: Readonly<Record<string, Seen>> = {
  mismatch: {
    title: (t) => t.status.mismatch.title,
    reach: async (rig, look) => {
      const { id } = await rig.newCase({ patientFirstName: 'Ola', patientLastName: 'Hansen' });
      return kariAt(rig, look, 'welcome', id);
    },
  },
  'login cancelled': {
    title: (t) => t.status.login_cancelled.title,
    reach: async (rig, look) => {
      const visitor = await strangerAt(rig, look, 'welcome', await newCaseId(rig));
      await button(visitor.page, 'login').click();
      await visitor.page.getByRole('button', { name: 'Avbryt' }).click();
      return visitor;
    },
  },
  'login refused': {
    title: (t) => t.status.login_failed.title,
    reach: async (rig, look) => {
      const visitor = await strangerAt(rig, look, 'welcome', await newCaseId(rig));
      const sentOn = visitor.page.waitForRequest((request) =>
        new URL(request.url()).searchParams.has('state'),
      );
      await button(visitor.page, 'login').click();
      const state = new URL((await sentOn).url()).searchParams.get('state') ?? '';
      const answer = new URLSearchParams({ error: 'not_you', state });
      await visitor.page.goto(`${rig.service.url}/eid/callback?${answer.toString()}`);
      return visitor;
    },
  },
  'login in another browser': {
    title: (t) => t.status.login_elsewhere.title,
    reach: async (rig, look) => {
      const visitor = await strangerAt(rig, look, 'welcome', await newCaseId(rig));
      await button(visitor.page, 'login').click();
      await visitor.page.locator('[name=givenName]').fill('Kari');
      await visitor.page.locator('[name=familyName]').fill('Nordmann');
      // another browser has none of our cookies; the eID's, at the same host here, are of its own
      await visitor.context.clearCookies({ name: /^(?!test_eid)/ });
      await visitor.page.getByRole('button', { name: 'Logg inn' }).click();
      return visitor;
    },
  },
  'login of nobody': {
    title: (t) => t.status.login_lost.title,
    reach: async (rig, look) => {
      const visitor = await rig.stranger(look);
      await visitor.page.goto(`${rig.service.url}/eid/callback?code=of-nobody&state=of-nobody`);
      return visitor;
    },
  },
  'eID away': {
    title: (t) => t.status.eid_unavailable.title,
    reach: async (rig, look) => {
      const visitor = await rig.strangerWhereNoEidIs(look);
      await button(visitor.page, 'login').click();
      return visitor;
    },
  },
  'too many logins': {
    title: (t) => t.status.too_many.title,
    reach: async (rig, look) => {
      const visitor = await strangerAt(rig, look, 'welcome', await newCaseId(rig));
      const form = { _token: await visitor.page.locator('[name=_token]').first().inputValue() };
      for (let i = 0; i < 5; i += 1)
        await visitor.context.request.post(`${visitor.page.url()}/login`, { form, maxRedirects: 0 });
      await button(visitor.page, 'login').click();
      return visitor;
    },
  },
  'session ended': {
    title: (t) => t.status.session_ended.title,
    reach: async (rig, look) => strangerAt(rig, look, 'times', await newCaseId(rig)),
  },
  'logged out': {
    title: (t) => t.status.logged_out.title,
    reach: async (rig, look) => {
      const visitor = await kariAt(rig, look, 'times', await newCaseId(rig));
      await button(visitor.page, 'logout').click();
      rig.kariIsOut();
      return visitor;
    },
  },
};
