import { openConnection, type MediaEndpoint, type OpenedConnection } from './http-signalling.js';

export interface Watching extends OpenedConnection {
  /** Its tracks come once the connection does. */
  readonly stream: MediaStream;
}

/** Receives what an endpoint plays. */
export async function watch(kinds: readonly ('audio' | 'video')[], endpoint: MediaEndpoint): Promise<Watching> {
  const connection = new RTCPeerConnection();
  const stream = new MediaStream();
  connection.addEventListener('track', ({ track }) => stream.addTrack(track));
  for (const kind of kinds) connection.addTransceiver(kind, { direction: 'recvonly' });
  try {
    return { stream, ...(await openConnection(connection, endpoint)) };
  } catch (error) {
    connection.close();
    throw error;
  }
}
