import type { AddressInfo } from 'node:net';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Bus } from '@rtms/bus';
import type { Clock } from '@rtms/clock';
import { factMessageID, type Fact } from '@rtms/contracts';
import { answerBrokenRequests, takeUpgrades, type Resolve } from '@rtms/http';
import { createLogger, type CreateLoggerOptions, type Logger } from '@rtms/logging';
import {
  asServingRole,
  EventLog,
  ManualClock,
  memoryBus,
  shownLog,
  startPostgres,
  type DatabaseTemplate,
  type TestPostgres,
} from '@rtms/testing';
import pg from 'pg';
import supertest from 'supertest';
import { DataSource } from 'typeorm';
import { AccountsService } from '../accounts/account/accounts.service.js';
import { ApiKeysService } from '../accounts/keys/api-keys.service.js';
import type { KeyType } from '../platform/auth/caller.js';
import { createGateway } from '../create-gateway.js';
import { AdvisoryLocksService } from '../platform/database/advisory-locks.service.js';
import { poolsOf } from '../platform/database/connection-pools.js';
import { runMigrations } from '../platform/database/run-migrations.js';
import { WebhookSenderService } from '../events/deliveries/webhook-sender.service.js';
import { FactsConsumer, type FactOutcome } from '../media/facts/facts-consumer.js';
import type { GatewayConfig } from '../gateway.config.js';
import { audiences } from '../platform/openapi/document.js';
import { OpenApiController } from '../platform/openapi/openapi.controller.js';
import { RoomSocketServer } from '../rooms/socket/room-socket-server.js';
import { checkAnswers, makeAnswerCheck, type AnswerCheck } from './answer-check.js';
import { settleQueries } from './settle-queries.js';

export const testAdminToken = 'an-administrator-token-for-tests';

/** An account with a key and its Authorization header. */
export interface TestAccount {
  accountID: string;
  apiUserName: string;
  apiKey: string;
  /** `Bearer <api-username>:<api-key>` */
  authorization: string;
}

/** A fact that the gateway consumed, with its outcome. */
export interface TakenFact {
  fact: Fact;
  outcome: FactOutcome;
}

/** Resolves after a gateway with this log has applied or dropped the fact. A postponed fact is delivered again. */
export async function factTaken(log: EventLog<TakenFact>, fact: Fact): Promise<void> {
  const messageID = factMessageID(fact);
  await log.find(taken => taken.outcome !== 'postponed' && factMessageID(taken.fact) === messageID);
}

export interface TestGateway {
  app: NestExpressApplication;
  bus: Bus;
  config: GatewayConfig;
  url: string;
  http: ReturnType<typeof supertest>;
  /** The facts that this gateway has consumed. */
  taken: EventLog<TakenFact>;
  makeAccount(type?: KeyType): Promise<TestAccount>;
  /** Creates a key of another type for the account. */
  makeKey(account: TestAccount, type: KeyType): Promise<TestAccount>;
  /** The URL of the database for its owner. The gateway's own role may only change rows. */
  ownerUrl: string;
  /** Changes the database as its owner. */
  asOwner(statement: string, parameters?: unknown[]): Promise<void>;
  /** Resolves when the gateway is idle. After it a test can check that something did not happen. */
  settled(): Promise<void>;
  /** Stops the gateway in order. Its servers stay. */
  stop(): Promise<void>;
  close(): Promise<void>;
}

/** A database template with all migrations. */
export const migratedSchema: DatabaseTemplate = {
  name: 'gateway',
  fill: url => runMigrations({ url, servingUrl: asServingRole(url), waitMs: 30_000, log: { warn: () => undefined } }),
};

export interface TestGatewayOptions {
  config?: Partial<GatewayConfig>;
  bus?: Bus;
  /** Default: the system clock. A manual clock moves only while the gateway is idle. */
  clock?: Clock;
  /** The owner's URL of an empty or migrated database. Default: a database of its own. */
  databaseUrl?: string;
  /** A log that several gateways share. Default: a log of its own. */
  taken?: EventLog<TakenFact>;
  /** Resolves the hosts of webhooks. Default: fails, so that no test asks a DNS server. */
  resolve?: Resolve;
  /** The destination of log lines. Default: a failing test prints the last lines. */
  logDestination?: CreateLoggerOptions['destination'];
}

const refuseNames: Resolve = host => Promise.reject(new Error(`a test must not resolve ${host}`));

export function testConfig(databaseUrl: string, changes: Partial<GatewayConfig> = {}): GatewayConfig {
  return {
    databaseUrl,
    bus: { url: 'nats://unused' },
    host: '127.0.0.1',
    port: 0,
    publicUrl: 'http://gateway.test',
    logLevel: 'info',
    nodeID: 'gateway-test',
    secretKey: Buffer.alloc(32, 7),
    adminToken: testAdminToken,
    graceSeconds: 30,
    tokenTtlSeconds: 300,
    reconcileSeconds: 10,
    sweepSeconds: 1,
    ...changes,
  };
}

