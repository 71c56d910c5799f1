import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { installation, loadConfig, z, type Environment } from '@rtms/config';
import type { AdminClientOptions } from './admin-client.js';

const environment = z.object({
  RTMS_ADMIN_URL: z.string().min(1).default('http://127.0.0.1:4000'),
  RTMS_ADMIN_TOKEN: z.string().min(1),
});
const choice = z.object({
  RTMS_ADMIN_URL: z.string().optional(),
  RTMS_ADMIN_TOKEN: z.string().optional(),
  RTMS_HOME: z.string().optional(),
});
const readyFile = z.object({ gateway: z.url(), adminToken: z.string().min(1) });

/** Address and token of the gateway: of the environment, else of the running `npm start`. */
export function findGateway(env?: Environment, root = installation.root): AdminClientOptions {
  const given = loadConfig(choice, env);
  const isLocal = given.RTMS_ADMIN_URL === undefined && given.RTMS_ADMIN_TOKEN === undefined;
  const file = join(given.RTMS_HOME ? resolve(given.RTMS_HOME) : join(root, '.rtms'), 'ready.json');
  if (isLocal && existsSync(file)) {
    const { gateway: url, adminToken: token } = readyFile.parse(JSON.parse(readFileSync(file, 'utf8')));
    return { url, token };
  }
  if (isLocal)
    throw new Error(`Set RTMS_ADMIN_URL and RTMS_ADMIN_TOKEN, or run npm start, which writes them to ${file}.`);
  const { RTMS_ADMIN_URL: url, RTMS_ADMIN_TOKEN: token } = loadConfig(environment, env);
  return { url, token };
}
