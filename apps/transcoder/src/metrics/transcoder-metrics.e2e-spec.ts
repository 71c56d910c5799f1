import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { MemoryBroker, MemoryBus } from '@rtms/bus';
import { systemClock } from '@rtms/clock';
import { loadConfig } from '@rtms/config';
import {
  factStream,
  restreamProblems,
  transcoderCommands,
  type StartBroadcastRequest,
  viewerFaults,
} from '@rtms/contracts';
import { createLogger } from '@rtms/logging';
import { generateSigningKey, publishKeys } from '@rtms/tokens';
import request from 'supertest';
import { oddPaths, sharedLabels } from '../../../../test/metrics/closed-labels.js';
import { exposedMetrics, readSamples, unexpectedValues } from '../../../../test/metrics/exposition.js';
import { describedMetrics } from '../../../../test/metrics/metrics-page.js';
import { configureHttp } from '../configure-http.js';
import { MemorySegmentStore } from '../delivery/testing/memory-segment-store.js';
import { FakeEncoder } from '../encoder/testing/fake-encoder.js';
import type { Recorder } from '../encoder/recorder.js';
import { MemoryRecordingStore } from '../delivery/testing/memory-recording-store.js';
import { transcoderConfigSchema } from '../transcoder.config.js';
import { FfmpegSender } from '../sending/ffmpeg-sender.js';
import { TranscoderModule } from '../transcoder.module.js';

const recorder: Recorder = {
  decodes: () => true,
  capture: () => ({
    pid: undefined,
    write: () => true,
    finish: () => Promise.resolve(),
    close: () => Promise.resolve(),
  }),
  hasNameTags: () => Promise.resolve(false),
  compose: () => Promise.reject(new Error('unused')),
  render: () => Promise.reject(new Error('unused')),
  join: () => Promise.resolve(),
};

class SwitchableEncoder extends FakeEncoder {
  works = true;

  override isUsable(): Promise<boolean> {
    return Promise.resolve(this.works);
  }
}

const encoder = new SwitchableEncoder();
let home: string;
/** These tests start none. */
const names = new Set<string>();
const ffmpeg = {
  path: 'ffmpeg',
  version: '5.1',
  decoders: names,
  encoders: names,
  protocols: names,
  launcher: [],
  cmaf: true,
};

let bus: MemoryBus;
let app: NestExpressApplication;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'rtms-metrics-'));
  const broker = new MemoryBroker();
  bus = new MemoryBus(broker);
  await bus.ensureStream(factStream);
  const env = { RTMS_NODE_ID: 'transcoder-1', MEDIA_DIR: join(home, 'media'), MAX_BROADCASTS: '4' };
  const config = loadConfig(transcoderConfigSchema, env);
  const logger = createLogger({ service: 'transcoder', level: 'silent' });
  const stores = {
    store: new MemorySegmentStore(),
    recordingStore: new MemoryRecordingStore(),
    storyboardStore: new MemoryRecordingStore(),
    hlsStore: new MemoryRecordingStore(),
  };
  const parts = {
    config,
    logger,
    bus: new MemoryBus(broker),
    encoder,
    ffmpeg,
    recorder,
    sender: new FfmpegSender(ffmpeg, systemClock, { hasSrt: true }),
    ...stores,
    clock: systemClock,
  };
  app = await NestFactory.create<NestExpressApplication>(TranscoderModule.forRoot(parts), {
    bodyParser: false,
    logger: false,
  });
  configureHttp(app, logger);
  await app.listen(0, '127.0.0.1');
});

afterAll(async () => {
  await app.close();
  await rm(home, { recursive: true });
});

const get = (path: string) => request(app.getHttpServer()).get(path);
const scrape = async (): Promise<string> => (await get('/metrics').expect(200)).text;

async function valueOf(name: string, labels: Record<string, string> = {}): Promise<number | undefined> {
  const samples = readSamples(await scrape()).filter(each => each.name === name);
  return samples.find(sample => Object.entries(labels).every(([label, value]) => sample.labels[label] === value))
    ?.value;
}

