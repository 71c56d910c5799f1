const gatheringPatienceMs = 2_000;

/** Where a media node answers an offer, and what proves that one may make it. */
export interface MediaEndpoint {
  url: string;
  token: string;
}

/** A peer connection that was opened by one HTTP request, as WHIP and WHEP do. */
export interface OpenedConnection {
  readonly connection: RTCPeerConnection;
  /** Says goodbye to the media node; safe to call twice. */
  close(): Promise<void>;
}

/** What a media node answered instead of a session. */
export class SignallingError extends Error {
  override readonly name = 'SignallingError';
}

/** Offers what the connection has, with all its candidates (RFC 9725, 4.2), and takes the answer. */
export async function openConnection(
  connection: RTCPeerConnection,
  { url, token }: MediaEndpoint,
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
    // Also when the page goes away; a node that cannot be reached finds out by itself.
    await fetch(location, { method: 'DELETE', headers, keepalive: true }).catch(() => undefined);
  };
  return { connection, close: () => (closed ??= close()) };
}

async function messageIn(response: Response): Promise<string> {
  const answer = (await response.json().catch(() => ({}))) as { error?: string };
  return answer.error ?? `${response.status} ${response.statusText}`;
}

/** Servers that do not answer must not hold up those that do. */
function gathered(connection: RTCPeerConnection): Promise<void> {
  return new Promise(resolve => {
    if (connection.iceGatheringState === 'complete') return resolve();
    const timer = setTimeout(resolve, gatheringPatienceMs);
    connection.addEventListener('icegatheringstatechange', () => {
      if (connection.iceGatheringState !== 'complete') return;
      clearTimeout(timer);
      resolve();
    });
  });
}
