import { Module, type INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import request from 'supertest';
import { ErrorEnvelopeFilter } from '@rtms/http';
import { createLogger } from '@rtms/logging';
import { HealthModule, Readiness } from './index.js';

const state = { isUp: true };

@Module({
  imports: [HealthModule.forRoot({ checks: { bus: () => state.isUp, database: () => Promise.resolve(true) } })],
})
class SpecModule {}

describe('HealthModule', () => {
  let app: INestApplication;
  let url: string;
  beforeAll(async () => {
    app = await NestFactory.create(SpecModule, { logger: false });
    app.useGlobalFilters(new ErrorEnvelopeFilter(createLogger({ service: 'spec', level: 'silent' })));
    await app.listen(0, '127.0.0.1');
    url = await app.getUrl();
  });
  afterAll(() => app.close());

  it('is live while the process answers, whatever the parts do', async () => {
    state.isUp = false;
    await request(url).get('/healthz').expect(200);
  });

  it('is ready when every part is', async () => {
    state.isUp = true;
    const response = await request(url).get('/readyz').expect(200);
    expect(response.body).toMatchObject({ status: 'ok', info: { bus: { status: 'up' }, database: { status: 'up' } } });
  });

  it('is not ready when one part is not', async () => {
    state.isUp = false;
    const { body } = await request(url).get('/readyz').expect(503);
    expect(body).toMatchObject({ success: false, reason: 'dependency_unavailable', error: 'Not ready: bus.' });
  });

  it('is not ready while it drains, and says so', async () => {
    state.isUp = true;
    let isDraining = true;
    app.get(Readiness).unlessDraining(() => isDraining);
    const { body } = await request(url).get('/readyz').expect(503);
    expect(body).toMatchObject({ error: 'Not ready: draining.' });
    isDraining = false;
    await request(url).get('/readyz').expect(200);
  });

  it('is not ready without a check that was added later, or whose check fails', async () => {
    const readiness = app.get(Readiness);
    readiness.needs('disk', () => Promise.reject(new Error('full')));
    readiness.needs('keys', () => false);
    const { body } = await request(url).get('/readyz').expect(503);
    expect(body).toMatchObject({ error: 'Not ready: disk, keys.' });
    for (const part of ['disk', 'keys']) readiness.needs(part, () => true);
  });

  it('serves metrics for Prometheus', async () => {
    const response = await request(url).get('/metrics').expect(200);
    expect(response.text).toContain('process_cpu_seconds_total');
  });
});
