import { ROLES } from '../../src/identity/operators/actor.ts';
import { html, Html } from '../../src/pages/html.ts';
import { page } from '../page.ts';
import type { Colleague } from './people.ts';

const TITLE = 'Test login for operators';

/** Whom to be: one click. */
export const choicePage = (action: string, colleagues: readonly Colleague[]): string =>
  page(
    TITLE,
    html`<p>This is a test. Choose who you are.</p>
      <form method="post" action="${action}">
        ${colleagues.map(
          ({ id, name, roles }) =>
            html`<p><button name="colleague" value="${id}">${name} (${rolesText(roles)})</button></p>`,
        )}
      </form>
      <form method="post" action="${action}/cancel">
        <p><button class="plain">Cancel</button></p>
      </form>`,
    CSS,
  );

/** Everybody, and what they may do: to give and to take roles. */
export const colleaguesPage = (colleagues: readonly Colleague[]): string =>
  page(
    `${TITLE}: who may do what`,
    html`<p>
        A change counts once a token is renewed: within ten minutes. Nobody with no box ticked may do
        anything.
      </p>
      ${colleagues.map(
        ({ id, name, roles, isDisabled }) =>
          html`<form method="post" action="/_colleagues/${id}">
            <fieldset>
              <legend>${name} (${id})</legend>
              ${ROLES.map(
                (role) =>
                  html`<label
                    ><input
                      type="checkbox"
                      name="roles"
                      value="${role}"
                      ${roles.includes(role) && html`checked`}
                    />
                    ${role}</label
                  >`,
              )}
              <label
                ><input type="checkbox" name="disabled" value="yes" ${isDisabled && html`checked`} /> has
                left</label
              >
              <button>Save</button>
            </fieldset>
          </form>`,
      )}`,
    CSS,
  );

/** @param form markup that oidc-provider made, to be submitted by a button outside of it */
export const formPage = (title: string, text: string, form: string, formId: string, button: string): string =>
  page(
    title,
    html`<p>${text}</p>
      ${new Html(form)}
      <p><button type="submit" form="${formId}">${button}</button></p>`,
    CSS,
  );

export const messagePage = (title: string, message: string): string =>
  page(title, html`<p>${message}</p>`, CSS);

const rolesText = (roles: Colleague['roles']): string => roles.join(', ') || 'no role';

const CSS = `
body { max-width: 34rem }
button { padding: .6rem; border: 2px solid #333; border-radius: 4px; width: 100%; font: inherit; color: #fff; background: #333 }
.plain { color: #333; background: #fff }
fieldset { margin: 1rem 0 } label { margin-right: 1rem }
`;
