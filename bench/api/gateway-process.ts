import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { freePort, startNats, startPostgres, waitFor, type BusService, type TestBusUser } from '@rtms/testing';

const run = promisify(execFile);

export interface RunningGateway {
  url: string;
  readonly pid: number;
  databaseUrl: string;
  /** The bus user of a service that the bench plays. */
  busUser(service: BusService): TestBusUser;
  /** Of the header Authorization. */
  authorization: string;
  adminToken: string;
  /** The owner of the demo account, in the dashboard. */
  signIn: { email: string; password: string };
  /** Stops the gateway as in operation; the servers keep running. Can be called twice. */
  stop(): Promise<void>;
  /** Kills the process with SIGKILL and starts it again. */
  crash(): Promise<void>;
  close(): Promise<void>;
}

interface Seeded {
  apiUserName: string;
  apiKey: string;
  signIn: RunningGateway['signIn'];
}

const rateLimitsOff = {
  LIMIT_ACTIVE_ROOMS: '1000000',
  LIMIT_SESSIONS_PER_ACCOUNT: '1000000',
  LIMIT_SESSIONS_PER_ROOM: '10000',
  RATE_LIMIT_KEY_READS: '0',
  RATE_LIMIT_KEY_WRITES: '0',
  RATE_LIMIT_ADDRESS_READS: '0',
  RATE_LIMIT_ADDRESS_WRITES: '0',
};

/**
 * A gateway by its ordinary entry point with PostgreSQL and NATS of its own; `nodeOptions` go before the entry point,
 * `changes` into its environment.
 */
export async function startGateway(
  nodeOptions: readonly string[] = [],
  changes: Record<string, string> = {},
): Promise<RunningGateway> {
  const [postgres, nats, port] = await Promise.all([startPostgres({ dedicated: true }), startNats(), freePort()]);
  const closeServers = () => Promise.all([nats.stop(), postgres.stop()]);
  try {
    const url = `http://127.0.0.1:${port}`;
    const adminToken = randomBytes(24).toString('base64url');
    const env = {
      ...environment(postgres.url),
      ...nats.environment('gateway'),
      RTMS_ADMIN_TOKEN: adminToken,
      PORT: String(port),
      PUBLIC_URL: url,
      ...changes,
    };
    await run(process.execPath, ['apps/gateway/dist/platform/database/migrate.js'], { env });
    const seed = await run(process.execPath, ['apps/gateway/dist/admin/cli/seed-demo.js'], { env });
    const { apiUserName, apiKey, signIn } = JSON.parse(seed.stdout) as Seeded;
    const options = { env, stdio: ['ignore', 'ignore', 'inherit'] as ['ignore', 'ignore', 'inherit'] };
    const start = () => spawn(process.execPath, [...nodeOptions, 'apps/gateway/dist/main.js'], options);
    let child = start();
    const stop = () => end(child);
    const begun = () =>
      untilReady(child, url).catch(async (error: unknown) => {
        await stop();
        throw error;
      });
    await begun();
    const crash = async () => {
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
      child = start();
      await begun();
    };
    const close = async () => {
      await stop();
      await closeServers();
    };
    const authorization = `Bearer ${apiUserName}:${apiKey}`;
    const made = { authorization, adminToken, signIn, busUser: (service: BusService) => nats.as(service) };
    return {
      ...{ url, databaseUrl: postgres.url, ...made, stop, crash, close },
      get pid() {
        return child.pid!;
      },
    };
  } catch (error) {
    await closeServers();
    throw error;
  }
}

function environment(databaseUrl: string): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: process.env['HOME'] ?? '/',
    NODE_ENV: 'production',
    DATABASE_URL: databaseUrl,
    RTMS_SECRET_KEY: randomBytes(32).toString('base64'),
    LOG_LEVEL: 'info',
    HOST: '127.0.0.1',
    ...rateLimitsOff,
  };
}

async function untilReady(child: ChildProcess, url: string): Promise<void> {
  const isReady = async (): Promise<boolean> => {
    if (child.exitCode !== null) throw new Error('the gateway has ended; run npm run build first');
    return (await fetch(`${url}/readyz`).catch(() => undefined))?.ok ?? false;
  };
  await waitFor(isReady, { timeoutMs: 60_000, what: 'the gateway to be ready' });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGINT'); // SIGTERM would first let load balancers notice
  await gone;
}
