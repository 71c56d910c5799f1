import { randomBytes } from 'node:crypto';
import { mkdtemp, rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  asServingRole,
  discardLogs,
  freePort,
  makeCertificates,
  startNats,
  startPostgres,
  waitFor,
} from '@rtms/testing';
import pg from 'pg';
import { makeAccount, type Account } from '../system/harness/account.js';
import { ApiClient } from '../system/harness/api-client.js';
import { LoadBalancer } from '../system/harness/load-balancer.js';
import { SmallDisk } from '../system/harness/small-disk.js';
import { ServiceProcess } from '../system/harness/service-process.js';
import { migrated } from '../system/harness/stack.js';
import { TurnServer } from '../system/harness/turn-server.js';
import { SwitchedNetwork, type Host } from './switched-network.js';

const roles = ['gateway', 'sfu', 'transcoder'] as const;
type Role = (typeof roles)[number];

/** A service on a host of its own. */
export interface Machine {
  role: Role;
  nodeID: string;
  host: Host;
  service: ServiceProcess;
}

/** A load balancer asks each machine this often whether it is ready. */
const askEveryMs = 500;
/** A transcoder takes new work while 64 MB are free. */
const diskMegabytes = 192;
const machinesOfRole: Record<Role, number> = { gateway: 2, sfu: 2, transcoder: 2 };

/** Two machines for each service behind a load balancer, a TURN server, one NATS and one PostgreSQL. */
export class Cluster {
  private readonly closings: (() => unknown)[] = [];
  readonly machines: Machine[] = [];
  /** Of the transcoders, by node ID. */
  readonly disks = new Map<string, SmallDisk>();
  turn!: TurnServer;
  /** An address of this machine that reaches SFUs only by the TURN server. */
  relayedAddress = '';
  private readonly balancers = {} as Record<Role, LoadBalancer>;
  account!: Account;
  admin!: ApiClient;
  folder = '';
  private databaseUrl = '';

  static async start(): Promise<Cluster> {
    const cluster = new Cluster();
    try {
      await cluster.open();
      return cluster;
    } catch (error) {
      await cluster.close();
      throw error;
    }
  }

  of(role: Role): Machine[] {
    return this.machines.filter(each => each.role === role);
  }

  machine(nodeID: string): Machine {
    const found = this.machines.find(each => each.nodeID === nodeID);
    if (!found) throw new Error(`no machine ${nodeID}`);
    return found;
  }

  /** The URL of the role's load balancer. */
  url(role: Role): string {
    return this.balancers[role].url;
  }

