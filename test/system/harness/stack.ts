import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  asServingRole,
  discardLogs,
  freePort,
  showLogs,
  startNats,
  startPostgres,
  type DatabaseTemplate,
  type TestCertificates,
} from '@rtms/testing';
import { makeAccount, type Account } from './account.js';
import { ApiClient } from './api-client.js';
import { secureLinks } from './secured-links.js';
import { ServiceProcess, type ServiceOptions } from './service-process.js';

type BusService = 'gateway' | 'sfu' | 'transcoder' | 'ingest';

const run = promisify(execFile);

export interface Stack extends Account {
  gateway: ServiceProcess;
  sfu: ServiceProcess;
  transcoder: ServiceProcess;
  nats: Awaited<ReturnType<typeof startNats>>;
  postgres: Awaited<ReturnType<typeof startPostgres>>;
  /** With the role of the gateways. */
  databaseUrl: string;
  adminToken: string;
  /** With the administrator's token. */
  admin: ApiClient;
  /** Segments and work files of the transcoder. */
  mediaDir: string;
  /** Logs of the services. */
  folder: string;
  /** One more media node, which ends with the stack. */
  addSfu(nodeID: string, env?: Record<string, string>): Promise<ServiceProcess>;
  addTranscoder(nodeID: string, env?: Record<string, string>): Promise<ServiceProcess>;
  /** `env` names the ports of the protocols that it speaks. */
  addIngest(nodeID: string, env: Record<string, string>): Promise<ServiceProcess>;
  close(): Promise<void>;
}

export interface StackOptions {
  /** Further environment of all three services. */
  env?: Record<string, string>;
  /** The stack's own PostgreSQL, which a test may stop and start. */
  dedicatedPostgres?: boolean;
  /** Each service has the process id 1 in a namespace of its own, as in a container. */
  areFirstProcesses?: boolean;
  /** TLS on every link: HTTP, NATS (which asks for certificates as well) and a dedicated PostgreSQL. */
  certificates?: TestCertificates;
}

/**
 * Real PostgreSQL and NATS and the three services by their ordinary entry points, on ports of their own. For tests
 * that break, stop, drain or reconfigure a service; others use `sharedStack`.
 */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const folder = await mkdtemp(join(tmpdir(), `rtms-test-stack-${process.pid}-`));
  showLogs(folder);
  const { secured, nats, postgres, bus } = await startServers(folder, options);
  const common = {
    DATABASE_URL: asServingRole(postgres.url),
    RTMS_SECRET_KEY: randomBytes(32).toString('base64'),
    RTMS_ADMIN_TOKEN: randomBytes(24).toString('base64url'),
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
  const makeSfu = (nodeID: string, env: Record<string, string> = {}): Promise<ServiceProcess> =>
    service('sfu', { ...bus('sfu'), RTMS_NODE_ID: nodeID, RTC_PORT: '0', SFU_WORKERS: '1', ...env });
  const makeTranscoder = (nodeID: string, env: Record<string, string>): Promise<ServiceProcess> =>
    service('transcoder', { ...bus('transcoder'), RTMS_NODE_ID: nodeID, ...env });
  const [gateway, sfu, transcoder] = await Promise.all([
    service('gateway', bus('gateway')),
    makeSfu('sfu-1'),
    makeTranscoder('transcoder-1', { MEDIA_DIR: mediaDir }),
  ]);
  const services = [gateway, sfu, transcoder];
  const startAlso = async (added: ServiceProcess): Promise<ServiceProcess> => {
    services.push(added);
    await added.start();
    return added;
  };
  const close = async (): Promise<void> => {
    await Promise.all(services.map(each => each.stop()));
    await nats.stop();
    await postgres.stop();
    await discardLogs(folder);
  };
  try {
    if (options.env?.['DATABASE_URL'] !== undefined) await runMigrations(options.env);
    await Promise.all([gateway, sfu, transcoder].map(each => each.start()));
    const admin = new ApiClient(gateway.url, common.RTMS_ADMIN_TOKEN, {}, secured?.fetch);
    return {
      ...(await makeAccount(admin, 'demo')),
      ...{ gateway, sfu, transcoder, nats, postgres, admin, mediaDir, folder, close },
      ...{ databaseUrl: common.DATABASE_URL, adminToken: common.RTMS_ADMIN_TOKEN },
      addSfu: async (nodeID, env) => startAlso(await makeSfu(nodeID, env)),
      addTranscoder: async (nodeID, env) =>
        startAlso(await makeTranscoder(nodeID, { MEDIA_DIR: join(folder, nodeID), ...env })),
      addIngest: async (nodeID, env) =>
        startAlso(
          await service('ingest', {
            ...bus('ingest'),
            RTMS_NODE_ID: nodeID,
            RTMP_PORT: 'off',
            SRT_PORTS: 'off',
            ...env,
          }),
        ),
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The name of the e2e tests, because the files of a run share the template. */
export const migrated: DatabaseTemplate = { name: 'gateway', fill: migrate };

function migrate(url: string): Promise<void> {
  return runMigrations({ DATABASE_URL: asServingRole(url), DATABASE_OWNER_URL: url });
}

async function runMigrations(variables: Record<string, string>): Promise<void> {
  const env = { ...process.env, ...variables };
  await run(process.execPath, ['apps/gateway/dist/platform/database/migrate.js'], { env });
}

/** PostgreSQL and NATS, with each service's access to the bus. */
async function startServers(folder: string, { certificates, dedicatedPostgres = false }: StackOptions) {
  const secured = certificates && (await secureLinks(folder, certificates));
  const [nats, postgres] = await Promise.all([
    startNats({ args: secured?.natsArguments ?? [] }),
    startPostgres({ dedicated: dedicatedPostgres || certificates !== undefined, template: migrated }),
  ]);
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
