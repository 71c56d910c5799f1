import type { JsMsg } from '@nats-io/jetstream';
import type { Closeable, ConsumeOptions, StreamMessage } from '../port/bus.js';
import { receiving } from './bus-spans.js';
import { ackWaitMs, inHandAtMost, type NatsStreams } from './nats-streams.js';
import { decodePayload, traceOf } from './nats-wire.js';
import { OrderedWork } from '../port/ordered-work.js';
import { ReopenedIteration, type BusConnection } from './reopened-iteration.js';

type Handler<Payload> = (message: StreamMessage<Payload>) => Promise<void>;

/** Delivers the messages of a durable consumer to one handler. Resolves once the server knows the consumer. */
export async function consumeStream<Payload>(
  streams: NatsStreams,
  options: ConsumeOptions,
  handler: Handler<Payload>,
  connection: BusConnection,
): Promise<Closeable> {
  const { clock } = connection;
  const { inHand, work } = makeWork(options, handler, connection);
  const { keyOf = () => '' } = options;
  const iteration = new ReopenedIteration<JsMsg>(
    async () => {
      const consumer = await streams.takeOver(options);
      return consumer.consume({ max_messages: inHandAtMost, expires: 10_000, abort_on_missing_resource: true });
    },
    message => {
      inHand.add(message);
      work.add(keyOf(message.subject), message);
    },
    connection,
  );
  const stillAtWork = clock.every(ackWaitMs / 3, () => {
    if (connection.isConnected()) for (const message of inHand) message.working();
  });
  const close = async (): Promise<void> => {
    await iteration.close();
    await work.close();
    stillAtWork.cancel();
  };
  await iteration.start().catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return { close };
}

function makeWork<Payload>({ atOnce = 1 }: ConsumeOptions, handler: Handler<Payload>, { clock }: BusConnection) {
  const inHand = new Set<JsMsg>();
  const handle = async (message: JsMsg, failures: number): Promise<void> => {
    await handOut(message, failures, handler);
    inHand.delete(message);
  };
  return { inHand, work: new OrderedWork<JsMsg>({ clock, atOnce, handle }) };
}

async function handOut<Payload>(message: JsMsg, failures: number, handler: Handler<Payload>): Promise<void> {
  const deliveries = message.info.deliveryCount + failures;
  const given = { subject: message.subject, payload: payloadOf<Payload>(message), deliveries };
  await receiving(message.subject, traceOf(message.headers), () => handler(given));
  message.ack();
}

/** Returns null for invalid JSON, so that the handler skips the message instead of retrying it for ever. */
function payloadOf<Payload>({ data }: JsMsg): Payload {
  try {
    return decodePayload<Payload>(data);
  } catch {
    return null as Payload;
  }
}
