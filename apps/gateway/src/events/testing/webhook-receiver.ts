import http, { type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import https, { type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { EventLog } from '@rtms/testing';

/** The body of a webhook's request. */
export interface WebhookBody {
  id: string;
  type: string;
  createdAt: string;
  accountID: string;
  data: Record<string, unknown>;
}

export interface ReceivedRequest {
  headers: IncomingHttpHeaders;
  text: string;
  body: WebhookBody;
}

type Answer = (response: ServerResponse, request: ReceivedRequest) => void;

export function answering(status: number, headers: Record<string, string> = {}): Answer {
  return response => void response.writeHead(status, headers).end('thanks');
}

/** An application that receives the requests of webhooks, on this machine. */
export class WebhookReceiver {
  readonly received = new EventLog<ReceivedRequest>();
  /** The answer to each request. Default: 200. */
  answer: Answer = answering(200);

  private constructor(
    private readonly server: http.Server,
    readonly url: string,
  ) {}

  /** By HTTPS if there is a certificate. */
  static async start(tls?: ServerOptions): Promise<WebhookReceiver> {
    const server = tls ? https.createServer(tls) : http.createServer();
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const receiver = new WebhookReceiver(server, `${tls ? 'https' : 'http'}://127.0.0.1:${port}/hook`);
    server.on('request', (request: http.IncomingMessage, response: ServerResponse) => {
      void textOf(request).then(
        text => {
          const received = { headers: request.headers, text, body: JSON.parse(text) as WebhookBody };
          receiver.answer(response, received);
          receiver.received.add(received);
        },
        // The gateway broke off.
        () => undefined,
      );
    });
    return receiver;
  }

  get port(): string {
    return new URL(this.url).port;
  }

  /** The types of the received events, in order. */
  get types(): string[] {
    return this.received.all.map(({ body }) => body.type);
  }

  /** Idle and unanswered connections end. */
  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise(resolve => this.server.close(resolve));
  }
}
