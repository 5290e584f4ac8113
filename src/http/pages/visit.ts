import type { Request, Response } from 'express';
import type { Session } from '../../identity/session.ts';
import type { CaseView } from '../../postgres/read-cases.ts';
import type { Html } from '../../web/html.ts';
import type { CaseContext, PageContext } from '../../web/layout.ts';
import { createAccess } from '../customer/access.ts';
import type { Dependencies } from '../dependencies.ts';
import { createLanguages } from './language.ts';

/** Somebody at a case's pages. `session`: of whoever is logged in; `isOwner`: and it is the case's own customer. */
export interface Visiting {
  readonly view: CaseView;
  readonly session: Session | null;
  readonly isOwner: boolean;
  readonly context: CaseContext;
}

/** What every page begins with. */
export function createVisits(deps: Dependencies) {
  const { sessions, settings, formTokens } = deps;
  const access = createAccess(deps);
  const languages = createLanguages(settings.publicUrl.startsWith('https:'));
  const support = { email: settings.supportEmail, phone: settings.supportPhone };

  const bare = (req: Request): PageContext => ({ language: languages.of(req), support, visit: null });

  const begin = async (req: Request<{ caseId: string }>, res: Response): Promise<Visiting> => {
    const view = await access.find(req.params.caseId);
    const known = await sessions.read(req.headers.cookie);
    const isOwner = known !== null && (await access.isOwner(view, known));
    const renewed = known && (await sessions.renew(known));
    const session = renewed && renewed.session;
    if (renewed) res.append('Set-Cookie', renewed.setCookie);
    const { token, setCookie } = formTokens.forBrowser(req.headers.cookie);
    if (setCookie) res.append('Set-Cookie', setCookie);
    const customerName = session && `${session.givenName} ${session.familyName}`;
    const visit = { caseId: view.id, partnerName: view.partner_name, token, customerName };
    const visiting = { view, session, isOwner, context: { ...bare(req), visit } };
    // for whoever has to answer when this request fails
    res.locals['context'] = visiting.context;
    return visiting;
  };

  return {
    languages,
    begin,
    /** As much of the context as is known by now. */
    contextOf: (req: Request, res: Response): PageContext =>
      (res.locals['context'] as CaseContext | undefined) ?? bare(req),
    show(res: Response, page: Html, status = 200): void {
      res.status(status).type('html').send(page.toString());
    },
  };
}
export type Visits = ReturnType<typeof createVisits>;
