import { once } from 'node:events';
import { request, type ClientRequest, type IncomingMessage } from 'node:http';

const body = JSON.stringify({ action: 'create', userName: 'host', duration: 60, capacity: 10 });

/** A request to open a room, with half of its body sent, that stays open as long as the test wants. */
export class SlowRequest {
  private constructor(private readonly outgoing: ClientRequest) {}

  static async begin(gateway: string, credential: string): Promise<SlowRequest> {
    const headers = {
      authorization: `Bearer ${credential}`,
      'content-type': 'application/json',
      'content-length': body.length,
    };
    const outgoing = request(`${gateway}/v1/rooms`, { method: 'POST', headers, agent: false });
    await new Promise(resolve => outgoing.write(body.slice(0, 10), resolve));
    return new SlowRequest(outgoing);
  }

  /** Sends the rest; answers the status. */
  async finish(): Promise<number> {
    const answer = once(this.outgoing, 'response') as Promise<[IncomingMessage]>;
    this.outgoing.end(body.slice(10));
    const [response] = await answer;
    response.resume();
    return response.statusCode ?? 0;
  }
}
