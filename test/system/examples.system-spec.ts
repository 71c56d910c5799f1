/** @weight 0.4 for 40 s */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createRtms } from '@rtms/server';
import { EncoderPublisher, EventLog, freePort, patienceMs, sharedChromium, waitFor } from '@rtms/testing';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { runPages } from '../docs/page-blocks.js';
import type { ApiClient } from './harness/api-client.js';
import { commandsUnder } from './harness/page-commands.js';
import { sharedStack } from './harness/shared-stack.js';

const run = promisify(execFile);

/** The commands of a page, as a reader would copy them. */
function commandsOf(page: string): string {
  const blocks = runPages().get(page) ?? [];
  return blocks.map(({ code, reason }) => (reason === undefined ? code : '')).join('');
}

/** A server of an example, started by the commands of its page. */
class ExampleServer {
  private readonly output = new EventLog<string>();
  private readonly ended: Promise<unknown>;

  private constructor(private readonly child: ChildProcess) {
    this.ended = once(child, 'close');
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', data => this.output.add(String(data)));
  }

  /** A process group of its own, because a signal to a shell does not reach what the shell started. */
  static start(page: string, env: NodeJS.ProcessEnv): ExampleServer {
    const options = { env: { PORT: '0', ...env }, detached: true, stdio: ['ignore', 'pipe', 'pipe'] as const };
    return new ExampleServer(spawn('bash', ['-euc', commandsOf(page)], { ...options, stdio: [...options.stdio] }));
  }

  get text(): string {
    return this.output.all.join('');
  }

  /** The first group of the pattern, once the server has printed it. */
  async says(pattern: RegExp): Promise<string> {
    const find = () => pattern.exec(this.text)?.[1];
    const prints = async () => find() ?? this.output.next(() => find() !== undefined);
    await Promise.race([prints(), this.ended.then(() => Promise.reject(new Error(`it ended: ${this.text}`)))]);
    return find() ?? '';
  }

  /** The address that it prints once it listens. */
  address(): Promise<string> {
    return this.says(/^(?:Open|Webhooks at) .*?(http:\/\/127\.0\.0\.1:\d+)(?:\/webhooks)?$/m);
  }

  async stop(): Promise<void> {
    if (this.child.exitCode === null) process.kill(-(this.child.pid ?? 0), 'SIGTERM');
    await this.ended;
  }
}

