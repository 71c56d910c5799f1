import type { Closeable } from '@rtms/bus';
import type { DtlsRole, Fingerprint } from '../media/media-engine.js';
import type { MemberTransport } from '../media/member-media.js';

/** One of a member's two connections. */
export abstract class MemberConnection<Transport extends MemberTransport = MemberTransport> implements Closeable {
  private isConnecting = false;
  private lostSince: number | undefined;

  constructor(readonly transport: Transport) {}

  get transportID(): string {
    return this.transport.parameters.transportID;
  }

  /** Repeated, it is done already: the media worker takes the parameters once. */
  async connect(remote: { role: DtlsRole; fingerprints: Fingerprint[] }): Promise<void> {
    if (this.isConnecting) return;
    this.isConnecting = true;
    try {
      await this.transport.connect(remote);
    } catch (error) {
      this.isConnecting = false;
      throw error;
    }
  }

  /** Notes since when it is lost; answers whether it has been for longer than `limit` ms. */
  isOverdue(now: number, limit: number): boolean {
    if (this.transport.state !== 'lost') {
      this.lostSince = undefined;
      return false;
    }
    this.lostSince ??= now;
    return now - this.lostSince >= limit;
  }

  /** It will not come back: what was on it is told to have ended. */
  async drop(): Promise<void> {
    await this.transport.close();
  }

  abstract close(): Promise<void>;
}
