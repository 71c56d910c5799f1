import { startPostgres } from '@rtms/testing';
import { migratedSchema, startTestGateway, type TestGateway, type TestGatewayOptions } from './start-test-gateway.js';

/** Two gateways on one database, like the replicas of a service. */
export class TestReplicas {
  private constructor(
    readonly gateway: TestGateway,
    readonly replica: TestGateway,
    readonly close: () => Promise<void>,
  ) {}

  static async start(options: Omit<TestGatewayOptions, 'databaseUrl'> = {}): Promise<TestReplicas> {
    const started: (() => Promise<void>)[] = [];
    const close = async (): Promise<void> => {
      for (const stop of started.splice(0).reverse()) await stop();
    };
    try {
      const postgres = await startPostgres({ template: migratedSchema });
      started.push(() => postgres.stop());
      const startOne = async (): Promise<TestGateway> => {
        const gateway = await startTestGateway({ ...options, databaseUrl: postgres.url });
        started.push(() => gateway.close());
        return gateway;
      };
      return new TestReplicas(await startOne(), await startOne(), close);
    } catch (error) {
      await close();
      throw error;
    }
  }
}
