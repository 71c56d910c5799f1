import { context, diag, DiagLogLevel, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base';
import type { Clock } from '@rtms/clock';
import type { TracesConfig } from '@rtms/config';
import type { Tracing, TracingOptions } from './start-tracing.js';

const closeTimeoutMs = 3000;
const troubleIntervalMs = 60_000;

/** Opens the exporter and sets the global tracer. The SDK reads the other `OTEL_` variables: endpoint, headers, sampler, limits. */
export async function openTracing({
  config,
  service,
  nodeID,
  logger,
  clock,
}: Required<TracingOptions>): Promise<Tracing> {
  const own = { 'service.name': `rtms-${service}`, 'service.instance.id': nodeID };
  const resource = defaultResource()
    .merge(resourceFromAttributes(own))
    .merge(detectResources({ detectors: [envDetector] }));
  const exporter = exporterFor(config.protocol);
  const provider = new BasicTracerProvider({ resource, spanProcessors: [new BatchSpanProcessor(exporter)] });
  reportTrouble(logger, clock);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);
  let closing: Promise<void> | undefined;
  return { close: () => (closing ??= close(provider, clock)) };
}

function exporterFor(protocol: TracesConfig['protocol']): SpanExporter {
  return protocol === 'http/json' ? new JsonExporter() : new ProtobufExporter();
}

/** Sends the last spans, but waits at most `closeTimeoutMs` for the collector. */
async function close(provider: BasicTracerProvider, clock: Clock): Promise<void> {
  const sent = new AbortController();
  provider.shutdown().then(
    () => sent.abort(),
    () => sent.abort(),
  );
  await clock.pause(closeTimeoutMs, sent.signal);
  trace.disable();
  context.disable();
  propagation.disable();
  diag.disable();
}

/** Logs export failures at most once per minute. */
function reportTrouble(logger: TracingOptions['logger'], clock: Clock): void {
  let toldAt = -Infinity;
  const tell = (message: string): void => {
    if (clock.now() - toldAt < troubleIntervalMs) return;
    toldAt = clock.now();
    logger.warn({ detail: message.slice(0, 300) }, 'cannot send traces to the collector');
  };
  const ignore = (): void => undefined;
  diag.setLogger({ error: tell, warn: tell, info: ignore, debug: ignore, verbose: ignore }, DiagLogLevel.WARN);
}
