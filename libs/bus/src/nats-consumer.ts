import { setTimeout as pause } from 'node:timers/promises';
import type { ConsumerMessages, JsMsg } from '@nats-io/jetstream';
import type { ConsumeOptions, StreamMessage } from './bus.js';
import { ackWaitMs, type NatsStreams } from './nats-streams.js';
import { decodePayload } from './nats-wire.js';
import { redeliveryDelay } from './redelivery-delay.js';

const retryMs = 250;

/** Hands a durable consumer's messages to one handler; begins anew whenever the server's side is lost. */
export class NatsConsumer<Payload> {
  private messages: ConsumerMessages | undefined;
  private running: Promise<void> = Promise.resolve();
  private readonly closing = new AbortController();

  constructor(
    private readonly streams: NatsStreams,
    private readonly options: ConsumeOptions,
    private readonly handler: (message: StreamMessage<Payload>) => Promise<void>,
  ) {}

  async start(): Promise<void> {
    await this.open();
    this.running = this.run();
  }

  /** After a reconnect: what the server knew of the open request is gone. */
  restart(): void {
    this.messages?.stop();
  }

  async close(): Promise<void> {
    this.closing.abort();
    this.messages?.stop();
    await this.running;
  }

  private get isClosed(): boolean {
    return this.closing.signal.aborted;
  }

  private async run(): Promise<void> {
    while (!this.isClosed) {
      try {
        const messages = this.messages ?? (await this.open());
        for await (const message of messages) await this.handle(message);
        this.messages = undefined;
      } catch {
        this.messages = undefined;
        await pause(retryMs, undefined, { signal: this.closing.signal }).catch(() => undefined);
      }
    }
  }

  private async open(): Promise<ConsumerMessages> {
    const consumer = await this.streams.consumer(this.options);
    const messages = await consumer.consume({ max_messages: 1, expires: 10_000, abort_on_missing_resource: true });
    if (this.isClosed) messages.stop();
    this.messages = messages;
    return messages;
  }

  private async handle(message: JsMsg): Promise<void> {
    if (this.isClosed) return message.nak();
    const stillAtWork = setInterval(() => message.working(), ackWaitMs / 3);
    const deliveries = message.info.deliveryCount;
    try {
      await this.handler({ subject: message.subject, payload: decodePayload(message.data), deliveries });
      message.ack();
    } catch {
      message.nak(redeliveryDelay(deliveries));
    } finally {
      clearInterval(stillAtWork);
    }
  }
}
