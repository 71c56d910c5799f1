/**
 * What the page may load and reach: itself, and the media nodes that it publishes to (WHIP) and plays from (WHEP, HLS).
 * hls.js plays from blobs and works in a worker made of one; the agent importer works in a worker of the page's own files; the
 * components set styles on their elements.
 */
export function contentPolicy(nodeAddresses: readonly string[]): string {
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
    'frame-ancestors': ["'none'"],
  };
  return Object.entries(directives)
    .map(([name, sources]) => [name, ...sources].join(' '))
    .join('; ');
}

/** A policy is a list with semicolons: nothing but an origin gets in. */
function originOf(address: string): string[] {
  if (!URL.canParse(address)) return [];
  const { origin } = new URL(address);
  return /^https?:\/\/[\w.:[\]-]+$/.test(origin) ? [origin] : [];
}