function start(broadcastID: string): Promise<unknown> {
  const broadcast: StartBroadcastRequest = {
    ...{ broadcastID, meetingID: 'room_1', sourceID: 'ext_1', sfuNodeID: 'sfu-away', tracks: ['video'] },
    roomExpiresAt: new Date(Date.now() + 60_000).toISOString(),
  };
  return bus.request(transcoderCommands.startBroadcast.forNode('transcoder-1'), broadcast);
}

describe('the readiness of a transcoder', () => {
  it('needs the token keys', async () => {
    expect((await get('/readyz').expect(503)).body).toMatchObject({ error: 'Not ready: signingKeys.' });
    await publishKeys(bus, [(await generateSigningKey()).publicJwk]);
    await get('/readyz').expect(200);
  });

  it('names a missing FFmpeg and a full disk, without which it still serves segments', async () => {
    encoder.works = false;
    await rm(join(home, 'media'), { recursive: true, force: true });
    await writeFile(join(home, 'media'), 'no directory');
    const down = { status: 'down' };
    expect((await get('/readyz').expect(200)).body).toMatchObject({ error: { ffmpeg: down, disk: down } });
    await rm(join(home, 'media'));
    encoder.works = true;
    expect((await get('/readyz').expect(200)).body).toMatchObject({ error: {} });
  });

  it('reports a drain', async () => {
    const drain = (draining: boolean) => bus.request(transcoderCommands.drain.forNode('transcoder-1'), { draining });
    await drain(true);
    expect((await get('/readyz').expect(503)).body).toMatchObject({ error: 'Not ready: draining.' });
    expect(await valueOf('rtms_draining')).toBe(1);
    await drain(false);
    await get('/readyz').expect(200);
  });
});

describe('the metrics of a transcoder', () => {
  beforeAll(async () => {
    for (const id of ['bcast_1', 'bcast_2']) await start(id).catch(() => undefined);
    for (const path of oddPaths) {
      await get(path);
      await request(app.getHttpServer()).delete(path);
    }
    await request(app.getHttpServer()).search('/hls/bcast_1/index.m3u8');
  });

  it('are exactly those of docs/metrics.md', async () => {
    const described = describedMetrics('transcoder');
    expect(exposedMetrics(await scrape(), described)).toEqual(described);
  });

  it('have no label with values from callers', async () => {
    const text = await scrape();
    const allowed = {
      ...sharedLabels,
      route: ['/hls', '/recordings', '/metrics', '/readyz', 'other'],
      kind: ['playlist', 'segment', 'recording'],
      'rtms_transcoder_broadcasts state': ['starting', 'active', 'interrupted'],
      'rtms_transcoder_recordings state': ['starting', 'recording', 'interrupted', 'processing'],
      'rtms_transcoder_restreams state': ['connecting', 'active', 'retrying', 'interrupted'],
      problem: restreamProblems,
      fault: viewerFaults,
      directory: ['media', 'recordings'],
    };
    expect(unexpectedValues(text, allowed)).toEqual([]);
    expect(text).not.toMatch(/bcast_|rec_|rstr_/);
  });

  it('count slots, requests of players and response bytes', async () => {
    expect([await valueOf('rtms_transcoder_slots'), await valueOf('rtms_transcoder_slots_used')]).toEqual([4, 0]);
    const refused = { kind: 'playlist', status_class: '4xx' };
    const before = (await valueOf('rtms_transcoder_origin_requests_total', refused)) ?? 0;
    const bytesBefore = (await valueOf('rtms_transcoder_origin_bytes_total')) ?? 0;
    const { text } = await get('/hls/bcast_1/index.m3u8').expect(401);
    expect(await valueOf('rtms_transcoder_origin_requests_total', refused)).toBe(before + 1);
    expect((await valueOf('rtms_transcoder_origin_bytes_total'))! - bytesBefore).toBeGreaterThan(text.length);
    expect(await valueOf('rtms_transcoder_disk_free_bytes', { directory: 'media' })).toBeGreaterThan(0);
    const asked = { command: 'sfu.feed.open', outcome: 'no_responder' };
    expect(await valueOf('rtms_bus_request_duration_seconds_count', asked)).toBe(2);
  });
});
