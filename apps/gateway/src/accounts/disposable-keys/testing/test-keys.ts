import { ManualClock } from '@rtms/testing';
import type request from 'supertest';
import { DataSource } from 'typeorm';
import { startTestGateway, type TestAccount, type TestGateway } from '../../../testing/start-test-gateway.js';

export interface Issued {
  keyID: string;
  apiKey: string;
  apiUserName: string;
}

export const credential = ({ apiUserName, apiKey }: Issued): string => `Bearer ${apiUserName}:${apiKey}`;

/** A gateway with an account that creates disposable keys. */
export class TestKeys {
  /** Makes the names of keys unique. */
  made = 0;

  private constructor(
    readonly clock: ManualClock,
    readonly gateway: TestGateway,
    /** The owner with the sandbox key. */
    public owner: TestAccount,
    /** The owner with the production key. */
    public production: TestAccount,
  ) {}

  static async open(): Promise<TestKeys> {
    const clock = new ManualClock();
    const gateway = await startTestGateway({ clock });
    const owner = await gateway.makeAccount();
    return new TestKeys(clock, gateway, owner, await gateway.makeKey(owner, 'production'));
  }

  async renewOwner(): Promise<void> {
    this.owner = await this.gateway.makeAccount();
    this.production = await this.gateway.makeKey(this.owner, 'production');
  }

  post(body: object, authorization = this.owner.authorization): request.Test {
    return this.gateway.http.post('/v1/disposable-keys').set('Authorization', authorization).send(body);
  }

  get(query: object = {}, authorization = this.owner.authorization): request.Test {
    return this.gateway.http.get('/v1/disposable-keys').set('Authorization', authorization).query(query);
  }

  /** Reads the rooms, which a key of `create` may read by default. */
  rooms(key: Issued, headers: Record<string, string> = {}): request.Test {
    return this.gateway.http.get('/v1/rooms').set({ Authorization: credential(key), ...headers });
  }

  fields(changes: object = {}): Record<string, unknown> {
    return {
      action: 'create',
      name: `widget ${(this.made += 1)}`,
      type: 'sandbox',
      operations: ['readRooms'],
      ...changes,
    };
  }

  async create(changes: object = {}, authorization = this.owner.authorization): Promise<Issued> {
    const { body } = await this.post(this.fields(changes), authorization).expect(201);
    return body.disposableKey as Issued;
  }

  date(fromNowMs: number): Date {
    return new Date(this.clock.now() + fromNowMs);
  }

  query(statement: string, ...values: unknown[]): Promise<unknown> {
    return this.gateway.app.get(DataSource).query(statement, values);
  }

  close(): Promise<void> {
    return this.gateway.close();
  }
}
