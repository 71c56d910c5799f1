import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EventLog } from '@rtms/testing';

interface Attribute {
  key: string;
  value: Record<string, unknown>;
}

interface SentSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: Attribute[];
}

/** OTLP in JSON, as far as tests read it. */
interface SentTraces {
  resourceSpans: { resource: { attributes: Attribute[] }; scopeSpans: { spans: SentSpan[] }[] }[];
}

export interface CollectedSpan {
  service: string;
  traceID: string;
  spanID: string;
  parentID: string | undefined;
  name: string;
  attributes: Record<string, unknown>;
}

/** Takes traces in over HTTP, as an OpenTelemetry collector does. */
export class TraceCollector {
  readonly spans = new EventLog<CollectedSpan>();
  /** As they came. */
  readonly bodies: string[] = [];

  private constructor(private readonly server: Server) {
    server.on('request', (request, response) => {
      void this.take(request).then(() => response.setHeader('content-type', 'application/json').end('{}'));
    });
  }

  static async start(): Promise<TraceCollector> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new TraceCollector(server);
  }

  /** Variables that make services send their traces here, in short batches. */
  get env(): Record<string, string> {
    const { port } = this.server.address() as AddressInfo;
    return {
      OTEL_TRACES_EXPORTER: 'otlp',
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '200',
      OTEL_EXPORTER_OTLP_TIMEOUT: '1000',
    };
  }

  /** Resolves with a span once it has arrived; `service` and the beginning of the name suffice. */
  find(traceID: string, service: string, name: string): Promise<CollectedSpan> {
    return this.spans.find(span => span.traceID === traceID && span.service === service && span.name.startsWith(name));
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise(resolve => this.server.close(resolve));
  }

  private async take(request: IncomingMessage): Promise<void> {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    this.bodies.push(body);
    const { resourceSpans } = JSON.parse(body) as SentTraces;
    for (const { resource, scopeSpans } of resourceSpans) {
      const service = String(valuesOf(resource.attributes)['service.name']);
      for (const span of scopeSpans.flatMap(({ spans }) => spans)) this.spans.add(collected(service, span));
    }
  }
}

function collected(service: string, span: SentSpan): CollectedSpan {
  const { traceId: traceID, spanId: spanID, parentSpanId: parentID, name } = span;
  return { service, traceID, spanID, parentID, name, attributes: valuesOf(span.attributes) };
}

function valuesOf(attributes: readonly Attribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
