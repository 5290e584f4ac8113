import { html, type Html } from '../../src/pages/html.ts';
import { page } from '../page.ts';
import { type Level, LEVELS, type LoginForm } from './person.ts';

export interface LoginPage {
  readonly action: string;
  readonly cancelAction: string;
  readonly form: LoginForm;
  readonly faults: Partial<Record<keyof LoginForm, string>>;
}

export function loginPage({ action, cancelAction, form, faults }: LoginPage): string {
  const field = (name: Exclude<keyof LoginForm, 'level'>, label: string, required: boolean) => {
    const fault = faults[name];
    return html`<p>
      <label for="${name}">${label}</label>
      <input
        id="${name}"
        name="${name}"
        value="${form[name]}"
        maxlength="100"
        autocomplete="off"
        spellcheck="false"
        ${required && html`required`}
        ${fault !== undefined && html`aria-invalid="true" aria-describedby="${name}-fault"`}
      />
      ${fault !== undefined && html`<span class="fault" id="${name}-fault">${fault}</span>`}
    </p>`;
  };
  const hasFaults = Object.keys(faults).length > 0;
  return page(
    hasFaults ? 'Feil: Test-eID' : 'Test-eID',
    html`
      <p>Dette er en test. Her logger du inn som hvem du vil; ingenting sendes til en ekte eID.</p>
      <form method="post" action="${action}">
        ${field('givenName', 'Fornavn', true)} ${field('familyName', 'Etternavn', true)}
        ${field('birthDate', 'Fødselsdato (valgfri, ÅÅÅÅ-MM-DD)', false)}
        <p>
          <label for="level">Sikkerhetsnivå</label>
          <select id="level" name="level">
            ${LEVELS.map(
              (level) =>
                html`<option value="${level}" ${level === form.level && html`selected`}>
                  ${LEVEL_NAMES[level]}
                </option>`,
            )}
          </select>
        </p>
        <p><button type="submit">Logg inn</button></p>
      </form>
      <form method="post" action="${cancelAction}">
        <p><button type="submit" class="plain">Avbryt</button></p>
      </form>
    `,
    CSS,
  );
}

const LEVEL_NAMES: Readonly<Record<Level, string>> = {
  high: 'Høyt (kodebrikke, eller app med passord)',
  substantial: 'Betydelig (app med ansikt eller finger)',
};

/** @param form markup that oidc-provider made, to be submitted with `logout=yes` by a button outside of it */
export function logoutPage(form: Html): string {
  return page(
    'Logg ut av Test-eID',
    html`${form}
      <p><button type="submit" form="op.logoutForm" name="logout" value="yes">Logg ut</button></p>`,
    CSS,
  );
}

export function messagePage(title: string, message: string): string {
  return page(title, html`<p>${message}</p>`, CSS);
}

const CSS = `
body { max-width: 30rem }
label, input, select { display: block; width: 100%; box-sizing: border-box; font: inherit }
input, select, button { padding: .6rem; border: 2px solid #333; border-radius: 4px }
button { width: 100%; font: inherit; color: #fff; background: #333 }
.plain { color: #333; background: #fff }
.fault { color: #a50000 }
`;
