import type { AddressInfo } from 'node:net';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Bus } from '@rtms/bus';
import type { Clock } from '@rtms/clock';
import { factMessageID, type Fact } from '@rtms/contracts';
import { answerBrokenRequests, takeUpgrades } from '@rtms/http';
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
import { AccountsService } from '../accounts/accounts.service.js';
import { ApiKeysService } from '../accounts/api-keys.service.js';
import type { KeyType } from '../auth/caller.js';
import { createGateway } from '../create-gateway.js';
import { AdvisoryLocks } from '../database/advisory-locks.service.js';
import { poolsOf } from '../database/connection-pools.js';
import { runMigrations } from '../database/run-migrations.js';
import { FactsConsumer, type FactOutcome } from '../facts/facts-consumer.service.js';
import type { GatewayConfig } from '../gateway.config.js';
import { audiences } from '../openapi/build-document.js';
import { OpenApiService } from '../openapi/openapi.service.js';
import { RoomSocketServer } from '../room-socket/room-socket-server.service.js';
import { checkAnswers, makeAnswerCheck, type AnswerCheck } from './answer-check.js';
import { settleQueries } from './settle-queries.js';

export const testAdminToken = 'an-administrator-token-for-tests';

/** An account with the header that its key makes. */
export interface TestAccount {
  accountID: string;
  apiUserName: string;
  apiKey: string;
  /** `Bearer <api-username>:<api-key>` */
  authorization: string;
}

/** A fact that the gateway took from the stream, and what became of it. */
export interface TakenFact {
  fact: Fact;
  outcome: FactOutcome;
}

/** Resolves once a gateway that adds to this log has applied or dropped the fact; a postponed fact comes again. */
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
  /** Facts from the stream that this gateway took since it started. */
  taken: EventLog<TakenFact>;
  makeAccount(type?: KeyType): Promise<TestAccount>;
  /** The account by its key of another type. */
  makeKey(account: TestAccount, type: KeyType): Promise<TestAccount>;
  /** Of the database as its owner: the gateway's own role may change rows only. */
  ownerUrl: string;
  /** Changes the database as its owner. */
  asOwner(statement: string, parameters?: unknown[]): Promise<void>;
  /** Resolves when the gateway has nothing in hand any more; a test looks for something that must not happen after it. */
  settled(): Promise<void>;
  /** As a gateway that stops in order; its servers stay. */
  stop(): Promise<void>;
  close(): Promise<void>;
}

/** Databases with the schema of today. */
export const migratedSchema: DatabaseTemplate = {
  name: 'gateway',
  fill: url => runMigrations({ url, servingUrl: asServingRole(url), waitMs: 30_000, log: { warn: () => undefined } }),
};

export interface TestGatewayOptions {
  config?: Partial<GatewayConfig>;
  bus?: Bus;
  /** Default: the system's. A manual clock goes on only when the gateway has nothing in hand. */
  clock?: Clock;
  /** Of an empty database, as its owner, or of a migrated one; without it the gateway gets one of its own. */
  databaseUrl?: string;
  /** Shared by gateways that share the facts; default: its own. */
  taken?: EventLog<TakenFact>;
  /** Where log lines go. Default: a test that fails prints the last ones. */
  logDestination?: CreateLoggerOptions['destination'];
}

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

/** The whole gateway on a real PostgreSQL and, unless one is given, a bus inside this process. */
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
  answerBrokenRequests(app.getHttpServer());
  const checks = answerChecks(app);
  const { drifts } = checkAnswers(app.getHttpServer(), checks);
  takeUpgrades(app.getHttpServer(), app.get(RoomSocketServer, { strict: false }));
  await app.listen(0, '127.0.0.1');
  app.get(FactsConsumer, { strict: false }).onTaken((fact, outcome) => taken.add({ fact, outcome }));
  const settle = (): Promise<boolean> =>
    settleQueries([...Object.values(poolsOf(app.get(DataSource))), app.get(AdvisoryLocks).pool]);
  await settle();
  // It holds up this process for longer than a connection to the database may take to open.
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
      if (drifts.length > 0) throw new Error(`Answers that the API's description does not have:\n${drifts.join('\n')}`);
    },
  };
}

/** The given one, brought to the schema of today, or one of its own, which stops with the gateway. */
async function openDatabase(url: string | undefined, log: Logger): Promise<Pick<TestPostgres, 'url' | 'stop'>> {
  if (url === undefined) return startPostgres({ template: migratedSchema });
  await runMigrations({ url, servingUrl: asServingRole(url), waitMs: 30_000, log });
  return { url, stop: () => Promise.resolve() };
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

/** All gateways of a process describe the same API: the checks come from the first one, once its controllers exist. */
let sharedChecks: AnswerCheck[] | undefined;

function answerChecks(app: NestExpressApplication): () => AnswerCheck[] {
  return () => {
    const openApi = app.get(OpenApiService, { strict: false });
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
