import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isIP } from 'node:net';
import { basename, join } from 'node:path';

/** PEM files of a CA and two certificates: a server at `localhost`, 127.0.0.1 and further addresses or names, and a client. */
export interface TestCertificates {
  ca: string;
  server: { cert: string; key: string };
  client: { cert: string; key: string };
  /** Issues another server certificate. */
  renew(): { cert: string; key: string };
  remove(): void;
}

const keyOptions = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

export function makeCertificates(...addresses: readonly string[]): TestCertificates {
  const directory = mkdtempSync(join(tmpdir(), `rtms-test-certificates-${process.pid}-`));
  const path = (name: string): string => join(directory, name);
  const openssl = (...args: string[]): unknown => execFileSync('openssl', args, { stdio: 'ignore' });
  const authority = ['-keyout', path('ca.key'), '-out', path('ca.pem')];
  openssl('req', '-x509', ...keyOptions, ...authority, '-days', '2', '-subj', `/CN=Test CA ${basename(directory)}`);
  const issue = (name: string): { cert: string; key: string } => {
    const pair = { cert: path(`${name}.pem`), key: path(`${name}.key`) };
    openssl('req', ...keyOptions, '-keyout', pair.key, '-out', path('request'), '-subj', `/CN=${name}`);
    const names = ['localhost', '127.0.0.1', ...addresses].map(each => `${isIP(each) ? 'IP' : 'DNS'}:${each}`);
    writeFileSync(path('names'), `subjectAltName=${names.join()}\n`);
    const signer = ['-CA', path('ca.pem'), '-CAkey', path('ca.key'), '-CAcreateserial'];
    const what = ['-in', path('request'), '-out', pair.cert, '-days', '2', '-extfile', path('names')];
    openssl('x509', '-req', ...what, ...signer);
    return pair;
  };
  return {
    ca: path('ca.pem'),
    server: issue('server'),
    client: issue('client'),
    renew: () => issue('renewed'),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}
