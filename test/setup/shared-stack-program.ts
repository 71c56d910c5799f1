// A running service that the files of a run share (see shared-stack.mjs). Prints its addresses as one line of JSON,
// and ends when its input does: with the run, however the run ends.
import { freePort, makeCertificates } from '@rtms/testing';
import { startStack, type Stack } from '../system/harness/stack.js';
import type { SharedAddresses } from '../system/harness/shared-stack.js';

/** Many files come from one address, with many broadcasts at a time. */
const env = {
  ...{ RATE_LIMIT_KEY_READS: '0', RATE_LIMIT_KEY_WRITES: '0', RATE_LIMIT_ADDRESS_HANDSHAKES: '0' },
  ...{ RATE_LIMIT_ADDRESS_READS: '0', RATE_LIMIT_ADDRESS_WRITES: '0', SIGN_IN_ATTEMPTS_ADDRESS: '10000' },
  ...{ MAX_BROADCASTS: '100', SEGMENT_SECONDS: '1', WINDOW_SEGMENTS: '20' },
  // Receivers of the tests listen on this machine.
  WEBHOOK_INSECURE_TARGETS: 'true',
};

/** The same with a node that encoders of SRT, RTMP and RTMPS publish to, and that calls encoders on this machine. */
const ingestEnv = { ...env, GRACE_SECONDS: '120', RESTREAM_PRIVATE_TARGETS: 'true', LIMIT_ENCODER_PLACES: '100' };

async function addIngest({ admin, addIngest }: Stack): Promise<{ pid: number }> {
  for (const feature of ['srt', 'rtmp', 'rtmps'])
    await admin.expect(200, 'PUT', '/admin/v1/features', { feature, enabled: true });
  const [rtmp, rtmps, srt] = [await freePort(), await freePort(), await freePort()];
  const certificates = makeCertificates('127.0.0.1');
  const { cert, key } = certificates.server;
  const { pid } = await addIngest('ingest-1', {
    ...{ RTMP_PORT: String(rtmp), SRT_PORTS: `${srt}-${srt + 19}` },
    ...{ RTMPS_PORT: String(rtmps), RTMPS_CERT_FILE: cert, RTMPS_KEY_FILE: key },
  });
  process.once('exit', () => certificates.remove());
  return { pid };
}

const hasIngest = process.argv.includes('ingest');
const stack = await startStack({ env: hasIngest ? ingestEnv : env });
const nodes = hasIngest && { ingest: await addIngest(stack) };
process.stdin.once('end', () => void stack.close().finally(() => process.exit())).resume();
const { gateway, sfu, transcoder, adminToken, databaseUrl, mediaDir, folder } = stack;
const addresses: SharedAddresses = {
  ...{ gateway: gateway.url, sfu: sfu.url, transcoder: transcoder.url },
  ...{ adminToken, databaseUrl, mediaDir, folder, ...nodes },
};
process.stdout.write(`${JSON.stringify(addresses)}\n`);
