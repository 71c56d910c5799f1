import type { FakeService } from './fake-service.js';

/** An active external session `ext_1` of the room `m1`. */
export const servedSession = {
  ...{ sessionID: 'ext_1', meetingID: 'm1', displayName: 'Stage camera', state: 'active' },
  ingest: { protocol: 'whip', tracks: ['video', 'audio'], url: 'https://sfu.example.com/whip/ext_1' },
  tracks: [{ trackID: 'trk_1', kind: 'video', codec: 'H264', state: 'live' }],
  ...{ health: [], createdAt: '2026-01-01T10:00:00.000Z', activatedAt: '2026-01-01T10:00:05.000Z' },
  ...{ endedAt: null as string | null, endReason: null as string | null, reason: null },
};

interface Served {
  session?: object;
  history?: object;
  playbacks?: readonly object[];
  broadcasts?: readonly object[];
  restreams?: readonly object[];
}

/** Answers what the page of `servedSession` asks. */
export function serveSession(service: FakeService, served: Served = {}): void {
  const { session = servedSession, playbacks = [], broadcasts = [], restreams = [] } = served;
  const history = served.history ?? { sessionID: 'ext_1', from: '', to: '', stepSeconds: 10, samples: [], events: [] };
  const path = '/v1/meetings/m1/external-sessions/ext_1';
  service.on(`GET ${path}`, { externalSession: session });
  service.on(`GET ${path}/history`, { history });
  service.on('GET /dashboard/api/external-sessions/ext_1/statistics', { statistics: { tracks: [] } });
  for (const [many, records] of Object.entries({ playbacks, broadcasts, restreams }))
    service.onList(`/v1/meetings/m1/${many}`, many, records);
  service.onList('/v1/recordings', 'recordings', []);
}
