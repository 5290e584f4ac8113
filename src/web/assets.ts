import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);

/** Where each stylesheet is served, in the order in which a page needs them, and the file it is. */
export const STYLESHEETS = [
  { path: '/assets/theme.css', file: require.resolve('@digdir/designsystemet-css/theme.css') },
  { path: '/assets/designsystemet.css', file: require.resolve('@digdir/designsystemet-css') },
  { path: '/assets/site.css', file: fileURLToPath(new URL('./assets/site.css', import.meta.url)) },
] as const;
