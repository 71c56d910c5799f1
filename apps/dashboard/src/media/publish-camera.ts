import { offerOverHttp } from '@rtms/player';
import { sessions } from '../api/meetings.js';
import { mayUseCamera } from './camera-access.js';

const cameraConstraints: MediaStreamConstraints = {
  audio: true,
  video: { width: { ideal: 1280 }, height: { ideal: 720 } },
};

export async function openCamera(): Promise<MediaStream> {
  if (!mayUseCamera()) throw new Error('The camera needs HTTPS or localhost.');
  return navigator.mediaDevices.getUserMedia(cameraConstraints).catch((error: unknown) => {
    throw new Error(
      'The page cannot use the camera. Allow it in the browser, and check that no other program uses it.',
      { cause: error },
    );
  });
}

export function stopTracks(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}

export interface Published {
  sessionID: string;
}

interface PublishOptions {
  /** The caller aborts it to stop. */
  signal: AbortSignal;
  onLost: (why: string) => void;
}

/** Creates an external session for this browser, and publishes into it. */
export async function publishCamera(
  stream: MediaStream,
  meetingID: string,
  { signal, onLost }: PublishOptions,
): Promise<Published> {
  const { sessionID, ingest } = await sessions.create(meetingID, {
    displayName: 'Browser camera',
    ingest: { protocol: 'whip', tracks: ['video', 'audio'] },
  });
  const connection = new RTCPeerConnection();
  for (const track of stream.getTracks())
    connection.addTransceiver(track, { direction: 'sendonly', streams: [stream] });
  try {
    const opened = await offerOverHttp(connection, { url: ingest.url ?? '', token: ingest.token ?? '' });
    if (signal.aborted) void opened.close();
    else signal.addEventListener('abort', () => void opened.close());
  } catch (error) {
    connection.close();
    throw error;
  }
  connection.addEventListener('connectionstatechange', () => {
    if (connection.connectionState === 'failed') onLost('The connection was lost.');
  });
  return { sessionID };
}
