import { connect, errors, type NatsConnection } from '@nats-io/transport-node';
import { EventLog, type BusService, type TestNats } from '@rtms/testing';

/** A malicious program with the password of a service. */
export class RawClient {
  /** Subjects that the server refused. */
  readonly violations = new EventLog<string>();

  private constructor(private readonly connection: NatsConnection) {
    void this.follow();
  }

  static async as(nats: TestNats, service: BusService): Promise<RawClient> {
    const { url, user, password } = nats.as(service);
    return new RawClient(await connect({ servers: url, user, pass: password, inboxPrefix: `_INBOX_${service}` }));
  }

  /** Whether the server accepts a message at the subject. The message may still have no effect. */
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

  /** Answers each message on `subject` at its reply subject. */
  async answer(subject: string, payload: string): Promise<void> {
    this.connection.subscribe(subject, { callback: (error, message) => void (!error && message.respond(payload)) });
    await this.connection.flush();
  }

  async close(): Promise<void> {
    await this.connection.close();
  }

  /** The server sends a refusal before the reply to a ping. The client reports it a moment later. */
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
