import { createHash } from 'node:crypto';

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

export interface Renderer {
  readonly script: string;
  /** Another one for another script. */
  readonly version: string;
}

/**
 * Scalar's script, the whole renderer in one. Its own package brings 270 others; the one for Fastify has nothing but the
 * script, and registers a route that sends it. So we play the server for as long as that takes. It is loaded when somebody
 * reads the documentation, since it takes half a second and 40 MB.
 */
export async function loadRenderer(): Promise<Renderer> {
  // its types are Fastify's, which is not here
  const plugin = (await import('@scalar/fastify-api-reference')) as { readonly default: unknown };
  const routes: Route[] = [];
  const server = { route: (route: Route) => void routes.push(route), initialConfig: {} };
  const register = plugin.default as Plugin;
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
