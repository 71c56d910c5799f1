import type { JsMsg } from '@nats-io/jetstream';
import type { ConsumeOptions, StreamMessage } from './bus.js';
import { receiving } from './bus-spans.js';
import { ackWaitMs, type NatsStreams } from './nats-streams.js';
import { decodePayload, traceOf } from './nats-wire.js';
import { redeliveryDelay } from './redelivery-delay.js';
import { ReopenedIteration, type Connection } from './reopened-iteration.js';

/** Hands the messages of a durable consumer to one handler. Resolves once the server knows the consumer. */
export async function consumeStream<Payload>(
  streams: NatsStreams,
  options: ConsumeOptions,
  handler: (message: StreamMessage<Payload>) => Promise<void>,
  connection: Connection,
): Promise<ReopenedIteration<JsMsg>> {
  const iteration = new ReopenedIteration<JsMsg>(
    async () => {
      const consumer = await streams.consumer(options);
      return consumer.consume({ max_messages: 1, expires: 10_000, abort_on_missing_resource: true });
    },
    message => handOut(message, handler, connection),
    connection,
  );
  await iteration.start();
  return iteration;
}

async function handOut<Payload>(
  message: JsMsg,
  handler: (message: StreamMessage<Payload>) => Promise<void>,
  connection: Connection,
): Promise<void> {
  const stillAtWork = connection.clock.every(ackWaitMs / 3, () => {
    if (connection.isConnected()) message.working();
  });
  const deliveries = message.info.deliveryCount;
  try {
    const given = { subject: message.subject, payload: decodePayload<Payload>(message.data), deliveries };
    await receiving(message.subject, traceOf(message.headers), () => handler(given));
    message.ack();
  } catch {
    message.nak(redeliveryDelay(deliveries));
  } finally {
    stillAtWork.cancel();
  }
}