  async query(text: string, values: unknown[]): Promise<Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: this.databaseUrl });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(text, values)).rows;
    } finally {
      await client.end();
    }
  }

  /** Resolves once every machine is ready and every media node has a lease. */
  async isWhole(): Promise<void> {
    for (const { service } of this.machines) await service.waitUntilReady();
    const media = machinesOfRole.sfu + machinesOfRole.transcoder;
    const areKnown = async (): Promise<boolean> => {
      const { nodes } = await this.admin.expect(200, 'GET', '/admin/v1/nodes');
      return nodes.length === media && nodes.every(({ draining }) => !draining);
    };
    await waitFor(areKnown, { everyMs: 200, what: 'all media nodes to be known' });
  }

  /** Ends all processes and deletes the network. Safe to call twice. */
  async close(): Promise<void> {
    for (const close of this.closings.splice(0).reverse()) await close();
  }

  private async open(): Promise<void> {
    const folder = await mkdtemp(join(tmpdir(), `rtms-test-cluster-${process.pid}-`));
    this.folder = folder;
    this.closings.push(() => (process.env['RTMS_KEEP_LOGS'] ? rename(folder, keptName(folder)) : discardLogs(folder)));
    const network = SwitchedNetwork.open();
    this.closings.push(() => network.close());
    const postgres = await startPostgres({ dedicated: true, template: migrated });
    this.closings.push(() => postgres.stop());
    this.databaseUrl = postgres.url;
    const nats = await startNats();
    this.closings.push(() => nats.stop());
    const forward = async (targets: string[]): Promise<LoadBalancer> => {
      const balancer = new LoadBalancer(targets);
      await balancer.listen(network.address);
      this.closings.push(() => balancer.close());
      return balancer;
    };
    const database = await forward([`http://${new URL(postgres.url).host}`]);
    const bus = await forward([`http://${new URL(nats.url).host}`]);
    for (const role of roles) this.balancers[role] = await forward([]);
    const common = {
      DATABASE_URL: Object.assign(new URL(asServingRole(postgres.url)), { host: new URL(database.url).host }).href,
      RTMS_SECRET_KEY: randomBytes(32).toString('base64'),
      RTMS_ADMIN_TOKEN: randomBytes(24).toString('base64url'),
      LOG_LEVEL: 'info',
      DRAIN_SECONDS: '2',
      SEGMENT_SECONDS: '1',
      SFU_WORKERS: '1',
    };
    const hosts = roles.flatMap(role =>
      Array.from({ length: machinesOfRole[role] }, (_, index) => {
        return { role, nodeID: `${role}-${index + 1}`, host: network.addHost() };
      }),
    );
    const sfus = hosts.filter(({ role }) => role === 'sfu').map(({ host }) => host);
    for (const host of sfus) host.refuse(network.otherAddress);
    this.relayedAddress = network.otherAddress;
    const peers = sfus.map(({ address }) => address);
    const relays = await this.startTurn(network.addHost(), peers);
    for (const { role, nodeID, host } of hosts) {
      const env = { ...common, ...relays, ...nats.environment(role), NATS_URL: bus.url.replace('http', 'nats') };
      await this.addMachine(role, nodeID, host, env);
    }
    this.closings.push(() => Promise.all(this.machines.map(each => this.end(each))));
    await Promise.all(this.machines.map(({ service }) => service.start()));
    for (const role of roles) {
      this.balancers[role].targets = this.of(role).map(({ service }) => service.url);
      this.balancers[role].obeyReadiness(askEveryMs);
    }
    this.admin = new ApiClient(this.url('gateway'), common.RTMS_ADMIN_TOKEN);
    await this.isWhole();
    this.account = await makeAccount(this.admin, 'cluster');
  }

  /** Returns the settings of the SFUs. */
  private async startTurn({ address, around }: Host, peers: readonly string[]): Promise<Record<string, string>> {
    const certificates = makeCertificates(address);
    this.closings.push(() => certificates.remove());
    const certificate = certificates.server;
    this.turn = await TurnServer.prepare({ address, peer: peers.join(' '), certificate, around });
    this.closings.push(() => this.turn.close());
    await this.turn.start();
    return { TURN_URLS: this.turn.urls.join(), TURN_SECRET: this.turn.secret };
  }

  private async addMachine(role: Role, nodeID: string, host: Host, env: Record<string, string>): Promise<void> {
    const port = await freePort();
    const url = `http://${host.address}:${port}`;
    const media = role === 'transcoder' ? this.addDisk(nodeID) : '';
    const service = new ServiceProcess({
      name: nodeID,
      url,
      around: host.around,
      entryPoint: `apps/${role}/dist/main.js`,
      logFile: join(this.folder, `${nodeID}.log`),
      env: {
        ...env,
        ...{ RTMS_NODE_ID: nodeID, HOST: host.address, PORT: String(port) },
        ...{ PUBLIC_URL: this.url(role), INTERNAL_URL: url, RTC_LISTEN_IP: host.address, RTP_LISTEN_IP: host.address },
        RTC_ANNOUNCED_ADDRESS: host.address,
        ...(media && { MEDIA_DIR: media, RECORDINGS_SHARED_DIR: join(this.folder, 'recordings') }),
      },
    });
    this.machines.push({ role, nodeID, host, service });
  }

  private addDisk(nodeID: string): string {
    const disk = SmallDisk.mount(diskMegabytes);
    this.closings.push(() => disk.close());
    this.disks.set(nodeID, disk);
    return disk.path;
  }

  private async end({ service, host }: Machine): Promise<void> {
    host.mend();
    await service.stop('SIGKILL');
  }
}

/** `sweepLeftovers` deletes folders with the first name. */
function keptName(folder: string): string {
  return folder.replace('rtms-test-', 'rtms-kept-');
}
