import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { VideoCodec } from './rtp-publisher.js';
import type { Viewer } from './viewer.js';

export type GroupCommand = 'start' | 'stop' | 'leave';
export type GroupReport = { type: 'ready'; joins: Join[] } | { type: 'counts'; received: number; expected: number };

/** The place that sends a viewer its media, and the milliseconds until then. */
export type Join = Pick<Viewer, 'mediaAddress' | 'mediaPort' | 'connectedMs'>;

export interface Counts {
  received: number;
  expected: number;
}

export interface GroupOptions {
  url: string;
  token: string;
  viewers: number;
  processes: number;
  codec: VideoCodec;
}

const program = fileURLToPath(new URL('viewer-process.ts', import.meta.url));

/** Viewers spread over processes, since one process receives some 15,000 packets a second at most. */
export class ViewerGroup {
  private constructor(
    private readonly children: ChildProcess[],
    readonly joins: readonly Join[],
  ) {}

  /** UDP port of the server's media worker. */
  get mediaPort(): number {
    return this.joins[0]?.mediaPort ?? 0;
  }

  /** Resolves once all are connected. */
  static async join({ url, token, viewers, processes, codec }: GroupOptions): Promise<ViewerGroup> {
    const children = Array.from({ length: processes }, (_, index) => {
      const share = Math.floor(viewers / processes) + (index < viewers % processes ? 1 : 0);
      return fork(program, [url, token, String(share), codec]);
    });
    const ready = await Promise.all(children.map(child => reportOf(child, 'ready')));
    return new ViewerGroup(
      children,
      ready.flatMap(({ joins }) => joins),
    );
  }

  start(): void {
    for (const child of this.children) child.send('start');
  }

  async stop(): Promise<Counts> {
    const reports = this.children.map(child => reportOf(child, 'counts'));
    for (const child of this.children) child.send('stop');
    const counts = await Promise.all(reports);
    return {
      received: counts.reduce((sum, each) => sum + each.received, 0),
      expected: counts.reduce((sum, each) => sum + each.expected, 0),
    };
  }

  async leave(): Promise<void> {
    const ended = this.children.map(child => once(child, 'exit'));
    for (const child of this.children) child.send('leave');
    await Promise.all(ended);
  }
}

function reportOf<Type extends GroupReport['type']>(
  child: ChildProcess,
  type: Type,
): Promise<Extract<GroupReport, { type: Type }>> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null): void => reject(new Error(`A process of viewers ended with ${code}.`));
    const onMessage = (message: GroupReport): void => {
      if (message.type !== type) return;
      child.off('exit', onExit);
      child.off('message', onMessage);
      resolve(message as Extract<GroupReport, { type: Type }>);
    };
    child.on('exit', onExit);
    child.on('message', onMessage);
  });
}
