import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { ErrorEnvelopeFilter } from '@rtms/http';
import { createLogger } from '@rtms/logging';
import request from 'supertest';
import { HealthModule, ManagementPort } from './index.js';

@Module({ imports: [HealthModule.forRoot({ checks: {}, hidesMetrics: true })] })
class SpecModule {}

describe('a management port', () => {
  let app: NestExpressApplication;
  let management: ManagementPort | undefined;
  beforeAll(async () => {
    app = await NestFactory.create<NestExpressApplication>(SpecModule, { logger: false });
    app.useGlobalFilters(new ErrorEnvelopeFilter(createLogger({ service: 'spec', level: 'silent' })));
    await app.listen(0, '127.0.0.1');
    management = await ManagementPort.open('127.0.0.1', 0, app.getHttpAdapter().getInstance());
  });
  afterAll(async () => {
    await Promise.all([management?.close(), management?.close()]);
    await app.close();
  });

  const statuses = async (url: string, paths: string[]): Promise<number[]> =>
    Promise.all(paths.map(async path => (await request(url).get(path)).status));

  it('serves the metrics, which the other port no longer has; health has both', async () => {
    const paths = ['/metrics', '/metrics?a=b', '/healthz', '/readyz'];
    expect(await statuses(`http://127.0.0.1:${management!.port}`, paths)).toEqual([200, 200, 200, 200]);
    expect(await statuses(await app.getUrl(), paths)).toEqual([404, 404, 200, 200]);
  });

  it('serves no other route of the application', async () => {
    expect(await statuses(`http://127.0.0.1:${management!.port}`, ['/', '/healthz/x', '//metrics'])).toEqual([
      404, 404, 404,
    ]);
  });

  it('is not opened without a port number', async () => {
    expect(await ManagementPort.open('127.0.0.1', undefined, () => undefined)).toBeUndefined();
  });

  it('names the variable if its port is in use', async () => {
    const first = await ManagementPort.open('127.0.0.1', 0, () => undefined);
    const second = ManagementPort.open('127.0.0.1', first?.port, () => undefined);
    await expect(second).rejects.toThrow(/MANAGEMENT_PORT/);
    await first?.close();
  });
});
