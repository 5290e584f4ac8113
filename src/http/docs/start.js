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
    grid-template-columns: repeat(auto-fit, minmax(260px, 1fr));
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
`;

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
  // no value: whoever tries a call is asked for a key
  authentication: { preferredSecurityScheme: 'apiKey' },
  metaData: { title: 'Treatment booking: API documentation' },
});
