import { Module, type INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import request from 'supertest';
import { ErrorEnvelopeFilter } from '@rtms/http';
import { createLogger } from '@rtms/logging';
import { HealthModule, Readiness } from './index.js';

const state = { workers: true, bus: true };

@Module({
  imports: [
    HealthModule.forRoot({
      checks: { workers: () => state.workers, keys: () => Promise.resolve(true) },
      reports: { bus: () => state.bus },
    }),
  ],
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
    Object.assign(state, { workers: false, bus: false });
    await request(url).get('/healthz').expect(200);
  });

  it('is ready when every part is up', async () => {
    Object.assign(state, { workers: true, bus: true });
    const [up, error] = [{ status: 'up' }, {}];
    const parts = { workers: up, keys: up, bus: up };
    const { body } = await request(url).get('/readyz').expect(200);
    expect(body).toEqual({ status: 'ok', info: parts, error, details: parts });
  });

  it('is ready without a part that it only reports, and names the part', async () => {
    Object.assign(state, { workers: true, bus: false });
    const [up, down] = [{ status: 'up' }, { status: 'down' }];
    const { body } = await request(url).get('/readyz').expect(200);
    expect(body).toEqual({
      status: 'ok',
      info: { workers: up, keys: up },
      error: { bus: down },
      details: { workers: up, keys: up, bus: down },
    });
  });

  it('is not ready when a condition fails, and names what else is down', async () => {
    Object.assign(state, { workers: false, bus: true });
    const { body } = await request(url).get('/readyz').expect(503);
    expect(body).toMatchObject({ success: false, reason: 'dependency_unavailable', error: 'Not ready: workers.' });
    state.bus = false;
    const without = await request(url).get('/readyz').expect(503);
    expect(without.body).toMatchObject({ error: 'Not ready: workers. Also down: bus.' });
  });

  it('is not ready while it drains, and says so', async () => {
    Object.assign(state, { workers: true, bus: true });
    let isDraining = true;
    app.get(Readiness).unlessDraining(() => isDraining);
    const { body } = await request(url).get('/readyz').expect(503);
    expect(body).toMatchObject({ error: 'Not ready: draining.' });
    isDraining = false;
    await request(url).get('/readyz').expect(200);
  });

  it('is not ready when a condition that was added later fails or throws', async () => {
    const readiness = app.get(Readiness);
    readiness.needs('disk', () => Promise.reject(new Error('full')));
    readiness.needs('keys', () => false);
    const { body } = await request(url).get('/readyz').expect(503);
    expect(body).toMatchObject({ error: 'Not ready: keys, disk.' });
    for (const part of ['disk', 'keys']) readiness.needs(part, () => true);
  });

  it('runs a check once for questions at the same time', async () => {
    const readiness = new Readiness({ checks: {} });
    let runs = 0;
    let isUp = true;
    readiness.reports('disk', async () => {
      runs += 1;
      await new Promise(setImmediate);
      return isUp;
    });
    const answers = await Promise.all([readiness.parts(), readiness.parts(), readiness.parts()]);
    expect(answers.flat().map(part => part.isUp)).toEqual([true, true, true]);
    expect(runs).toBe(1);
    isUp = false;
    expect(await readiness.parts()).toEqual([{ name: 'disk', isNeeded: false, isUp: false }]);
  });

  it('tells that it drains after a question that began before the drain', async () => {
    const readiness = new Readiness({ checks: {} });
    let isDraining = false;
    readiness.unlessDraining(() => isDraining);
    let end = (): void => undefined;
    readiness.reports('disk', () => new Promise(resolve => (end = () => resolve(true))));
    const before = readiness.parts();
    await new Promise(setImmediate);
    isDraining = true;
    const after = readiness.parts();
    await new Promise(setImmediate);
    end();
    expect((await before).find(({ name }) => name === 'draining')?.isUp).toBe(true);
    expect((await after).find(({ name }) => name === 'draining')?.isUp).toBe(false);
  });

  it('serves metrics for Prometheus', async () => {
    const response = await request(url).get('/metrics').expect(200);
    expect(response.text).toContain('process_cpu_seconds_total');
  });
});
