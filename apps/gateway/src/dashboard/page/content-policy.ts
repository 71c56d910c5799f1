/**
 * The Content-Security-Policy of the page: its own origin, and the media nodes for WHIP, WHEP and HLS.
 * hls.js plays from blobs and runs in a worker from a blob. The agent importer runs in a worker from the page's files. The
 * components set styles on their elements. `mayBeEmbedded`: any site may show the page in a frame.
 */
export function contentPolicy(nodeAddresses: readonly string[], mayBeEmbedded = false): string {
  const nodes = [...new Set(nodeAddresses.flatMap(originOf))].sort();
  const directives: Record<string, readonly string[]> = {
    'default-src': ["'self'"],
    'script-src': ["'self'"],
    'style-src': ["'self'", "'unsafe-inline'"],
    'img-src': ["'self'", 'data:', 'blob:'],
    'font-src': ["'self'", 'data:'],
    'connect-src': ["'self'", ...nodes],
    'media-src': ["'self'", 'blob:', ...nodes],
    'worker-src': ["'self'", 'blob:'],
    'object-src': ["'none'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'frame-ancestors': [mayBeEmbedded ? '*' : "'none'"],
  };
  return Object.entries(directives)
    .map(([name, sources]) => [name, ...sources].join(' '))
    .join('; ');
}

/** Semicolons separate directives, so an address contributes only its origin. */
function originOf(address: string): string[] {
  if (!URL.canParse(address)) return [];
  const { origin } = new URL(address);
  return /^https?:\/\/[\w.:[\]-]+$/.test(origin) ? [origin] : [];
}
