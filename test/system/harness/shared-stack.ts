import { sharedServer, showLogs } from '@rtms/testing';
import { makeAccount, type Account } from './account.js';
import { ApiClient } from './api-client.js';

/** As the program that runs the shared stack prints them. */
export interface SharedAddresses {
  gateway: string;
  sfu: string;
  transcoder: string;
  adminToken: string;
  databaseUrl: string;
  mediaDir: string;
  folder: string;
  ingest?: { pid: number };
}

export interface SharedStack extends Account {
  gateway: { url: string };
  sfu: { url: string };
  transcoder: { url: string };
  /** With the administrator's token. */
  admin: ApiClient;
  adminToken: string;
  databaseUrl: string;
  /** Segments and work files of the transcoder, also those of other files. */
  mediaDir: string;
  /** Logs of the services. */
  folder: string;
  /** The node of `sharedIngestStack`. */
  ingest?: { pid: number };
}

/**
 * The stack that the whole run shares, with a new account. Segments last one second. A test must not stop, drain or
 * reconfigure it, and must not count resources of other accounts. Such a test uses `startStack`.
 */
export function sharedStack(): Promise<SharedStack> {
  return withAccount('STACK');
}

/** Another one, with an ingest node for SRT, RTMP and RTMPS. The same rules hold. */
export async function sharedIngestStack(): Promise<Required<SharedStack>> {
  const { ingest, ...stack } = await withAccount('INGEST');
  if (!ingest) throw new Error('the shared stack has no ingest node');
  return { ...stack, ingest };
}

async function withAccount(name: 'STACK' | 'INGEST'): Promise<SharedStack> {
  const { gateway, sfu, transcoder, ...rest } = JSON.parse(await sharedServer(name)) as SharedAddresses;
  // A failed test prints them, with lines that other files caused meanwhile.
  showLogs(rest.folder);
  const admin = new ApiClient(gateway, rest.adminToken);
  return {
    ...(await makeAccount(admin)),
    ...{ gateway: { url: gateway }, sfu: { url: sfu }, transcoder: { url: transcoder } },
    ...{ ...rest, admin },
  };
}
