/** A peer connection that answers no checks: the test sets its state and its counters. */
export class FakePeer extends EventTarget {
  static newest: FakePeer | undefined;
  readonly kinds: string[] = [];
  readonly restarts: boolean[] = [];
  connectionState: RTCPeerConnectionState = 'new';
  configuration: RTCConfiguration = {};
  currentRemoteDescription: { sdp: string } | null = null;
  isClosed = false;
  framesDecoded = 1;
  /** Of one track. */
  received = {
    bytesReceived: 0,
    packetsReceived: 0,
    packetsLost: 0,
    jitterBufferDelay: 0,
    jitterBufferEmittedCount: 0,
  };
  /** `setRemoteDescription` rejects it. */
  refusal: Error | undefined;

  constructor() {
    super();
    FakePeer.newest = this;
  }

  addTransceiver(kind: string): void {
    this.kinds.push(kind);
  }

  async createOffer({ iceRestart = false } = {}): Promise<RTCSessionDescriptionInit> {
    this.restarts.push(iceRestart);
    const name = `u${this.restarts.length}`;
    const sdp = `v=0\r\nm=video 9 UDP/TLS/RTP/SAVPF 96\r\na=ice-ufrag:${name}\r\na=ice-pwd:p-${name}\r\na=mid:0\r\n`;
    return { type: 'offer', sdp };
  }

  getConfiguration(): RTCConfiguration {
    return this.configuration;
  }

  setConfiguration(configuration: RTCConfiguration): void {
    this.configuration = configuration;
  }

  async setLocalDescription(): Promise<void> {
    if (this.isClosed) throw new Error('closed');
  }

  async setRemoteDescription({ sdp = '' }: RTCSessionDescriptionInit): Promise<void> {
    if (this.refusal) throw this.refusal;
    this.currentRemoteDescription = { sdp };
  }

  async getStats(): Promise<Map<string, object>> {
    const pair = { type: 'candidate-pair', nominated: true, currentRoundTripTime: 0.04 };
    const track = {
      type: 'inbound-rtp',
      kind: 'video',
      frameWidth: 640,
      frameHeight: 360,
      framesDecoded: this.framesDecoded,
      ...this.received,
    };
    return new Map<string, object>(Object.entries({ pair, track }));
  }

  close(): void {
    this.isClosed = true;
  }

  becomes(state: RTCPeerConnectionState): void {
    this.connectionState = state;
    this.dispatchEvent(new Event('connectionstatechange'));
  }

  receives(packets = 50, lost = 0): void {
    const { received } = this;
    received.bytesReceived += packets * 1_000;
    received.packetsReceived += packets;
    received.packetsLost += lost;
    received.jitterBufferDelay += packets * 0.06;
    received.jitterBufferEmittedCount += packets;
  }
}

/** Answers requests in the order of the routes that a test adds. */
export class FakeServer {
  readonly requests: string[] = [];
  readonly bodies: string[] = [];
  private readonly routes = new Map<string, () => Response | Promise<Response>>();

  on(route: string, answer: () => Response | Promise<Response>): this {
    this.routes.set(route, answer);
    return this;
  }

  readonly fetch = async (url: string, init: RequestInit = {}): Promise<Response> => {
    init.signal?.throwIfAborted();
    const route = `${init.method ?? 'GET'} ${url}`;
    this.requests.push(`${route} ${(init.headers as Record<string, string>)['Authorization']}`);
    this.bodies.push(typeof init.body === 'string' ? init.body : '');
    const answer = this.routes.get(route);
    if (!answer) throw new TypeError(`no answer to ${route}`);
    return answer();
  };

  /** Of requests by this method. */
  count(method: string): number {
    return this.requests.filter(request => request.startsWith(`${method} `)).length;
  }
}
