import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { discardLogs, freePort, showLogs, startNats, startPostgres, type TestCertificates } from '@rtms/testing';
import { ApiClient } from './api-client.js';
import { secureLinks } from './secured-links.js';
import { ServiceProcess, type ServiceOptions } from './service-process.js';

type BusService = 'gateway' | 'sfu' | 'transcoder';

const run = promisify(execFile);

export interface Stack {
  gateway: ServiceProcess;
  sfu: ServiceProcess;
  transcoder: ServiceProcess;
  nats: Awaited<ReturnType<typeof startNats>>;
  postgres: Awaited<ReturnType<typeof startPostgres>>;
  databaseUrl: string;
  api: ApiClient;
  adminToken: string;
  /** Of the dashboard's users. */
  signIn: DashboardUsers;
  /** Where segments and work files of the transcoder are. */
  mediaDir: string;
  /** Logs of the services. */
  folder: string;
  /** One more media node, which ends with the stack. */
  addSfu(nodeID: string, env?: Record<string, string>): Promise<ServiceProcess>;
  addTranscoder(nodeID: string, env?: Record<string, string>): Promise<ServiceProcess>;
  close(): Promise<void>;
}

/** The owner of the demo account and an administrator of the platform. */
export interface DashboardUsers {
  email: string;
  password: string;
  adminEmail: string;
  adminPassword: string;
}

interface Seeded {
  apiUserName: string;
  apiKey: string;
  signIn: DashboardUsers;
}

export interface StackOptions {
  /** Further environment of all three services. */
  env?: Record<string, string>;
  /** A PostgreSQL of the stack's own, to be stopped and started. */
  dedicatedPostgres?: boolean;
  /** Each service has the process id 1 in a namespace of its own, as in a container. */
  areFirstProcesses?: boolean;
  /** TLS on every link: HTTP, NATS (which asks for certificates as well) and a dedicated PostgreSQL. */
  certificates?: TestCertificates;
}

/** Real PostgreSQL and NATS and the three services by their ordinary entry points, on ports of their own. */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const folder = await mkdtemp(join(tmpdir(), 'rtms-stack-'));
  showLogs(folder);
  const { secured, nats, postgres, bus } = await startServers(folder, options);
  const databaseUrl = await postgres.createDatabase();
  const adminToken = randomBytes(24).toString('base64url');
  const common = {
    DATABASE_URL: databaseUrl,
    RTMS_SECRET_KEY: randomBytes(32).toString('base64'),
    RTMS_ADMIN_TOKEN: adminToken,
    LOG_LEVEL: 'info',
    HOST: '127.0.0.1',
    ...secured?.environment,
    ...options.env,
  };
  const service = serviceFactory(folder, common, {
    isFirstProcess: options.areFirstProcesses ?? false,
    ...(secured && { fetch: secured.fetch }),
  });
  const mediaDir = join(folder, 'media');
  const gateway = await service('gateway', bus('gateway'));
  const makeSfu = (nodeID: string, env: Record<string, string> = {}): Promise<ServiceProcess> =>
    service('sfu', { ...bus('sfu'), RTMS_NODE_ID: nodeID, RTC_PORT: '0', SFU_WORKERS: '1', ...env });
  const sfu = await makeSfu('sfu-1');
  const makeTranscoder = (nodeID: string, env: Record<string, string>): Promise<ServiceProcess> =>
    service('transcoder', { ...bus('transcoder'), RTMS_NODE_ID: nodeID, ...env });
  const transcoder = await makeTranscoder('transcoder-1', { MEDIA_DIR: mediaDir });
  const programs = { ...process.env, ...common, ...bus('gateway') };
  await run(process.execPath, ['apps/gateway/dist/database/migrate.js'], { env: programs });
  const seed = await run(process.execPath, ['apps/gateway/dist/cli/seed-demo.js'], { env: programs });
  const { apiUserName, apiKey, signIn } = JSON.parse(seed.stdout) as Seeded;
  const services = [gateway, sfu, transcoder];
  await Promise.all(services.map(each => each.start()));
  const startAlso = async (added: ServiceProcess): Promise<ServiceProcess> => {
    services.push(added);
    await added.start();
    return added;
  };
  return {
    gateway,
    sfu,
    transcoder,
    nats,
    postgres,
    databaseUrl,
    adminToken,
    signIn,
    mediaDir,
    folder,
    api: new ApiClient(gateway.url, `${apiUserName}:${apiKey}`, {}, secured?.fetch),
    addSfu: async (nodeID, env) => startAlso(await makeSfu(nodeID, env)),
    addTranscoder: async (nodeID, env) =>
      startAlso(await makeTranscoder(nodeID, { MEDIA_DIR: join(folder, nodeID), ...env })),
    close: async () => {
      await Promise.all(services.map(each => each.stop()));
      await nats.stop();
      await postgres.stop();
      await discardLogs(folder);
    },
  };
}

/** PostgreSQL and NATS, and how each service gets to the bus. */
async function startServers(folder: string, { certificates, dedicatedPostgres = false }: StackOptions) {
  const secured = certificates && (await secureLinks(folder, certificates));
  const nats = await startNats({ args: secured?.natsArguments ?? [] });
  const postgres = await startPostgres({ dedicated: dedicatedPostgres || certificates !== undefined });
  if (certificates) await postgres.speakTls(certificates.server);
  const bus = (service: BusService): Record<string, string> =>
    secured?.busEnvironment(service, nats) ?? nats.environment(service);
  return { secured, nats, postgres, bus };
}

type ServiceFactory = (name: string, env: Record<string, string>) => Promise<ServiceProcess>;

function serviceFactory(
  folder: string,
  common: Record<string, string>,
  kind: Pick<ServiceOptions, 'isFirstProcess' | 'fetch'>,
): ServiceFactory {
  return async (name, env) => {
    const port = await freePort();
    const url = `${kind.fetch ? 'https' : 'http'}://127.0.0.1:${port}`;
    return new ServiceProcess({
      name,
      url,
      entryPoint: `apps/${name}/dist/main.js`,
      logFile: join(folder, `${name}.log`),
      env: { ...common, PORT: String(port), PUBLIC_URL: url, INTERNAL_URL: url, ...env },
      ...kind,
    });
  };
}
