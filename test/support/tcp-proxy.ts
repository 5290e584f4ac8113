import { connect, createServer, type Server, type Socket } from 'node:net';

/** A wire to another server, that can be cut and mended. */
export interface TcpProxy {
  readonly port: number;
  /** Nothing comes through any more, and nobody listens at the port. */
  cut(): Promise<void>;
  /** Whoever is connected hears nothing any more, for good; whoever connects hears nothing either, until `mend`. */
  hush(): void;
  mend(): Promise<void>;
}

export async function openTcpProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    return socket;
  };
  let server: Server | null = null;
  let port = 0;
  let hushed = false;

  const mend = async () => {
    hushed = false;
    if (server?.listening) return;
    const fresh = createServer((client) => {
      keep(client);
      if (hushed) return;
      const there = keep(connect(target));
      client.pipe(there).pipe(client);
      client.on('close', () => there.destroy());
      there.on('close', () => client.destroy());
    });
    await new Promise<void>((resolve, reject) => {
      fresh.once('error', reject).listen(port, '127.0.0.1', resolve);
    });
    server = fresh;
    const address = fresh.address();
    if (typeof address === 'object' && address) port = address.port;
  };
  await mend();

  return {
    get port() {
      return port;
    },
    mend,
    hush() {
      hushed = true;
      for (const socket of sockets) socket.unpipe().pause();
    },
    async cut() {
      const closed = new Promise((resolve) => server?.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
