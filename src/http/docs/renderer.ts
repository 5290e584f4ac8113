import { createHash } from 'node:crypto';
import fastifyApiReference from '@scalar/fastify-api-reference';

interface Route {
  readonly url: string;
  readonly handler: (request: unknown, reply: Reply) => unknown;
}
interface Reply {
  header(): Reply;
  send(content: string): unknown;
}
type Plugin = (
  server: { route(route: Route): void; readonly initialConfig: object },
  options: { readonly configuration: { readonly url: string } },
  done: () => void,
) => void;

/**
 * Scalar's script, the whole renderer in one. Its own package brings 270 others; the one for Fastify has nothing but the
 * script, and registers a route that sends it. So we play the server for as long as that takes.
 */
export function readRenderer(): { readonly script: string; readonly version: string } {
  const routes: Route[] = [];
  const server = { route: (route: Route) => void routes.push(route), initialConfig: {} };
  const register = fastifyApiReference as unknown as Plugin;
  register(server, { configuration: { url: '/' } }, () => undefined);

  let script = '';
  const reply: Reply = {
    header: () => reply,
    send: (content) => {
      script = content;
    },
  };
  routes.find(({ url }) => url.endsWith('/scalar.js'))?.handler({}, reply);
  if (script === '') throw new Error('@scalar/fastify-api-reference has no route that sends its script');
  return { script, version: createHash('sha256').update(script).digest('base64url').slice(0, 12) };
}
