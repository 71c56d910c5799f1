import type { Bus, Closeable } from '@rtms/bus';
import type { Clock } from '@rtms/clock';
import type { MediaNodeConfig } from '@rtms/config';
import type { NodeLease, NodeRole } from '@rtms/contracts';
import type { Logger } from '@rtms/logging';
import type { KeepLease } from './lease/lease-keeper.js';
import type { DrainTimes } from './work/drain.js';

/** `@Inject(BUS) bus: Bus`. */
export const BUS = Symbol('Bus');
export const CLOCK = Symbol('Clock');
export const LOGGER = Symbol('Logger');
/** Start time of this node in ms since 1970. Distinguishes its facts from those of an earlier start. */
export const EPOCH = Symbol('Epoch');
/** `RunningNode`. */
export const RUNNING_NODE = Symbol('RunningNode');

/** The parts of every media node. A test passes its own. `MediaNode` closes them. */
export interface NodeParts {
  config: MediaNodeConfig;
  logger: Logger;
  bus: Bus;
  clock: Clock;
  /** Default: keeps the lease on the event loop. */
  keepLease?: KeepLease;
  /** Closes after everything else. */
  tracing?: Closeable;
}

export interface RunningNode extends NodeParts {
  role: NodeRole;
  epoch: number;
}

/** The work of one kind of media node. `MediaNode` does the common part. */
export abstract class NodeWork {
  abstract readonly drainTimes: DrainTimes;

  /** The load for the lease, from 0 to `capacity`. */
  abstract load(): Pick<NodeLease, 'load' | 'capacity' | 'composes'>;

  /** Runs before the node answers commands. */
  abstract start(): Promise<void>;

  /** A drain started or was cancelled. Runs before the lease is updated. */
  drainChanged(): void {
    return undefined;
  }

  /** Asks clients to move to another node, because the node drains. */
  sendAway(): void {
    return undefined;
  }

  /** Whether the node has no work left. `DrainState.noteEnd` reports a possible change. */
  abstract isEmpty(): boolean;

  /** Gives up the remaining work when the drain's time is over. */
  abstract endAll(): Promise<void>;

  /** Closes everything that is left `lingerSeconds` after `endAll`. */
  abandon(): Promise<void> {
    return Promise.resolve();
  }

  /** Ends streams that keep the HTTP port open. Runs after the node has stopped answering commands. */
  closeStreams(): Promise<void> {
    return Promise.resolve();
  }

  /** Ends everything else after the HTTP port has closed. Facts are still sent. */
  abstract close(): Promise<void>;
}
