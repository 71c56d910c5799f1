import { statusClass, type DoneHttpRequest, type HttpMetrics, type MetricsRegistry } from '@rtms/health';
import { Counter } from 'prom-client';

export const originKinds = ['playlist', 'segment', 'recording'] as const;
type OriginKind = (typeof originKinds)[number];

/** What players and downloads fetch. */
export class OriginMetrics {
  private readonly requests: Counter<'kind' | 'status_class'>;
  private readonly bytes: Counter;

  constructor(registry: MetricsRegistry) {
    this.requests = new Counter({
      name: 'rtms_transcoder_origin_requests_total',
      help: 'Requests for playlists, segments and recordings.',
      labelNames: ['kind', 'status_class'],
      registers: [registry],
    });
    for (const kind of originKinds) this.requests.inc({ kind, status_class: '2xx' }, 0);
    this.bytes = new Counter({
      name: 'rtms_transcoder_origin_bytes_total',
      help: 'Bytes of the answers to them, with headers.',
      registers: [registry],
    });
  }

  follow(http: HttpMetrics): void {
    http.onDone(done => this.count(done));
  }

  private count({ path, status, bytes }: DoneHttpRequest): void {
    const kind = originKindOf(path);
    if (!kind) return;
    this.requests.inc({ kind, status_class: statusClass(status) });
    this.bytes.inc(bytes);
  }
}

export function originKindOf(path: string): OriginKind | undefined {
  if (path.startsWith('/recordings/')) return 'recording';
  if (!path.startsWith('/hls/')) return undefined;
  return path.endsWith('.m3u8') ? 'playlist' : 'segment';
}
