/** @weight 0.55 for 30 s */
import { makeCertificates, type TestCertificates, waitFor } from '@rtms/testing';
import type { Page } from 'playwright-core';
import type { WhepReport } from '../browser/whep-page.js';
import type { Playback } from './harness/api-client.js';
import { media, TestBrowser } from './harness/browser.js';
import { Firefox } from './harness/firefox.js';
import { networkRefusal, TestNetwork } from './harness/network.js';
import { startStack, type Stack } from './harness/stack.js';
import { TurnServer } from './harness/turn-server.js';

const refusal = networkRefusal();
if (refusal) process.stderr.write(`Firefox and TURN are not tried, as no network can be made here: ${refusal}\n`);

/** Firefox uses no TURN server over TLS that has only an address. This machine cannot look the name up. */
const turnName = 'turn.rtms.test';

(refusal ? describe.skip : describe)('Firefox ESR in a network of its own', () => {
  let network: TestNetwork;
  let stack: Stack;
  let chromium: TestBrowser;
  let firefox: Firefox;
  let turn: TurnServer;
  let certificates: TestCertificates;
  let playback: Playback;

  beforeAll(async () => {
    network = TestNetwork.open();
    const { hostAddress, mediaAddress } = network;
    certificates = makeCertificates(hostAddress, turnName);
    turn = await TurnServer.prepare({ address: hostAddress, peer: mediaAddress, certificate: certificates.server });
    const addresses = { HOST: '0.0.0.0', RTC_LISTEN_IP: mediaAddress, RTC_ANNOUNCED_ADDRESS: mediaAddress };
    const urls = [...turn.urls, `turns:${turnName}:${turn.ports.tls}?transport=tcp`];
    const relays = { TURN_URLS: urls.join(), TURN_SECRET: turn.secret, NODE_EXTRA_CA_CERTS: certificates.ca };
    stack = await startStack({ env: { ...addresses, ...relays } });
    const { api } = stack;
    const meetingID = await api.createRoom();
    const { sessionID, ingest } = await api.openSession(meetingID);
    chromium = await TestBrowser.open();
    const publisher: Page = await chromium.openPage();
    const camera = { width: 320, height: 180, frameRate: 10 };
    await media(publisher, 'publishWithWhipWhep', {
      ...{ url: ingest.url, token: ingest.token },
      ...{ codec: 'video/VP8', video: camera },
    });
    await api.sessionBecomes(meetingID, sessionID, 'active');
    const request = { sourceSessionID: sessionID, tracks: ['video', 'audio'], payloadMatching: 'adaptive' };
    playback = (await api.call('POST', `/v1/meetings/${meetingID}/playbacks`, request)).body.playback;
    firefox = await Firefox.open(network, 'test/browser/whep-page.ts', certificates);
  });

  afterAll(async () => {
    await firefox?.close();
    await turn?.close();
    await chromium?.close();
    await stack?.close();
    network?.close();
    certificates?.remove();
  });

  async function tryToWatch(): Promise<void> {
    // The services have the same ports at each address of this machine.
    const url = playback.endpoint.replace('127.0.0.1', network.hostAddress);
    await firefox.call('whep.watch', { url, token: playback.token });
  }

  /** The media node closes a viewer that does not connect within 5 s, such as one on a busy machine, who then tries again. */
  async function watch(): Promise<void> {
    await waitFor(() => tryToWatch().then(() => true), { what: 'Firefox to connect' });
  }

  /** Resolves once the doctor finds this about TURN at addresses. Its checks have limits of time, which a busy machine exceeds. */
  function relaysAre(wanted: string[]): Promise<boolean> {
    const areWanted = async () => {
      const { findings } = await stack.admin.expect(200, 'GET', '/admin/v1/doctor');
      const found = findings.filter(({ check, message }) => check === 'turn' && !message.includes(turnName));
      expect(found.map(({ level, message }) => `${level} ${message}`)).toEqual(
        wanted.map(each => expect.stringContaining(each)),
      );
      return true;
    };
    return waitFor(areWanted, { everyMs: 500, what: `the relays to be ${wanted.join(', ')}` });
  }

  async function decodes(frames: number): Promise<WhepReport> {
    let report: WhepReport | undefined;
    const hasDecoded = async (): Promise<boolean> => {
      report = await firefox.call<WhepReport>('whep.report');
      return report.framesDecoded >= frames;
    };
    await waitFor(hasDecoded, { what: `${frames} frames` }).catch((error: unknown) => {
      throw new Error(`Firefox received ${JSON.stringify(report)}`, { cause: error });
    });
    return report!;
  }

  it('decodes VP8 by its own payload type', async () => {
    await watch();
    const report = await decodes(30);
    expect(report).toMatchObject({ codec: 'video/VP8', payloadType: 120, localCandidateType: 'host' });
    expect(report.remoteAddress).toBe(network.mediaAddress);
    const profile = playback.payloadProfile.codecs.find(({ mimeType }) => mimeType === 'video/VP8');
    expect(profile?.payloadType).not.toBe(report.payloadType);
  });

  it('cannot watch without TURN when its network lets no media through', async () => {
    network.blockMedia();
    network.block('udp', turn.ports.plain);
    await expect(tryToWatch()).rejects.toThrow('the peer connection failed');
    expect(await relaysAre(turn.urls.map(() => 'fail '))).toBe(true);
  });

  it('watches by TURN over TCP, with the credentials of the answer', async () => {
    await turn.start();
    // The browser takes the way that connects first.
    network.block('tcp', turn.ports.tls);
    await watch();
    const video = { codec: 'video/VP8', localCandidateType: 'relay', relayProtocol: 'tcp' };
    expect(await decodes(30)).toMatchObject(video);
    network.unblock('tcp', turn.ports.tls);
  });

  it('watches by TURN over TLS when its network admits nothing else', async () => {
    network.block('tcp', turn.ports.plain);
    await watch();
    const video = { codec: 'video/VP8', localCandidateType: 'relay', relayProtocol: 'tls' };
    expect(await decodes(30)).toMatchObject(video);
  });

  it('has a TURN server whose relays the doctor tries by UDP, TCP and TLS', async () => {
    expect(await relaysAre(turn.urls.map(url => `ok ${url} relays: `))).toBe(true);
  });
});
