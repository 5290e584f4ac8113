import { connect, createServer, type Socket } from 'node:net';

/**
 * In place of the proxy in front of several APIs: passes each connection on to the next of them, past those that take none.
 *
 * @param ports of this machine
 * @throws when its own port is in use
 */
export async function startBalancer(
  port: number,
  ports: readonly number[],
): Promise<{ stop(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    return socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  };
  let turn = 0;
  const passOn = (from: Socket, tries: number) => {
    if (tries === 0 || from.destroyed) return from.destroy();
    const to = keep(connect(ports[(turn += 1) % ports.length] ?? 0, '127.0.0.1'));
    const refused = () => passOn(from, tries - 1);
    to.once('error', refused).once('connect', () => {
      to.off('error', refused);
      from.pipe(to).pipe(from);
      from.once('close', () => to.destroy());
      to.once('close', () => from.destroy());
    });
  };
  const server = createServer((from) => passOn(keep(from), ports.length));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
  });
  return {
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
