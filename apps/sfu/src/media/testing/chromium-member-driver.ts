import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { launchChromium } from '@rtms/testing';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import type { MemberMedia, MemberReceiver, MemberSender, PublishedTrack } from '../media-engine.js';
import { receives } from './media-scene.js';
import type { MemberSignalling, Reception } from './member-page.js';
import type { MemberDriver, MemberPeer, ReceivedTrack } from './member-peer.js';

let serial = 0;

/** Heights of the simulcast layers: the height of Chromium's camera divided by 4, 2 and 1. */
const heights = [90, 180, 360];

type Answers = (type: keyof MemberSignalling, request: never) => Promise<unknown>;

/** Members in pages of headless Chromium, each with mediasoup-client. */
export class ChromiumMemberDriver implements MemberDriver {
  private readonly answers = new Map<string, Answers>();

  private constructor(
    private readonly server: Server,
    private readonly browser: Browser,
    private readonly page: Page,
  ) {}

  static async open(): Promise<ChromiumMemberDriver> {
    const server = await servePage();
    const browser = await launchChromium({ fakeMedia: { framesPerSecond: 15 } });
    const page = await browser.newPage();
    const driver = new ChromiumMemberDriver(server, browser, page);
    await page.exposeFunction('signal', (name: string, type: keyof MemberSignalling, request: never) =>
      driver.answers.get(name)?.(type, request),
    );
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    return driver;
  }

  async join(media: MemberMedia): Promise<MemberPeer> {
    const name = `member-${++serial}`;
    const [sender, receiver] = [await media.openSender(), await media.openReceiver()];
    const published = new Map<string, PublishedTrack>();
    this.answers.set(name, answersFor(sender, receiver, published));
    const setup = {
      routerRtpCapabilities: media.routerRtpCapabilities,
      send: sender.parameters,
      receive: receiver.parameters,
    };
    const capabilities = await this.page.evaluate(([id, given]) => memberPage.join(id, given), [name, setup] as const);
    return {
      sender,
      receiver,
      publish: async what => {
        const trackID = await this.page.evaluate(([id, kind]) => memberPage.publish(id, kind), [name, what] as const);
        const track = published.get(trackID);
        if (!track) throw new Error('nothing was published');
        await receives(track);
        return track;
      },
      subscribe: async track => {
        const subscription = await receiver.subscribe(track, capabilities);
        const { parameters } = subscription;
        await this.page.evaluate(([id, given]) => memberPage.consume(id, given), [name, parameters] as const);
        return this.received(name, subscription);
      },
      vanish: () => this.page.evaluate(id => memberPage.leave(id), name),
    };
  }

  /** The page makes the sound itself. */
  async speak(): Promise<void> {
    return Promise.resolve();
  }

  async close(): Promise<void> {
    await this.browser.close();
    this.server.close();
  }

  private received(name: string, subscription: ReceivedTrack['subscription']): ReceivedTrack {
    const { subscriptionID } = subscription.parameters;
    const reception = (): Promise<Reception> =>
      this.page.evaluate(([id, key]) => memberPage.reception(id, key), [name, subscriptionID] as const);
    return {
      subscription,
      packets: async () => (await reception()).packets,
      layer: async () => {
        const { height } = await reception();
        const layer = heights.indexOf(height);
        return layer < 0 ? undefined : layer;
      },
    };
  }
}

function answersFor(
  sender: MemberSender,
  receiver: MemberReceiver,
  published: Map<string, PublishedTrack>,
): (type: keyof MemberSignalling, request: MemberSignalling[keyof MemberSignalling]['request']) => Promise<unknown> {
  return async (_type, request) => {
    if ('dtlsParameters' in request) {
      const { transportID, dtlsParameters } = request;
      const transport = sender.parameters.transportID === transportID ? sender : receiver;
      await transport.connect(dtlsParameters as unknown as Parameters<MemberSender['connect']>[0]);
      return null;
    }
    const track = await sender.publish(request.kind, request.rtpParameters);
    published.set(track.trackID, track);
    return track.trackID;
  };
}

async function servePage(): Promise<Server> {
  const { outputFiles } = await build({
    entryPoints: [new URL('./member-page.ts', import.meta.url).pathname],
    bundle: true,
    write: false,
    format: 'iife',
    define: { 'process.env': '{}' },
  });
  const server = createServer((request, response) => {
    const isScript = request.url === '/member.js';
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    response.end(
      isScript ? outputFiles[0]?.text : '<!doctype html><title>Members</title><body><script src="/member.js"></script>',
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
