/** @weight 0.6 for 28 s */
import { waitFor } from '@rtms/testing';
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

(refusal ? describe.skip : describe)('Firefox ESR in a network of its own', () => {
  let network: TestNetwork;
  let stack: Stack;
  let chromium: TestBrowser;
  let firefox: Firefox;
  let turn: TurnServer;
  let playback: Playback;

  beforeAll(async () => {
    network = TestNetwork.open();
    const { mediaAddress } = network;
    const env = { HOST: '0.0.0.0', RTC_LISTEN_IP: mediaAddress, RTC_ANNOUNCED_ADDRESS: mediaAddress };
    stack = await startStack({ env });
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
    turn = await TurnServer.start(network.hostAddress);
    firefox = await Firefox.open(network, 'test/browser/whep-page.ts');
  }, 240_000);

  afterAll(async () => {
    await firefox?.close();
    await turn?.close();
    await chromium?.close();
    await stack?.close();
    network?.close();
  });

  async function watch(iceServers: object[] = []): Promise<void> {
    // The services have the same ports at each address of this machine.
    const url = playback.endpoint.replace('127.0.0.1', network.hostAddress);
    await firefox.call('whep.watch', { url, token: playback.token, iceServers });
  }

  async function decodes(frames: number): Promise<WhepReport> {
    let report: WhepReport | undefined;
    const hasDecoded = async (): Promise<boolean> => {
      report = await firefox.call<WhepReport>('whep.report');
      return report.framesDecoded >= frames;
    };
    await waitFor(hasDecoded, { timeoutMs: 30_000, what: `${frames} frames` }).catch((error: unknown) => {
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
    await expect(watch()).rejects.toThrow('the peer connection failed');
  });

  it('watches by TURN when its network lets no media through', async () => {
    await watch([turn.iceServer]);
    expect(await decodes(30)).toMatchObject({ codec: 'video/VP8', localCandidateType: 'relay' });
  });
});
