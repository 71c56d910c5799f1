import { createHash } from 'node:crypto';
import { waitFor } from '@rtms/testing';
import type { ApiClient } from './api-client.js';

interface Recording {
  recordingID: string;
  state: string;
  checksumSha256: string;
  downloadUrl: string;
}

async function recordingIn(api: ApiClient, method: string, path: string, body?: object): Promise<Recording> {
  const answer = await api.call(method, path, body);
  if (answer.status !== 200) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
  return (answer.body as unknown as { recording: Recording }).recording;
}

/** Records some seconds of a session; answers the recording once its file is there. */
export async function recordSome(api: ApiClient, meetingID: string, sourceSessionID: string): Promise<Recording> {
  const { recordingID } = await recordingIn(api, 'POST', '/v1/recordings', {
    action: 'start',
    meetingID,
    sourceSessionID,
  });
  await becomes(api, recordingID, 'recording');
  const begun = Date.now();
  await waitFor(() => Date.now() - begun > 2_000, { what: 'two seconds of media' });
  await recordingIn(api, 'POST', '/v1/recordings', { action: 'stop', recordingID });
  return becomes(api, recordingID, 'ready');
}

function becomes(api: ApiClient, recordingID: string, state: string): Promise<Recording> {
  const read = async () => {
    const found = await recordingIn(api, 'GET', `/v1/recordings?recordingID=${recordingID}`);
    return found.state === state ? found : undefined;
  };
  return waitFor(read, { timeoutMs: 60_000, what: `${recordingID} to be ${state}` });
}

/** What its download has, by SHA-256. */
export async function downloadedChecksum(api: ApiClient, recordingID: string): Promise<string> {
  const { downloadUrl } = await becomes(api, recordingID, 'ready');
  const response = await fetch(downloadUrl);
  if (!response.ok) throw new Error(`${response.status} for a recording`);
  return createHash('sha256')
    .update(Buffer.from(await response.arrayBuffer()))
    .digest('hex');
}
