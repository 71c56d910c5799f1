import type { Bus } from '@rtms/bus';
import {
  ingestCommands,
  ingestQuestions,
  type EncoderProtocol,
  type IngestAdmission,
  type IngestInventory,
} from '@rtms/contracts';
import { FakeNode, type FakeNodeOptions } from '../../../testing/fake-node.js';

const ports: Record<EncoderProtocol, number> = { srt: 20_000, rtmp: 1935, rtmps: 1936 };

/** An ingest node that opens addresses and translates no media. */
export class FakeIngest extends FakeNode {
  readonly sessions = new Map<string, IngestInventory['sessions'][number]>();

  constructor(bus: Bus, nodeID: string, options: FakeNodeOptions) {
    super(bus, nodeID, 'ingest', options);
  }

  /** An encoder connects. `named` has the stream key, or the session whose SRT port it used. */
  admit(
    protocol: EncoderProtocol,
    named: { streamKey?: string; sessionID?: string },
    isRenewal = false,
    media: { hasBFrames?: boolean } = {},
  ): Promise<IngestAdmission> {
    return this.bus.request(ingestQuestions.admit, { nodeID: this.nodeID, protocol, isRenewal, ...named, ...media });
  }

  compare(...sessionIDs: string[]) {
    return this.bus.request(ingestQuestions.compare, { nodeID: this.nodeID, sessionIDs });
  }

  /** As `compare`, of a node that can call so many more encoders. */
  compareCalls(freeCalls: number, ...sessionIDs: string[]) {
    return this.bus.request(ingestQuestions.compare, { nodeID: this.nodeID, sessionIDs, freeCalls });
  }

  override forgetAll(): void {
    this.sessions.clear();
  }

  protected override async answerAll(): Promise<void> {
    const { epoch } = this;
    await this.answer(ingestCommands.open, ({ sessionID, protocol }) => {
      this.sessions.set(sessionID, { sessionID, protocol, state: 'waiting' });
      return { port: ports[protocol], ...(protocol === 'srt' && { latencyMs: 200 }) };
    });
    await this.answer(ingestCommands.call, ({ sessionID }) => {
      this.sessions.set(sessionID, { sessionID, protocol: 'srt', state: 'waiting' });
      return {};
    });
    await this.answer(ingestCommands.drain, ({ draining }) => {
      this.draining = draining;
      return {};
    });
    await this.answer(ingestCommands.inventory, () => ({ epoch, sessions: [...this.sessions.values()] }));
  }
}
