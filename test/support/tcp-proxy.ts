import { connect, createServer, type Server, type Socket } from 'node:net';

/** A wire to another server, that can be cut and mended. */
export interface TcpProxy {
  readonly port: number;
  /** Nothing comes through any more, and nobody listens at the port. */
  cut(): Promise<void>;
  /** Whoever is connected hears nothing any more, for good; whoever connects hears nothing either, until `mend`. */
  hush(): void;
  /** As `hush`, but what is sent arrives: only the answers are lost. */
  loseAnswers(): void;
  /** Every piece takes so much longer, in both directions (milliseconds). */
  slow(by: number): void;
  /** Whoever connects is told this and sent away; so is, without a word, whoever is connected. */
  turnAway(words: string): void;
  mend(): Promise<void>;
}

type State =
  | { readonly is: 'open' | 'hushed' | 'deaf' }
  | { readonly is: 'slow'; readonly by: number }
  | { readonly is: 'busy'; readonly words: string };

/** Two ends of a connection. One that lost a piece is never whole again. */
interface Pair {
  isHushed: boolean;
  isDeaf: boolean;
}

export async function openTcpProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  const pairs = new Set<Pair>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    return socket;
  };
  let server: Server | null = null;
  let port = 0;
  let state: State = { is: 'open' };

  const forward = (from: Socket, to: Socket, isLost: () => boolean) => {
    const pass = (piece: Buffer) => {
      if (isLost()) return;
      if (to.write(piece)) return;
      from.pause();
      to.once('drain', () => from.resume());
    };
    from.on('data', (piece: Buffer) => {
      if (state.is !== 'slow') {
        pass(piece);
        return;
      }
      from.pause();
      setTimeout(() => {
        from.resume();
        pass(piece);
      }, state.by);
    });
    from.on('end', () => {
      if (!isLost()) to.end();
    });
  };

  const meet = (client: Socket) => {
    keep(client);
    if (state.is === 'busy') {
      client.end(state.words);
      return;
    }
    const pair: Pair = { isHushed: state.is === 'hushed', isDeaf: state.is === 'deaf' };
    pairs.add(pair);
    client.on('close', () => pairs.delete(pair));
    const there = keep(connect(target));
    forward(client, there, () => pair.isHushed);
    forward(there, client, () => pair.isHushed || pair.isDeaf);
    client.on('close', () => there.destroy());
    there.on('close', () => {
      if (!pair.isHushed && !pair.isDeaf) client.destroy();
    });
  };

  const mend = async () => {
    state = { is: 'open' };
    if (server?.listening) return;
    const fresh = createServer(meet);
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
      state = { is: 'hushed' };
      for (const pair of pairs) pair.isHushed = true;
    },
    loseAnswers() {
      state = { is: 'deaf' };
      for (const pair of pairs) pair.isDeaf = true;
    },
    slow(by) {
      state = { is: 'slow', by };
    },
    turnAway(words) {
      state = { is: 'busy', words };
      for (const socket of sockets) socket.destroy();
    },
    async cut() {
      const closed = new Promise((resolve) => server?.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
