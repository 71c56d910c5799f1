import { Module, type INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import request from 'supertest';
import { HealthModule } from './index.js';

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
    await app.listen(0, '127.0.0.1');
    url = await app.getUrl();
  });
  afterAll(() => app.close());

  it('is live while the process answers, whatever the parts do', async () => {
    state.isUp = false;
    await request(url).get('/health/live').expect(200);
  });

  it('is ready when every part is', async () => {
    state.isUp = true;
    const response = await request(url).get('/health/ready').expect(200);
    expect(response.body).toMatchObject({ status: 'ok', info: { bus: { status: 'up' }, database: { status: 'up' } } });
  });

  it('is not ready when one part is not', async () => {
    state.isUp = false;
    await request(url).get('/health/ready').expect(503);
  });

  it('shows numbers for Prometheus', async () => {
    const response = await request(url).get('/metrics').expect(200);
    expect(response.text).toContain('process_cpu_seconds_total');
  });
});
