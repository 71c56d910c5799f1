import { setTimeout as pause } from 'node:timers/promises';
import { descendants } from '../system/harness/processes.js';
import type { Cluster } from './cluster.js';
import type { Show } from './show.js';

/** A fault, and the way to end it. Both may be called once. */
export interface Fault {
  begin: () => Promise<void>;
  end: () => Promise<void>;
  /** Its effects begin within this time, such as the end of a lease. */
  showsWithinMs: number;
}

type MakeFault = (cluster: Cluster, show: Show) => Promise<Fault>;

const nothing = (): Promise<void> => Promise.resolve();

function killing(cluster: Cluster, nodeID: string): Fault {
  const { service } = cluster.machine(nodeID);
  return { begin: async () => void (await service.stop('SIGKILL')), end: () => service.start(), showsWithinMs: 8_000 };
}

/** Stops a process for 10 s. */
function freezing(pid: number): Fault {
  const signal = (name: NodeJS.Signals): void => {
    try {
      process.kill(pid, name);
    } catch {
      // Its service has replaced the process.
    }
  };
  const ended = new AbortController();
  return {
    begin: async () => {
      signal('SIGSTOP');
      void pause(10_000, undefined, ended).then(() => signal('SIGCONT'), nothing);
    },
    end: async () => {
      ended.abort();
      signal('SIGCONT');
    },
    showsWithinMs: 15_000,
  };
}

/** Afterwards the host starts anew. */
function cutting(cluster: Cluster, nodeID: string): Fault {
  const { host, service } = cluster.machine(nodeID);
  const end = async (): Promise<void> => {
    host.mend();
    await service.stop('SIGKILL');
    await service.start();
  };
  return { begin: async () => host.cut(), end, showsWithinMs: 12_000 };
}

function draining({ admin }: Cluster, nodeID: string): Fault {
  const call = async (action: 'drain' | 'undrain'): Promise<void> =>
    void (await admin.expect(200, 'POST', `/admin/v1/nodes/${nodeID}/${action}`));
  return { begin: () => call('drain'), end: () => call('undrain'), showsWithinMs: 8_000 };
}

/** All faults by name. The name is a row of the table. */
export const faults: Record<string, MakeFault> = {
  none: async () => ({ begin: nothing, end: nothing, showsWithinMs: 5_000 }),
  'kill owner SFU': async (cluster, show) => killing(cluster, (await show.places()).owner),
  'freeze owner SFU 10 s': async (cluster, show) => freezing(cluster.machine((await show.places()).owner).service.pid),
  'freeze media worker 10 s': async (cluster, show) => {
    const { pid } = cluster.machine((await show.places()).owner).service;
    const worker = descendants(pid).find(({ command }) => command.includes('mediasoup-worker'));
    if (!worker) throw new Error('the SFU has no media worker');
    return freezing(worker.pid);
  },
  'cut owner SFU off': async (cluster, show) => cutting(cluster, (await show.places()).owner),
  'kill gateway': async cluster => killing(cluster, 'gateway-1'),
  'kill transcoder': async (cluster, show) => killing(cluster, (await show.places()).encoder),
  'drain owner SFU': async (cluster, show) => draining(cluster, (await show.places()).owner),
};
