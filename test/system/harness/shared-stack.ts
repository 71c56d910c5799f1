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
}

/**
 * The stack that the whole run shares, with a new account. Segments last one second. A test must not stop, drain or
 * reconfigure it, and must not count resources of other accounts. Such a test uses `startStack`.
 */
export async function sharedStack(): Promise<SharedStack> {
  const { gateway, sfu, transcoder, ...rest } = JSON.parse(await sharedServer('STACK')) as SharedAddresses;
  // A failed test prints them, with lines that other files caused meanwhile.
  showLogs(rest.folder);
  const admin = new ApiClient(gateway, rest.adminToken);
  return {
    ...(await makeAccount(admin)),
    ...{ gateway: { url: gateway }, sfu: { url: sfu }, transcoder: { url: transcoder } },
    ...{ ...rest, admin },
  };
}
