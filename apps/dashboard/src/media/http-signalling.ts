/** A STUN or TURN server that does not answer must not delay the offer for longer. */
const gatheringTimeoutMs = 2_000;

/** The address of a media node that answers offers, and the token that permits one. */
interface MediaEndpoint {
  url: string;
  token: string;
  onLost: (why: string) => void;
  /** Others may use the token later: closing sends no DELETE, because that of the last viewer ends the playback. */
  isShared?: boolean;
}

/** A peer connection that one HTTP request opened, as WHIP and WHEP do. */
interface OpenedConnection {
  /** Ends the session on the media node. Closing twice is safe. */
  close(): Promise<void>;
  /** The session’s own address on the media node. */
  readonly location: string;
}

/** A media node refused the offer. */
class SignallingError extends Error {
  override readonly name = 'SignallingError';
}

/** Sends an offer with all candidates (RFC 9725, 4.2), and applies the answer. Closes the connection on failure. */
async function openConnection(connection: RTCPeerConnection, endpoint: MediaEndpoint): Promise<OpenedConnection> {
  try {
    const opened = await signal(connection, endpoint);
    connection.addEventListener('connectionstatechange', () => {
      if (connection.connectionState === 'failed') endpoint.onLost('The connection was lost.');
    });
    return opened;
  } catch (error) {
    connection.close();
    throw error;
  }
}

async function signal(
  connection: RTCPeerConnection,
  { url, token, isShared = false }: MediaEndpoint,
): Promise<OpenedConnection> {
  const headers = { Authorization: `Bearer ${token}` };
  await connection.setLocalDescription();
  await gathered(connection);
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/sdp' },
    body: connection.localDescription?.sdp ?? '',
  });
  if (!response.ok) throw new SignallingError(await messageIn(response));
  const location = new URL(response.headers.get('Location') ?? '', url).href;
  await connection.setRemoteDescription({ type: 'answer', sdp: await response.text() });
  let closed: Promise<void> | undefined;
  const close = async () => {
    connection.close();
    if (isShared) return;
    // keepalive: the request also leaves when the page closes. An unreachable node detects the end by itself.
    await fetch(location, { method: 'DELETE', headers, keepalive: true }).catch(() => undefined);
  };
  return { location, close: () => (closed ??= close()) };
}

async function messageIn(response: Response): Promise<string> {
  const answer = (await response.json().catch(() => ({}))) as { error?: string };
  return answer.error ?? `${response.status} ${response.statusText}`;
}

function gathered(connection: RTCPeerConnection): Promise<void> {
  return new Promise(resolve => {
    if (connection.iceGatheringState === 'complete') return resolve();
    const timer = setTimeout(resolve, gatheringTimeoutMs);
    connection.addEventListener('icegatheringstatechange', () => {
      if (connection.iceGatheringState !== 'complete') return;
      clearTimeout(timer);
      resolve();
    });
  });
}

export async function publish(stream: MediaStream, endpoint: MediaEndpoint): Promise<OpenedConnection> {
  const connection = new RTCPeerConnection();
  for (const track of stream.getTracks())
    connection.addTransceiver(track, { direction: 'sendonly', streams: [stream] });
  return openConnection(connection, endpoint);
}

interface Watching extends OpenedConnection {
  /** Tracks are added as the connection opens. */
  readonly stream: MediaStream;
}

export async function watch(kinds: readonly ('audio' | 'video')[], endpoint: MediaEndpoint): Promise<Watching> {
  const connection = new RTCPeerConnection();
  const stream = new MediaStream();
  connection.addEventListener('track', ({ track }) => stream.addTrack(track));
  for (const kind of kinds) connection.addTransceiver(kind, { direction: 'recvonly' });
  return { stream, ...(await openConnection(connection, endpoint)) };
}
