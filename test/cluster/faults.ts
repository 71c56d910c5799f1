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

/** Fills the disk to its last byte for three seconds. */
function filling({ disks }: Cluster, nodeID: string): Fault {
  const disk = disks.get(nodeID);
  if (!disk) throw new Error(`${nodeID} has no disk of its own`);
  const ended = new AbortController();
  let emptied: Promise<void> = Promise.resolve();
  const begin = async (): Promise<void> => {
    disk.fill();
    emptied = pause(3_000, undefined, ended).then(
      () => disk.makeRoom(),
      () => disk.makeRoom(),
    );
  };
  const end = async (): Promise<void> => {
    ended.abort();
    await emptied;
  };
  return { begin, end, showsWithinMs: 8_000 };
}

/** The TURN server is away for a second. */
function restartingTurn({ turn }: Cluster): Fault {
  const begin = async (): Promise<void> => {
    await turn.kill();
    await pause(1_000);
    await turn.start();
  };
  return { begin, end: nothing, showsWithinMs: 5_000 };
}

function together(...each: Fault[]): Fault {
  const inParallel = async (act: (fault: Fault) => Promise<void>): Promise<void> =>
    void (await Promise.all(each.map(act)));
  return {
    begin: () => inParallel(({ begin }) => begin()),
    end: () => inParallel(({ end }) => end()),
    showsWithinMs: Math.max(...each.map(({ showsWithinMs }) => showsWithinMs)),
  };
}

interface FaultPlan {
  make: (cluster: Cluster, show: Show) => Promise<Fault>;
  /** The viewer is behind coturn. */
  isRelayed?: boolean;
  /** The fault may end the recording, whose file then has all that was recorded. */
  endsRecording?: boolean;
}

/** All faults by name. The name is a row of the table. */
export const faults: Record<string, FaultPlan> = {
  none: { make: async () => ({ begin: nothing, end: nothing, showsWithinMs: 5_000 }) },
  'kill owner SFU': { make: async (cluster, show) => killing(cluster, (await show.places()).owner) },
  'freeze owner SFU 10 s': {
    make: async (cluster, show) => freezing(cluster.machine((await show.places()).owner).service.pid),
  },
  'freeze media worker 10 s': {
    make: async (cluster, show) => {
      const { pid } = cluster.machine((await show.places()).owner).service;
      const worker = descendants(pid).find(({ command }) => command.includes('mediasoup-worker'));
      if (!worker) throw new Error('the SFU has no media worker');
      return freezing(worker.pid);
    },
  },
  'cut owner SFU off': { make: async (cluster, show) => cutting(cluster, (await show.places()).owner) },
  'kill gateway': { make: async cluster => killing(cluster, 'gateway-1') },
  'kill transcoder': { make: async (cluster, show) => killing(cluster, (await show.places()).encoder) },
  'kill owner SFU and gateway': {
    make: async (cluster, show) =>
      together(killing(cluster, (await show.places()).owner), killing(cluster, 'gateway-1')),
  },
  'kill owner SFU and transcoder': {
    make: async (cluster, show) => {
      const { owner, encoder } = await show.places();
      return together(killing(cluster, owner), killing(cluster, encoder));
    },
  },
  'full disk of transcoder 3 s': {
    make: async (cluster, show) => filling(cluster, (await show.places()).encoder),
    endsRecording: true,
  },
  'drain owner SFU': { make: async (cluster, show) => draining(cluster, (await show.places()).owner) },
  'kill owner SFU, viewer by coturn': {
    make: async (cluster, show) => killing(cluster, (await show.places()).owner),
    isRelayed: true,
  },
  'restart coturn': { make: async cluster => restartingTurn(cluster), isRelayed: true },
};