/** Starts the whole gateway on a real PostgreSQL and, by default, on a bus in this process. */
export async function startTestGateway(options: TestGatewayOptions = {}): Promise<TestGateway> {
  const { clock, logDestination = shownLog('gateway'), taken = new EventLog<TakenFact>() } = options;
  const logger = createLogger({
    service: 'gateway',
    level: options.config?.logLevel ?? 'info',
    destination: logDestination,
  });
  const database = await openDatabase(options.databaseUrl, logger);
  const config = testConfig(asServingRole(database.url), options.config);
  const bus = options.bus ?? (await memoryBus(clock));
  const app = await createGateway({ config, bus, logger, ...(clock && { clock }) });
  app.get(WebhookSenderService, { strict: false }).network.resolve = options.resolve ?? refuseNames;
  answerBrokenRequests(app.getHttpServer());
  const checks = answerChecks(app);
  const { drifts } = checkAnswers(app.getHttpServer(), checks);
  takeUpgrades(app.getHttpServer(), app.get(RoomSocketServer, { strict: false }));
  const pools = adaptPools(app);
  await app.listen(0, '127.0.0.1');
  app.get(FactsConsumer, { strict: false }).onTaken((fact, outcome) => taken.add({ fact, outcome }));
  const settle = (): Promise<boolean> => settleQueries(pools);
  await settle();
  // The check blocks this process for longer than the timeout of a database connection, so it runs before the tests.
  checks();
  const leave = clock instanceof ManualClock ? clock.join(settle) : undefined;
  let stopping: Promise<void> | undefined;
  const stop = (): Promise<void> => (stopping ??= app.close().finally(() => leave?.()));
  const url = `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`;
  return {
    app,
    bus,
    config,
    url,
    http: supertest(url),
    taken,
    makeAccount: type => makeAccount(app, type),
    makeKey: (account, type) => makeKey(app, account, type),
    ownerUrl: database.url,
    asOwner: (statement, parameters = []) => runOnce(database.url, statement, parameters),
    settled: () => settle().then(() => undefined),
    stop,
    async close() {
      await stop();
      if (options.bus === undefined) await bus.close();
      await database.stop();
      if (drifts.length > 0)
        throw new Error(`Answers that the API's document does not describe:\n${drifts.join('\n')}`);
    },
  };
}

/** Migrates the given database, or starts one that stops with the gateway. */
async function openDatabase(url: string | undefined, log: Logger): Promise<Pick<TestPostgres, 'url' | 'stop'>> {
  if (url === undefined) return startPostgres({ template: migratedSchema });
  await runMigrations({ url, servingUrl: asServingRole(url), waitMs: 30_000, log });
  return { url, stop: () => Promise.resolve() };
}

/**
 * Each connection has caches of its own, and costs PostgreSQL as much CPU as a fifth of a gateway's start. A gateway that starts would
 * open all that its background may have.
 */
const backgroundConnections = 2;

/** Returns the connection pools of a gateway. On a busy machine PostgreSQL answers later than callers of a service wait. */
function adaptPools(app: NestExpressApplication): pg.Pool[] {
  const { requests, background } = poolsOf(app.get(DataSource));
  background.options.max = backgroundConnections;
  const pools = [requests, background, app.get(AdvisoryLocksService).pool];
  for (const { options } of pools) Object.assign(options, { connectionTimeoutMillis: 60_000, query_timeout: 60_000 });
  return pools;
}

async function runOnce(url: string, statement: string, parameters: unknown[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement, parameters);
  } finally {
    await client.end();
  }
}

/** All gateways of a process describe the same API, so they share the checks of the first gateway. */
let sharedChecks: AnswerCheck[] | undefined;

function answerChecks(app: NestExpressApplication): () => AnswerCheck[] {
  return () => {
    const openApi = app.get(OpenApiController, { strict: false });
    sharedChecks ??= audiences.map(audience => makeAnswerCheck(openApi.document(audience)));
    return sharedChecks;
  };
}

async function makeAccount(app: NestExpressApplication, type: KeyType = 'sandbox'): Promise<TestAccount> {
  const { id, apiUserName } = await app.get(AccountsService, { strict: false }).create('Test');
  return makeKey(app, { accountID: id, apiUserName }, type);
}

async function makeKey(
  app: NestExpressApplication,
  { accountID, apiUserName }: Pick<TestAccount, 'accountID' | 'apiUserName'>,
  type: KeyType,
): Promise<TestAccount> {
  const { apiKey } = await app.get(ApiKeysService, { strict: false }).create(accountID, type);
  return { accountID, apiUserName, apiKey, authorization: `Bearer ${apiUserName}:${apiKey}` };
}

/** Two gateways on one database, like the replicas of a service. */
export class TestReplicas {
  private constructor(
    readonly gateway: TestGateway,
    readonly replica: TestGateway,
    readonly bus: Bus,
    readonly close: () => Promise<void>,
  ) {}

  static async start(options: Omit<TestGatewayOptions, 'databaseUrl' | 'bus'> = {}): Promise<TestReplicas> {
    const started: (() => Promise<void>)[] = [];
    const close = async (): Promise<void> => {
      for (const stop of started.splice(0).reverse()) await stop();
    };
    try {
      const postgres = await startPostgres({ template: migratedSchema });
      started.push(() => postgres.stop());
      const bus = await memoryBus(options.clock);
      started.push(() => bus.close());
      const startOne = async (): Promise<TestGateway> => {
        const gateway = await startTestGateway({ ...options, bus, databaseUrl: postgres.url });
        started.push(() => gateway.close());
        return gateway;
      };
      return new TestReplicas(await startOne(), await startOne(), bus, close);
    } catch (error) {
      await close();
      throw error;
    }
  }
}
