import { writeFileSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestCertificates, TestNats } from '@rtms/testing';
import { trustingFetch, type Fetch } from './trusting-fetch.js';

type BusService = Parameters<TestNats['environment']>[0];

/** TLS between the parts of a stack, as the page on TLS describes it. */
export interface SecuredLinks {
  natsArguments: string[];
  /** Of every service. */
  environment: Record<string, string>;
  /** The password is in the file `<service>.nats-password` of the stack's folder. */
  busEnvironment(service: BusService, nats: TestNats): Record<string, string>;
  /** For clients. */
  fetch: Fetch;
}

/** The services and NATS serve by `server.pem` and `server.key` of the stack's folder, so that a test may replace them. */
export async function secureLinks(folder: string, certificates: TestCertificates): Promise<SecuredLinks> {
  const { ca, server, client } = certificates;
  const [cert, key] = [join(folder, 'server.pem'), join(folder, 'server.key')];
  await Promise.all([copyFile(server.cert, cert), copyFile(server.key, key)]);
  return {
    natsArguments: ['--tlsverify', '--tlscert', cert, '--tlskey', key, '--tlscacert', ca],
    environment: {
      ...{ TLS_CERT_FILE: cert, TLS_KEY_FILE: key, NODE_EXTRA_CA_CERTS: ca, DATABASE_CA_FILE: ca },
      ...{ NATS_CA_FILE: ca, NATS_CERT_FILE: client.cert, NATS_KEY_FILE: client.key },
    },
    busEnvironment: (service, nats) => {
      const { NATS_URL, NATS_USER, NATS_PASSWORD } = nats.environment(service);
      const file = join(folder, `${service}.nats-password`);
      writeFileSync(file, NATS_PASSWORD, { mode: 0o600 });
      const url = NATS_URL.replace('nats://127.0.0.1', 'tls://localhost');
      return { NATS_URL: url, NATS_USER, NATS_PASSWORD_FILE: file };
    },
    fetch: trustingFetch(ca),
  };
}
