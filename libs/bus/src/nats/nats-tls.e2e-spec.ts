/** @weight 0.1 for 12 s */
import { systemClock } from '@rtms/clock';
import { makeCertificates, startNats, type TestCertificates, type TestNats } from '@rtms/testing';
import { BusRefusedError, NatsBus } from '../index.js';
import type { NatsAddress } from './nats-connection.js';
import { failureOf } from '../testing/two-buses.js';
import { findTlsRefusal } from './tls-refusal.js';

describe('NATS over TLS', () => {
  let ours: TestCertificates;
  let others: TestCertificates;
  beforeAll(() => {
    [ours, others] = [makeCertificates(), makeCertificates()];
  });
  afterAll(() => {
    ours.remove();
    others.remove();
  });

  const attempt = async (nats: TestNats, tls: Partial<NatsAddress>): Promise<string> => {
    const address = {
      ...nats.as('gateway'),
      url: nats.url.replace('nats://127.0.0.1', 'tls://localhost'),
      name: 'spec',
    };
    const outcome = await failureOf(NatsBus.connect({ ...address, ...tls }).then(bus => bus.close()));
    if (outcome === undefined) return 'let in';
    return outcome instanceof BusRefusedError ? outcome.message : `not understood: ${(outcome as Error).message}`;
  };

  it('connects a client that trusts the CA, and explains the error to others', async () => {
    const { cert, key } = ours.server;
    const nats = await startNats({ args: ['--tls', '--tlscert', cert, '--tlskey', key] });
    try {
      expect(await attempt(nats, { caFile: ours.ca })).toBe('let in');
      expect(await attempt(nats, { caFile: others.ca })).toMatch(/is not trusted.*NATS_CA_FILE/);
      expect(await attempt(nats, {})).toMatch(/is not trusted.*NATS_CA_FILE/);
      expect(await attempt(nats, { caFile: '/nothing/there.pem' })).toContain('/nothing/there.pem');
    } finally {
      await nats.stop();
    }
  });

  it('connects only clients with a certificate if the server requires one', async () => {
    const { cert, key } = ours.server;
    const args = ['--tlsverify', '--tlscert', cert, '--tlskey', key, '--tlscacert', ours.ca];
    const nats = await startNats({ args });
    try {
      const files = { caFile: ours.ca, certFile: ours.client.cert, keyFile: ours.client.key };
      expect(await attempt(nats, files)).toBe('let in');
      expect(await attempt(nats, { caFile: ours.ca })).toMatch(/NATS at tls:\/\/localhost:.*NATS_CERT_FILE/);
    } finally {
      await nats.stop();
    }
  });

  it('reports the TLS alert of any of several servers', async () => {
    const { cert, key } = ours.server;
    const strict = await startNats({
      args: ['--tlsverify', '--tlscert', cert, '--tlskey', key, '--tlscacert', ours.ca],
    });
    const plain = await startNats();
    try {
      const server = strict.url.replace('nats://127.0.0.1', 'tls://localhost');
      const servers = ['nats://127.0.0.1:1', plain.url, server];
      const refusalOf = async ({ cert: certFile, key: keyFile }: { cert?: string; key?: string }) =>
        findTlsRefusal(servers, { caFile: ours.ca, certFile, keyFile }, systemClock);
      const code = expect.stringMatching(/^ERR_SSL_/) as unknown;
      for (let time = 0; time < 25; time += 1) {
        expect(await refusalOf(others.client)).toMatchObject({ server, error: { code } });
        expect(await refusalOf({})).toMatchObject({ server, error: { code } });
      }
      expect(await refusalOf(ours.client)).toBeUndefined();
    } finally {
      await Promise.all([strict.stop(), plain.stop()]);
    }
  });

  it('never falls back to plain text', async () => {
    const nats = await startNats();
    try {
      expect(await attempt(nats, {})).toMatch(/does not support TLS/);
      expect(await attempt(nats, { caFile: ours.ca })).toMatch(/does not support TLS/);
    } finally {
      await nats.stop();
    }
  });
});
