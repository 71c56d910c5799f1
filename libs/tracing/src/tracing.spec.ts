import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { trace } from '@opentelemetry/api';
import type { TracesConfig } from '@rtms/config';
import { inSpan, inThisTrace, startTracing, traceHeaders } from './index.js';

const run = promisify(execFile);
const logger = { warn: () => undefined };
const options = (isOn: boolean) => {
  const config: TracesConfig = { isOn, protocol: 'http/json' };
  return { config, service: 'spec', nodeID: 'spec-1', logger };
};
const doNothing = { name: 'nothing', kind: 'INTERNAL' } as const;

describe('enabled tracing', () => {
  it('continues a trace in other services and in later calls', async () => {
    const collector = createServer((request, response) => request.resume().on('end', () => response.end('{}')));
    await once(collector.listen(0, '127.0.0.1'), 'listening');
    process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
    const tracing = await startTracing(options(true));
    const headers = await inSpan(doNothing, () => Promise.resolve(traceHeaders()));
    expect(headers['traceparent']).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-0[01]$/);
    await inSpan({ ...doNothing, carrier: headers }, () => {
      expect(trace.getActiveSpan()?.spanContext().traceId).toBe(headers['traceparent']?.split('-')[1]);
      return Promise.resolve();
    });
    const later = await inSpan(doNothing, () => Promise.resolve(inThisTrace(traceHeaders)));
    expect(traceHeaders()).toEqual({});
    expect(later()['traceparent']).toBeDefined();
    await tracing.close();
    await tracing.close();
    delete process.env['OTEL_EXPORTER_OTLP_ENDPOINT'];
    collector.closeAllConnections();
    collector.close();
  });

  it('stops after 3 s although the collector keeps every request open', async () => {
    const silent: Server = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    // In its own process, because the exporter retries for a while. The clock ends each pause at once.
    const program = `
      import { startTracing, inSpan } from '${new URL('index.ts', import.meta.url).pathname}';
      const config = { isOn: true, protocol: 'http/protobuf' };
      const logger = { warn: () => undefined };
      const pauses = [];
      const clock = { now: Date.now, pause: async milliseconds => void pauses.push(milliseconds) };
      const tracing = await startTracing({ config, service: 'spec', nodeID: 'spec-1', logger, clock });
      await inSpan({ name: 'work', kind: 'INTERNAL' }, async () => undefined);
      await tracing.close();
      console.log(JSON.stringify(pauses));
      process.exit(0);`;
    const env = { PATH: process.env['PATH'], OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` };
    const { stdout } = await run(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program], { env });
    silent.closeAllConnections();
    silent.close();
    expect(JSON.parse(stdout)).toEqual([3_000]);
  });
});

describe('disabled tracing', () => {
  it('sends no headers and does not load the SDK', async () => {
    const program = `
      import { createRequire } from 'node:module';
      import { startTracing, inSpan, traceHeaders } from '${new URL('index.ts', import.meta.url).pathname}';
      const config = { isOn: false, protocol: 'http/json' };
      const tracing = await startTracing({ config, service: 'spec', nodeID: 'spec-1', logger: console });
      const headers = await inSpan({ name: 'work', kind: 'INTERNAL' }, async () => traceHeaders());
      const loaded = Object.keys(createRequire('/').cache).filter(path => path.includes('@opentelemetry'));
      const packages = new Set(loaded.map(path => /@opentelemetry\\/([^/]+)/.exec(path)[1]));
      await tracing.close();
      console.log(JSON.stringify({ headers, packages: [...packages] }));`;
    const env = { PATH: process.env['PATH'] };
    const { stdout } = await run(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program], { env });
    expect(JSON.parse(stdout)).toEqual({ headers: {}, packages: ['api'] });
  });
});
