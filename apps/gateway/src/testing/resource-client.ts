import type { Response } from 'supertest';
import type { TestAccount, TestGateway } from './start-test-gateway.js';

/** Calls one resource below `/v1` as one account. */
export class ResourceClient {
  constructor(
    private readonly gateway: TestGateway,
    private readonly path: string,
    private readonly account: TestAccount,
  ) {}

  as(account: TestAccount): ResourceClient {
    return new ResourceClient(this.gateway, this.path, account);
  }

  post(action: string, fields: object): Promise<Response> {
    const request = this.gateway.http.post(this.path).set('Authorization', this.account.authorization);
    return request.send({ action, ...fields });
  }

  get(query: object = {}): Promise<Response> {
    return this.gateway.http.get(this.path).set('Authorization', this.account.authorization).query(query);
  }
}

/** The status of an answer, and the reason of a failure. */
export function outcomeOf({ status, body }: Response): (string | number)[] {
  return [status, ...(typeof body.reason === 'string' ? [body.reason] : [])];
}
