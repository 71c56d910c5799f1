interface ViewerListener {
  /** The source sends again, or has stopped. */
  onActive: (isActive: boolean) => void;
  /** The media node closed the stream: the playback has ended, or the viewer moves to another node. */
  onClosed: () => void;
}

/**
 * Follows the events of a WHEP viewer (draft-ietf-wish-whep, server-sent events) until `signal` aborts. `EventSource` cannot send the
 * token, so this reads the stream of `fetch`.
 */
export async function followViewer(
  { location, token, signal }: { location: string; token: string; signal: AbortSignal },
  { onActive, onClosed }: ViewerListener,
): Promise<void> {
  const headers = { Authorization: `Bearer ${token}` };
  try {
    const made = await fetch(`${location}/events`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify(['active', 'inactive', 'reconnect']),
      signal,
    });
    if (!made.ok) throw new Error(`The media node answered ${made.status}.`);
    const stream = new URL(made.headers.get('Location') ?? '', location).href;
    const { body } = await fetch(stream, { headers, signal });
    for await (const event of eventsIn(body)) {
      if (event === 'active' || event === 'inactive') onActive(event === 'active');
    }
  } catch {
    // The connection was lost. The caller hears so below.
  }
  if (!signal.aborted) onClosed();
}

/** The types of the events of a stream, as they arrive. */
async function* eventsIn(body: ReadableStream<Uint8Array<ArrayBuffer>> | null): AsyncGenerator<string> {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const read = await reader?.read();
    if (!read || read.done) return;
    const lines = `${text}${read.value}`.split('\n');
    text = lines.pop() ?? '';
    for (const line of lines) if (line.startsWith('event: ')) yield line.slice('event: '.length).trim();
  }
}
