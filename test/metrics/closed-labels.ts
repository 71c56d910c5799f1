import { commandNames } from '@rtms/contracts';

/** The values that labels have in every service. */
export const sharedLabels: Readonly<Record<string, readonly string[]>> = {
  service: ['gateway', 'sfu', 'transcoder', 'ingest'],
  version: ['0.1.0'],
  method: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'other'],
  status_class: ['1xx', '2xx', '3xx', '4xx', '5xx', 'other'],
  command: commandNames,
  'rtms_http_connections_refused_total limit': ['maxConnections', 'maxConnectionsPerAddress'],
  'rtms_bus_request_duration_seconds outcome': ['ok', 'refused', 'no_responder', 'timeout', 'failed'],
};

/** Undeclared paths, some of which resemble declared ones. */
export const oddPaths = [
  '/',
  '/nothing-here',
  '/metrics/room_1',
  '/healthz/x',
  '/%7Broute%7D',
  `/${'a'.repeat(300)}`,
  '/whip',
  '/whip/ext_unknown/key/more/and/more',
  '/hls/bcast_unknown/index.m3u8?token=secret',
  '/hls/../../etc/passwd',
  '/recordings/rec_unknown.mp4',
  '/v1/rooms/room_1',
  '/v1/meetings/room_1/external-sessions/ext_1',
  '/dashboard/whatever/x',
  '/*',
];
