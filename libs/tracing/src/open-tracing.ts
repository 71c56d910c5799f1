import { setTimeout as pause } from 'node:timers/promises';
import { context, diag, DiagLogLevel, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base';
import type { TracesConfig } from '@rtms/config';
import type { Tracing, TracingOptions } from './start-tracing.js';

const closeTimeoutMs = 3000;
const troubleIntervalMs = 60_000;

/** The SDK itself reads the other `OTEL_` variables: endpoint, headers, sampler, batches, limits. */
export async function openTracing({ config, service, nodeID, logger }: TracingOptions): Promise<Tracing> {
  const own = { 'service.name': `rtms-${service}`, 'service.instance.id': nodeID };
  const resource = defaultResource()
    .merge(resourceFromAttributes(own))
    .merge(detectResources({ detectors: [envDetector] }));
  const exporter = await exporterFor(config.protocol);
  const provider = new BasicTracerProvider({ resource, spanProcessors: [new BatchSpanProcessor(exporter)] });
  reportTrouble(logger);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);
  let closing: Promise<void> | undefined;
  return { close: () => (closing ??= close(provider)) };
}

async function exporterFor(protocol: TracesConfig['protocol']): Promise<SpanExporter> {
  if (protocol === 'http/json') {
    const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http');
    return new OTLPTraceExporter();
  }
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-proto');
  return new OTLPTraceExporter();
}

/** Whether the collector takes them or not: a service that stops does not wait for it. */
async function close(provider: BasicTracerProvider): Promise<void> {
  const giveUp = new AbortController();
  const tooLate = pause(closeTimeoutMs, undefined, { signal: giveUp.signal }).catch(() => undefined);
  await Promise.race([provider.shutdown().catch(() => undefined), tooLate]);
  giveUp.abort();
  trace.disable();
  context.disable();
  propagation.disable();
  diag.disable();
}

/** The service does its work all the same, so a line a minute is enough. */
function reportTrouble(logger: TracingOptions['logger']): void {
  let toldAt = -Infinity;
  const tell = (message: string): void => {
    if (performance.now() - toldAt < troubleIntervalMs) return;
    toldAt = performance.now();
    logger.warn({ detail: message.slice(0, 300) }, 'traces could not be sent');
  };
  const ignore = (): void => undefined;
  diag.setLogger({ error: tell, warn: tell, info: ignore, debug: ignore, verbose: ignore }, DiagLogLevel.WARN);
}
