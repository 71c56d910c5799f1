import { z } from 'zod';
import { loadConfig, type Environment } from './load-config.js';

/** Whether traces are sent, and the protocol. OpenTelemetry's SDK reads the endpoint and all other settings. */
export interface TracesConfig {
  isOn: boolean;
  protocol: 'http/protobuf' | 'http/json';
}

const protocol = z.enum(['http/protobuf', 'http/json'], { error: 'must be http/protobuf or http/json' });

const tracesSchema = z
  .object({
    OTEL_SDK_DISABLED: z.stringbool({ error: 'must be true or false' }).default(false),
    OTEL_TRACES_EXPORTER: z.enum(['none', 'otlp'], { error: 'must be otlp or none' }).default('none'),
    OTEL_EXPORTER_OTLP_PROTOCOL: protocol.default('http/protobuf'),
    OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: protocol.optional(),
  })
  .transform((env): TracesConfig => ({
    isOn: env.OTEL_TRACES_EXPORTER === 'otlp' && !env.OTEL_SDK_DISABLED,
    protocol: env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? env.OTEL_EXPORTER_OTLP_PROTOCOL,
  }));

/** Loads the trace settings of a service. Throws ConfigurationError. */
export function loadTracesConfig(env?: Environment): TracesConfig {
  return loadConfig(tracesSchema, env);
}
