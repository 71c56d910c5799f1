import { ConfigurationError } from './load-config.js';
import { loadTracesConfig } from './traces-config.js';

describe('traces', () => {
  it.each([
    [{}, false],
    [{ OTEL_TRACES_EXPORTER: 'none' }, false],
    [{ OTEL_TRACES_EXPORTER: 'otlp' }, true],
    [{ OTEL_TRACES_EXPORTER: 'otlp', OTEL_SDK_DISABLED: 'true' }, false],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }, false],
  ])('with %j are sent: %s', (env, isOn) => {
    expect(loadTracesConfig(env).isOn).toBe(isOn);
  });

  it.each([
    [{}, 'http/protobuf'],
    [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' }, 'http/json'],
    [
      { OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json', OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/protobuf' },
      'http/protobuf',
    ],
  ])('with %j use %s', (env, protocol) => {
    expect(loadTracesConfig(env).protocol).toBe(protocol);
  });

  it('reject an unsupported protocol', () => {
    expect(() => loadTracesConfig({ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' })).toThrow(ConfigurationError);
  });
});
