import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { MemoryBroker, MemoryBus } from '@rtms/bus';
import { systemClock } from '@rtms/clock';
import { loadConfig } from '@rtms/config';
import { factStream, ingestCommands, ingestQuestions, type OpenIngestRequest } from '@rtms/contracts';
import { findFfmpeg } from '@rtms/ffmpeg';
import { createLogger } from '@rtms/logging';
import { configureMediaHttp } from '@rtms/node';
import { EventLog, freePort, waitFor } from '@rtms/testing';
import { generateSigningKey, publishKeys } from '@rtms/tokens';
import request from 'supertest';
import { sharedLabels } from '../../../test/metrics/closed-labels.js';
import { exposedMetrics, readSamples, unexpectedValues } from '../../../test/metrics/exposition.js';
import { describedMetrics } from '../../../test/metrics/metrics-page.js';
import { ingestConfigSchema } from './ingest.config.js';
import { IngestModule } from './ingest.module.js';

describe('an ingest node', () => {
  let bus: MemoryBus;
  let app: NestExpressApplication;
  let port: number;
  /** Has a program in place of FFmpeg, and a line for each start of it. */
  let folder: string;
  const compared = new EventLog<string[]>();
  /** The answer of the gateway to the next comparison. */
  let missing: OpenIngestRequest[] = [];
  let ended = ['ext_new'];

  beforeAll(async () => {
    const broker = new MemoryBroker();
    bus = new MemoryBus(broker);
    await bus.ensureStream(factStream);
    await publishKeys(bus, [(await generateSigningKey()).publicJwk]);
    await bus.respond(ingestQuestions.compare, ({ sessionIDs }) => {
      compared.add(sessionIDs);
      return Promise.resolve({ ended, missing });
    });
    port = await freePort();
    const lost = { protocol: 'srt' as const, passphrase: 'p'.repeat(32) };
    missing = [
      // The encoder has this address, so another port is of no use to it.
      { ...lost, sessionID: 'ext_elsewhere', port: 9 },
      { ...lost, sessionID: 'ext_lost', port: port + 1 },
    ];
    const env = { RTMS_NODE_ID: 'ingest-1', SRT_PORTS: `${port}-${port + 1}`, RTMP_PORT: '0', MAX_ENCODERS: '4' };
    const config = loadConfig(ingestConfigSchema, env);
    const logger = createLogger({ service: 'ingest', level: 'silent' });
    const found = await findFfmpeg();
    folder = await mkdtemp(join(tmpdir(), 'rtms-ingest-'));
    const path = join(folder, 'ffmpeg');
    await writeFile(path, `#!/bin/sh\necho started >> ${folder}/starts\nexec ${found.path} "$@"\n`);
    await chmod(path, 0o755);
    const ffmpeg = { ...found, path };
    const parts = { config, logger, bus: new MemoryBus(broker), ffmpeg, clock: systemClock };
    app = await NestFactory.create<NestExpressApplication>(IngestModule.forRoot(parts), {
      bodyParser: false,
      logger: false,
    });
    configureMediaHttp(app, { logger, clock: systemClock, limits: config.limits, paths: [], crossOrigin: [] });
    await app.listen(0, '127.0.0.1');
  });
  afterAll(async () => {
    await app.close();
    await rm(folder, { recursive: true });
  });

  const get = (path: string) => request(app.getHttpServer()).get(path);
  const open = (request: OpenIngestRequest) => bus.request(ingestCommands.open.forNode('ingest-1'), request);
  const inventory = async () => (await bus.request(ingestCommands.inventory.forNode('ingest-1'), {})).sessions;
  const failure = (reason: string) => expect.objectContaining({ failure: expect.objectContaining({ reason }) });

  it('opens the SRT sessions that it lost at its restart, at their port', async () => {
    await waitFor(async () => (await inventory()).some(({ sessionID }) => sessionID === 'ext_lost'), {
      what: 'the lost session',
    });
    expect((await inventory()).map(({ sessionID }) => sessionID)).toEqual(['ext_lost']);
    missing = [];
    const again = { sessionID: 'ext_lost', protocol: 'srt' as const, passphrase: 'p'.repeat(32) };
    expect(await open(again)).toEqual({ port: port + 1, latencyMs: 200 });
  });

  it('gives each SRT session a port, until none is left', async () => {
    const session = { sessionID: 'ext_new', protocol: 'srt' as const, passphrase: 'q'.repeat(32) };
    expect(await open(session)).toEqual({ port, latencyMs: 200 });
    expect(await open({ ...session, passphrase: 'r'.repeat(32) })).toEqual({ port, latencyMs: 200 });
    await expect(open({ ...session, sessionID: 'ext_more' })).rejects.toEqual(failure('capacity_reached'));
  });

  it('keeps a session that the gateway may not have stored yet', async () => {
    await compared.next(ids => ids.includes('ext_new'));
    ended = [];
    expect((await inventory()).map(({ sessionID }) => sessionID).sort()).toEqual(['ext_lost', 'ext_new']);
  });

  it('announces the port of RTMP, and refuses a protocol that it does not speak', async () => {
    const { port: rtmp } = await open({ sessionID: 'ext_rtmp', protocol: 'rtmp' });
    expect(rtmp).toBeGreaterThan(0);
    await expect(open({ sessionID: 'ext_x', protocol: 'rtmps' })).rejects.toEqual(failure('controller_unavailable'));
  });

  it('tells the doctor about FFmpeg and its ports', async () => {
    const diagnosis = await bus.request(ingestCommands.diagnose.forNode('ingest-1'), {});
    expect(diagnosis).toMatchObject({ missingParts: [], ffmpegVersion: expect.stringMatching(/^\d/) });
    expect(diagnosis.ports).toEqual([
      { protocol: 'srt', port, ok: false, detail: '2 of 2 ports in use' },
      { protocol: 'rtmp', port: expect.any(Number), ok: true, detail: 'listens' },
    ]);
  });

  it('is ready, and takes no session while it drains', async () => {
    await get('/readyz').expect(200);
    const drain = (draining: boolean) => bus.request(ingestCommands.drain.forNode('ingest-1'), { draining });
    await drain(true);
    await get('/readyz').expect(503);
    await expect(open({ sessionID: 'ext_y', protocol: 'rtmp' })).rejects.toEqual(failure('controller_unavailable'));
    await drain(false);
    await get('/readyz').expect(200);
  });

  it('starts FFmpeg once for many questions about its readiness', async () => {
    const starts = async () => (await readFile(join(folder, 'starts'), 'utf8')).length / 'started\n'.length;
    await get('/readyz').expect(200);
    const before = await starts();
    await Promise.all(Array.from({ length: 20 }, () => get('/readyz').expect(200)));
    expect((await starts()) - before).toBeLessThanOrEqual(1);
  });

  it('has the metrics that docs/metrics.md describes, without labels that callers choose', async () => {
    const { text } = await get('/metrics').expect(200);
    const described = describedMetrics('ingest');
    expect(exposedMetrics(text, described)).toEqual(described);
    const allowed = { ...sharedLabels, route: ['/readyz', '/metrics', 'other'], protocol: ['srt', 'rtmp', 'rtmps'] };
    expect(unexpectedValues(text, allowed)).toEqual([]);
    const used = readSamples(text).find(({ name }) => name === 'rtms_ingest_srt_ports_used');
    expect(used?.value).toBe(2);
  });
});
