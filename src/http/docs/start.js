/* Runs in the browser, after the renderer. What would talk to others than us is off; the page's policy forbids it too. */
const css = `
  .light-mode {
    --scalar-color-2: #454545;
    --scalar-color-3: #5a5a5a;
    --scalar-color-green: #00623b;
    --scalar-color-blue: #0059a8;
    --scalar-color-orange: #a63d00;
    --scalar-color-yellow: #7a5200;
    --scalar-color-red: #b00020;
    --scalar-color-purple: #5b2bb5;
  }
  /* the guide and the chapters have tables, which need the width */
  .introduction-section .section-columns,
  .tag-section .section-columns {
    flex-direction: column;
    gap: 24px;
  }
  .introduction-section .section-column:last-child,
  .tag-section .section-column:last-child {
    order: -1;
  }
  .dark-mode {
    --scalar-color-3: #a3a3a3;
  }
  .introduction-section .sticky-cards {
    position: static;
  }
  .introduction-section .introduction-card {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(340px, 100%), 1fr));
    gap: 12px;
  }
  section.section:focus-visible {
    outline: none;
  }
  .markdown table {
    display: block !important;
    width: 100%;
    overflow-x: auto !important;
  }
  .markdown table code {
    white-space: nowrap;
  }
  /* it looks like a key that is filled in, and is none */
  input[placeholder^='QUxM']::placeholder {
    color: transparent;
  }
`;

/* What was typed last, until the page is left. */
const typed = {};

/* Whoever tries a call without a key is asked for one; who gives none sends nothing. */
function askForKey({ requestBuilder }) {
  for (const secret of requestBuilder.security) {
    if (secret.value || secret.in !== 'header') continue;
    const what = secret.name === 'X-API-Key' ? 'Your API key (tb_test_…)' : 'Your access token';
    const given = globalThis.prompt(`${what}. It is sent with this call, and not kept.`, typed[secret.name]);
    if (!given) throw new Error('No key, so nothing was sent.');
    secret.value = typed[secret.name] = given.trim();
  }
}

globalThis.Scalar.createApiReference('#docs', {
  url: '/api/v1/openapi.json',
  customCss: css,
  theme: 'default',
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  persistAuth: false,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  orderSchemaPropertiesBy: 'preserve',
  orderRequiredPropertiesFirst: false,
  hiddenClients: {
    c: true,
    clojure: true,
    dart: true,
    fsharp: true,
    objc: true,
    ocaml: true,
    r: true,
    swift: true,
    http: true,
    powershell: true,
  },
  onBeforeRequest: askForKey,
  // no value: whoever tries a call is asked for a key
  authentication: { preferredSecurityScheme: 'apiKey' },
  metaData: { title: 'Treatment booking: API documentation' },
});
