import type { ApiClient } from './api-client.js';

/** Media of a room, by the names of its list and its identifier in the API. */
interface Media {
  path: string;
  list: string;
  id: string;
}

/** The pictures on the page of a room, in the order in which the API lets their media end. */
export function picturesOf(meetingID: string): (Media & { panel: string })[] {
  const media = `/v1/meetings/${meetingID}`;
  return [
    { panel: 'Watch by WHEP', path: `${media}/playbacks`, list: 'playbacks', id: 'playbackID' },
    { panel: 'Watch by HLS', path: `${media}/broadcasts`, list: 'broadcasts', id: 'broadcastID' },
    { panel: 'Publish', path: `${media}/external-sessions`, list: 'externalSessions', id: 'sessionID' },
  ];
}

/** Ends what runs. Media that ended before are listed too; their deletion changes nothing. */
export async function endRunning(api: ApiClient, { path, list, id }: Media): Promise<void> {
  const body = (await api.expect(200, 'GET', path)) as unknown as Record<string, Record<string, string>[]>;
  for (const each of body[list] ?? []) await api.expect(200, 'DELETE', `${path}/${each[id] ?? ''}`);
}
