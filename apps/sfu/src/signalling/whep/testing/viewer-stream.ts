import { EventLog } from '@rtms/testing';
import { WhepController } from '../whep.js';
import type { TestNode } from '../../../testing/sfu-harness.js';
import { viewerEventTypes } from '../../../rooms/viewer-events.js';

export interface StreamEvent {
  type: string;
  data: unknown;
}

/** An event stream of a viewer, read over HTTP in the background. */
export class ViewerStream {
  readonly events = new EventLog<StreamEvent>();
  /** Resolves when the server has ended the stream. */
  readonly ended: Promise<void>;
  hasEnded = false;
  private readonly abort = new AbortController();
  private readonly lines = new EventLog<string>();
  private marks = 0;

  private constructor(
    readonly path: string,
    response: Response,
  ) {
    this.ended = this.read(response)
      .catch(() => undefined)
      .then(() => void (this.hasEnded = true));
  }

  /** `at`: the node that is asked, which may pass the stream on from another node. */
  static async open(path: string, token: string, at: string): Promise<ViewerStream> {
    const response = await fetch(`${at}${path}`, { headers: { Authorization: `Bearer ${token}` } });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(response.headers.get('x-rtms-stream-origin')).toBeNull();
    return new ViewerStream(path, response);
  }

  get types(): string[] {
    return this.events.all.map(({ type }) => type);
  }

  /** Resolves with the first event of the type, and with `data` if given. */
  hears(type: string, data?: unknown): Promise<StreamEvent> {
    const isWanted = (event: StreamEvent): boolean =>
      event.type === type && (data === undefined || JSON.stringify(event.data) === JSON.stringify(data));
    return this.events.find(isWanted);
  }

  /** Resolves with the next heartbeat, which is a comment. */
  heartbeat(): Promise<string> {
    return this.lines.next(line => line === ':');
  }

  /**
   * Resolves once everything that the node has sent until now was read: an event that is missing afterwards was not
   * sent. `node` is the one that holds the room. Fails when the stream has ended.
   */
  async quiet(node: TestNode): Promise<void> {
    const { events } = node.app.get(WhepController).eventsOf(this.path) ?? {};
    const mark = `mark ${++this.marks}`;
    const arrived = this.lines.find(line => line.includes(mark));
    for (const type of viewerEventTypes) events?.emit(type, { mark });
    await arrived;
  }

  close(): void {
    this.abort.abort();
  }

  private async read(response: Response): Promise<void> {
    let text = '';
    const reader = response.body?.getReader();
    this.abort.signal.addEventListener('abort', () => void reader?.cancel());
    for (let chunk = await reader?.read(); chunk && !chunk.done; chunk = await reader?.read()) {
      text += Buffer.from(chunk.value as Uint8Array).toString();
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      blocks.forEach(block => this.take(block));
    }
  }

  private take(block: string): void {
    this.lines.add(block);
    const [, type, data = ''] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? [];
    if (type !== undefined && !data.includes('"mark"')) this.events.add({ type, data: JSON.parse(data) as unknown });
  }
}
