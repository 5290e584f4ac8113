import { html, type Html } from '../../web/html.ts';

/** Where the page's parts are, below `/docs`. */
export const START = '/start.js';
export const rendererPath = (version: string): string => `/renderer-${version}.js`;

/** The page itself is empty but for what it says without scripts. */
export const page = (version: string): Html =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Treatment booking: API documentation</title>
        <meta name="description" content="Hand over an injury case; the customer books the treatment." />
        <link rel="icon" href="data:," />
      </head>
      <body>
        <noscript>
          <h1>Treatment booking: API documentation</h1>
          <p>
            This page needs JavaScript. Without it, read the same as
            <a href="/api/v1/openapi.json">OpenAPI</a>.
          </p>
        </noscript>
        <div id="docs"></div>
        <script src="/docs${rendererPath(version)}"></script>
        <script src="/docs${START}"></script>
      </body>
    </html>`;