describe('guides and examples', () => {
  let api: ApiClient;
  let folder: string;
  let env: NodeJS.ProcessEnv;
  let functions: string;
  let published: { meetingID: string; sessionID: string };
  let browser: Browser;
  let context: BrowserContext;
  const encoders: EncoderPublisher[] = [];
  const servers: ExampleServer[] = [];
  const tested = new Set<string>();

  beforeAll(async () => {
    const stack = await sharedStack();
    api = stack.api;
    folder = await mkdtemp(join(tmpdir(), 'rtms-examples-'));
    const [apiUserName, apiKey] = api.credential.split(':');
    await writeFile(join(folder, 'ready.json'), JSON.stringify({ gateway: stack.gateway.url, apiUserName, apiKey }));
    const { PATH, HOME } = process.env;
    env = { PATH, HOME, RTMS_HOME: folder, API: stack.gateway.url, KEY: api.credential };
    [functions = ''] = commandsUnder('From publisher to viewer', await readFile('README.md', 'utf8')).split('\nROOM=');
    const meetingID = await api.createRoom();
    const { sessionID, ingest } = await api.openSession(meetingID);
    encoders.push(await EncoderPublisher.publish(ingest));
    await api.sessionBecomes(meetingID, sessionID, 'active');
    published = { meetingID, sessionID };
    browser = await sharedChromium();
    context = await browser.newContext({ permissions: ['camera', 'microphone'] });
  });

  afterAll(async () => {
    await context?.close();
    await browser?.close();
    for (const server of servers) await server.stop();
    for (const encoder of encoders) await encoder.leave();
    await rm(folder, { recursive: true, force: true });
  });

  /** Runs the commands of a page for the published session to their end. */
  async function runPage(page: string, cwd = folder): Promise<string> {
    tested.add(page);
    const { meetingID: ROOM, sessionID: ID } = published;
    // A failed command leaves no publisher behind.
    const commands = `trap 'kill $(jobs -p) 2> /dev/null || :; wait || :' EXIT\n${functions}\n${commandsOf(page)}`;
    // Ends commands that wait for ever before the test ends.
    const { stdout } = await run('bash', ['-euc', commands], { cwd, env: { ...env, ROOM, ID }, timeout: 240_000 });
    return stdout;
  }

  async function start(page: string, more: NodeJS.ProcessEnv = {}): Promise<ExampleServer> {
    tested.add(page);
    const server = ExampleServer.start(page, { ...env, ...more });
    servers.push(server);
    await server.address();
    return server;
  }

  async function open(server: ExampleServer): Promise<Page> {
    const page = await context.newPage();
    await page.goto(await server.address());
    return page;
  }

  const showsPicture = (page: Page, width: number) =>
    page.waitForFunction(wanted => {
      const video = document.querySelector('#place rtms-player:not([hidden])')?.shadowRoot?.querySelector('video');
      return video?.videoWidth === wanted && video.currentTime > 0;
    }, width);

  it('prints the settings of OBS, and a new token for its return', async () => {
    const [server = '', token = '', state, renewed = ''] = (await runPage('docs/guides/obs.md')).trim().split('\n');
    expect([server, state]).toEqual([expect.stringMatching(/^Server: http.*\/whip\/ext_\w+$/), 'pending']);
    expect(token).toMatch(/^Bearer Token: \S+$/);
    // Tokens of the same second are equal, so the test compares what they allow.
    const [, claims = ''] = renewed.split('.');
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
      purpose: 'ingest',
      sub: server.split('/').at(-1),
    });
  });

  it('records, downloads the file and compares its checksum', async () => {
    expect(await runPage('docs/guides/recording.md')).toMatch(/^rec_\w+\.mp4: OK$/m);
  });

  it('records the room', async () => {
    expect(await runPage('docs/guides/record-room.md')).toBe('grid\n');
  });

  it('does the main job with curl', async () => {
    const output = await runPage('docs/guides/curl.md', process.cwd());
    expect(output).toMatch(/^http\S+\/whip\/ext_\w+$/m);
    expect(output).toMatch(/"endpoint": "http\S+\/whep\/play_\w+"/);
    expect(output).toMatch(/^#EXTM3U\n[^]*\/v1\/index\.m3u8$/m);
    expect(output).toMatch(/^room\.created room_\w+\n[^]*^broadcast\.active bcast_\w+$/m);
    expect(output).toMatch(/"code": "BAD_REQUEST",\s+"reason": "invalid_request"/);
  });

  it('publishes from the page of the web app and watches it there', async () => {
    const page = await open(await start('examples/web-app/README.md'));
    for (const name of ['publish', 'watch']) {
      await page.click(`#${name}`);
      await page.waitForFunction(id => document.getElementById('status')?.textContent === `${id}: connected`, name);
    }
    const playing = await page.waitForFunction(() => {
      const video = document.getElementById('player')?.shadowRoot?.querySelector('video');
      return video && video.currentTime > 0 && video.videoWidth;
    });
    expect(await playing.jsonValue()).toBeGreaterThan(0);
    await page.close();
  });

  it('switches between the cameras of a room, and closes the playback that it leaves', async () => {
    const server = await start('examples/multi-camera/README.md');
    const cameras = [...server.text.matchAll(/^(\w+): (\S+\/whip\/(ext_\w+)) (\S+)$/gm)];
    expect(cameras.map(([, name]) => name)).toEqual(['Stage', 'Audience']);
    const [, meetingID = ''] = /^Room (room_\w+)$/m.exec(server.text) ?? [];
    for (const [index, [, , url = '', sessionID = '', token = '']] of cameras.entries()) {
      const size = ['160x90', '320x180'][index]!;
      encoders.push(await EncoderPublisher.publish({ url, token, audio: false, size }));
      await api.sessionBecomes(meetingID, sessionID, 'active');
    }
    const page = await open(server);
    await page.click('text=Stage');
    await showsPicture(page, 160);
    await page.click('text=Audience');
    await showsPicture(page, 320);
    const formerEnds = async () => {
      const { playbacks } = await api.expect(200, 'GET', `/v1/meetings/${meetingID}/playbacks`);
      const states = playbacks.map(({ state }) => state).sort();
      return ['active', 'ended'].every(state => states.includes(state)) ? states : undefined;
    };
    const what = 'the end of the former playback';
    expect(await waitFor(formerEnds, { everyMs: 100, what })).toEqual(['active', 'ended']);
    await page.close();
  });

  it('receives the webhooks of a room, each event once, also with a new secret', async () => {
    const port = String(await freePort());
    const RECEIVER = `http://127.0.0.1:${port}/webhooks`;
    const receiver = await start('examples/webhook-receiver/README.md', { PORT: port, RECEIVER });
    const { webhooks } = createRtms({ url: env['API']!, key: env['KEY']!, timeoutMs: patienceMs });
    const [webhook] = (await webhooks.list().page()).items;
    const { webhookID } = webhook!;
    const meetingID = await api.createRoom();
    await receiver.says(/^evt_\w+ (room\.created), room of host$/m);
    // The receiver knows the former secret only.
    await webhooks.rotateSecret({ webhookID });
    await api.expect(200, 'POST', '/v1/rooms', { action: 'end', meetingID });
    await receiver.says(/^evt_\w+ (room\.ended)$/m);
    const delivered = async () => {
      const { items } = await webhooks.listDeliveries(webhookID).page();
      const states = items.map(({ type, state }) => `${type} ${state}`);
      return states.some(state => state.endsWith('pending')) ? undefined : states;
    };
    const what = 'the end of all deliveries';
    const states = await waitFor(delivered, { everyMs: 100, what });
    expect(states).toEqual(['room.ended delivered', 'room.created delivered']);
    const [last] = (await webhooks.listDeliveries(webhookID).page()).items;
    const { delivery } = await webhooks.resend({ webhookID, deliveryID: last!.deliveryID });
    const resent = async () => {
      const { delivery: read } = await webhooks.getDelivery(webhookID, delivery.deliveryID);
      return read.state === 'pending' ? undefined : read.state;
    };
    expect(await waitFor(resent, { everyMs: 100, what: 'the repetition' })).toBe('delivered');
    expect(receiver.text.match(/^evt_\w+ .+$/gm)).toHaveLength(2);
    await webhooks.delete({ webhookID });
  });

  it('opens viewers by WHEP and HLS, and prints that each received media', async () => {
    const output = await runPage('examples/load/README.md', process.cwd());
    expect(output).toMatch(/'whep' +│ 4 +│ 0 /);
    expect(output).toMatch(/'hls' +│ 4 +│ 0 /);
  });

  it('runs all commands of guides and examples', () => {
    const withCommands = [...runPages()].filter(([, blocks]) => blocks.some(({ reason }) => reason === undefined));
    expect(withCommands.map(([page]) => page).filter(page => !tested.has(page))).toEqual([]);
  });
});
