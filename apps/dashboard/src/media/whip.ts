import { openConnection, type MediaEndpoint, type OpenedConnection } from './http-signalling.js';

/** Publishes a stream's tracks. */
export async function publish(stream: MediaStream, endpoint: MediaEndpoint): Promise<OpenedConnection> {
  const connection = new RTCPeerConnection();
  for (const track of stream.getTracks())
    connection.addTransceiver(track, { direction: 'sendonly', streams: [stream] });
  try {
    return await openConnection(connection, endpoint);
  } catch (error) {
    connection.close();
    throw error;
  }
}
