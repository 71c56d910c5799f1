import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { systemClock, type Timer } from '@rtms/clock';
import { SeededRandom } from '@rtms/testing';

/** A second loopback address: services listen on 127.0.0.1, and clients get this one. */
const address = '127.0.0.2';

/**
 * A UDP path to a port of 127.0.0.1 that loses, delays and reorders what clients send; the way back is clean. It
 * replaces the kernel's `tc netem`, which many kernels lack. Each run loses the same packets.
 */
export class LossyLink {
  readonly address = address;
  /** Of what clients send: the share that is lost, 0 to 1. */
  loss = 0;
  /** The longest delay of a packet in milliseconds; packets overtake each other. */
  jitterMs = 0;
  readonly counts = { sent: 0, lost: 0 };
  /** One socket for each client, so that the service sees separate clients. */
  private readonly upstreams = new Map<string, Socket>();
  private readonly timers = new Set<Timer>();
  private readonly random = new SeededRandom(20_261_122);

  private constructor(
    private readonly listener: Socket,
    private readonly port: number,
  ) {
    listener.on('message', (packet, { address: host, port: from }) => this.forward(packet, host, from));
  }

  static async open(port: number): Promise<LossyLink> {
    const listener = createSocket('udp4');
    listener.bind(port, address);
    await once(listener, 'listening');
    return new LossyLink(listener, port);
  }

  close(): void {
    for (const timer of this.timers) timer.cancel();
    for (const socket of [this.listener, ...this.upstreams.values()]) socket.close();
    this.upstreams.clear();
  }

  private forward(packet: Buffer, host: string, port: number): void {
    this.counts.sent += 1;
    if (this.random.chance(this.loss)) return void (this.counts.lost += 1);
    const upstream = this.upstreamOf(host, port);
    const timer = systemClock.after(this.random.next() * this.jitterMs, () => {
      this.timers.delete(timer);
      upstream.send(packet, this.port, '127.0.0.1');
    });
    this.timers.add(timer);
  }

  private upstreamOf(host: string, port: number): Socket {
    const client = `${host}:${port}`;
    const known = this.upstreams.get(client);
    if (known) return known;
    const upstream = createSocket('udp4', packet => this.listener.send(packet, port, host));
    this.upstreams.set(client, upstream);
    return upstream;
  }
}
