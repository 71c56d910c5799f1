import { connect, errors, type NatsConnection } from '@nats-io/transport-node';
import { EventLog, type BusService, type TestNats } from '@rtms/testing';

/** A program that has a service's password and does what it likes with it. */
export class RawClient {
  /** Subjects that it was refused. */
  readonly violations = new EventLog<string>();

  private constructor(private readonly connection: NatsConnection) {
    void this.follow();
  }

  static async as(nats: TestNats, service: BusService): Promise<RawClient> {
    const { url, user, password } = nats.as(service);
    return new RawClient(await connect({ servers: url, user, pass: password, inboxPrefix: `_INBOX_${service}` }));
  }

  /** Whether the server lets it through; what it brings about is another matter. */
  async maySend(subject: string, reply?: string): Promise<boolean> {
    const before = this.violations.length;
    this.connection.publish(subject, '{}', reply === undefined ? {} : { reply });
    await this.untilAnswered();
    return this.violations.length === before;
  }

  async mayHear(subject: string): Promise<boolean> {
    const before = this.violations.length;
    const subscription = this.connection.subscribe(subject, { callback: () => undefined });
    await this.untilAnswered();
    const may = this.violations.length === before;
    if (may) subscription.unsubscribe();
    return may;
  }

  /** Answers each message on `subject` where the message says. */
  async answer(subject: string, payload: string): Promise<void> {
    this.connection.subscribe(subject, { callback: (error, message) => void (!error && message.respond(payload)) });
    await this.connection.flush();
  }

  async close(): Promise<void> {
    await this.connection.close();
  }

  /** What the server refuses it says before it answers a ping; our own loop hears of it a moment later. */
  private async untilAnswered(): Promise<void> {
    await this.connection.flush();
    await new Promise(setImmediate);
  }

  private async follow(): Promise<void> {
    for await (const status of this.connection.status()) {
      if (status.type !== 'error' || !(status.error instanceof errors.PermissionViolationError)) continue;
      this.violations.add(status.error.subject);
    }
  }
}
