import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';

/** What can be told of a pool of connections, as slonik tells it. */
interface Pool {
  state(): {
    readonly acquiredConnections: number;
    readonly idleConnections: number;
    readonly waitingClients: number;
  };
}

/**
 * The metrics of a process: its memory, CPU, event loop and connections to PostgreSQL. Each composition has a registry of
 * its own, to which its others are added. Labels are ids and words of ours, never what a caller or customer wrote.
 */
export function createProcessMetrics(pools: Readonly<Record<string, Pool>>): Registry {
  nodeMetrics ??= createNodeMetrics();
  const registry = Registry.merge([nodeMetrics]);
  const connections = new Gauge({
    name: 'booking_pool_connections',
    help: 'Connections to PostgreSQL that this process has, and callers that wait for one',
    labelNames: ['pool', 'state'],
    registers: [registry],
    collect() {
      for (const [pool, each] of Object.entries(pools)) {
        const { acquiredConnections, idleConnections, waitingClients } = each.state();
        connections.set({ pool, state: 'in_use' }, acquiredConnections);
        connections.set({ pool, state: 'idle' }, idleConnections);
        connections.set({ pool, state: 'waited_for' }, waitingClients);
      }
    },
  });
  return registry;
}

/** Begun once in a process, however many compositions it has: what looks at its event loop and its garbage never ends. */
let nodeMetrics: Registry | null = null;

function createNodeMetrics(): Registry {
  const register = new Registry();
  collectDefaultMetrics({ register });
  return register;
}
