import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NatsBus } from '@rtms/bus';
import { systemClock } from '@rtms/clock';
import { factStream, leaseBucket, leaseTtlSeconds, type NodeLease } from '@rtms/contracts';
import { discardLogs, freePort, startNats, type TestNats } from '@rtms/testing';
import { generateSigningKey, publishKeys, TokenSigner } from '@rtms/tokens';
import { SwitchedNetwork, type Host } from '../test/cluster/switched-network.js';
import { LoadBalancer } from '../test/system/harness/load-balancer.js';
import { ServiceProcess } from '../test/system/harness/service-process.js';

/** SFU nodes and transcoders on hosts of their own in network namespaces, with a bus and without a gateway. Needs root. */
export class NodeNetwork {
  private readonly closings: (() => unknown)[] = [];
  private constructor(
    readonly network: SwitchedNetwork,
    /** With the rights of the gateway. */
    readonly bus: NatsBus,
    readonly signer: TokenSigner,
    private readonly folder: string,
    private readonly nats: Pick<TestNats, 'environment'>,
    /** The bus, as the hosts reach it. */
    private readonly busUrl: string,
  ) {}

  static async open(): Promise<NodeNetwork> {
    const closings: (() => unknown)[] = [];
    try {
      const folder = await mkdtemp(join(tmpdir(), `rtms-test-nodes-${process.pid}-`));
      closings.push(() => discardLogs(folder));
      const network = SwitchedNetwork.open();
      closings.push(() => network.close());
      const nats = await startNats();
      closings.push(() => nats.stop());
      const balancer = new LoadBalancer([nats.url.replace('nats', 'http')]);
      await balancer.listen(network.address);
      closings.push(() => balancer.close());
      const bus = await NatsBus.connect({ ...nats.as('gateway'), name: 'bench' });
      closings.push(() => bus.close());
      const key = await generateSigningKey();
      await bus.ensureStream(factStream);
      await bus.keyValue<NodeLease>(leaseBucket, { ttlSeconds: leaseTtlSeconds });
      await publishKeys(bus, [key.publicJwk]);
      const signer = new TokenSigner(key, systemClock);
      const nodes = new NodeNetwork(network, bus, signer, folder, nats, balancer.url.replace('http', 'nats'));
      nodes.closings.push(...closings);
      return nodes;
    } catch (error) {
      for (const close of closings.reverse()) await close();
      throw error;
    }
  }

  /** An SFU node with one media worker. */
  startNode(nodeID: string, host: Host, more: Record<string, string>): Promise<ServiceProcess> {
    const media = { SFU_WORKERS: '1', RTC_LISTEN_IP: host.address, RTC_ANNOUNCED_ADDRESS: host.address };
    return this.start('sfu', nodeID, host, { ...media, ...more });
  }

  startTranscoder(nodeID: string, host: Host): Promise<ServiceProcess> {
    const media = { RTP_LISTEN_IP: host.address, MEDIA_DIR: join(this.folder, `${nodeID}-media`) };
    return this.start('transcoder', nodeID, host, media);
  }

  private async start(
    role: 'sfu' | 'transcoder',
    nodeID: string,
    { address, around }: Host,
    more: Record<string, string>,
  ): Promise<ServiceProcess> {
    const port = String(await freePort());
    const url = `http://${address}:${port}`;
    const service = new ServiceProcess({
      ...{ name: nodeID, url, around, entryPoint: `apps/${role}/dist/main.js` },
      logFile: join(this.folder, `${nodeID}.log`),
      env: {
        ...{ ...this.nats.environment(role), NATS_URL: this.busUrl, LOG_LEVEL: 'info' },
        ...{ RTMS_NODE_ID: nodeID, HOST: address, PORT: port, PUBLIC_URL: url, INTERNAL_URL: url, ...more },
      },
    });
    this.closings.push(() => service.stop('SIGKILL'));
    await service.start();
    return service;
  }

  /** The caller's own part, which ends before the nodes. */
  onClose(close: () => unknown): void {
    this.closings.push(close);
  }

  async logsOf(nodeID: string): Promise<string> {
    return readFile(join(this.folder, `${nodeID}.log`), 'utf8').catch(() => '');
  }

  /** Ends all processes and deletes the network. Safe to call twice. */
  async close(): Promise<void> {
    for (const close of this.closings.splice(0).reverse()) await close();
  }
}
