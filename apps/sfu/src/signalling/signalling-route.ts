/** What a WHIP or WHEP path names: an endpoint, or with `key` one of its session URLs. */
export interface SignallingRoute {
  protocol: 'whip' | 'whep';
  /** External session or playback. */
  resourceID: string;
  key?: string;
  /** Below a viewer's session URL. */
  extension?: 'events' | 'layer';
  /** One event stream. */
  stream?: string;
}

const pattern = /^\/(whip|whep)\/([A-Za-z0-9_-]{1,128})(?:\/([A-Za-z0-9_-]{1,128}))?\/?$/;
const extensionPattern = /^(\/whep\/[^/]+\/[^/]+)\/(?:(layer)|(events)(?:\/([A-Za-z0-9_-]{1,128}))?)\/?$/;

/** undefined for any other path. */
export function parseSignallingPath(path: string): SignallingRoute | undefined {
  return parseExtensionPath(path) ?? parseResourcePath(path);
}

function parseExtensionPath(path: string): SignallingRoute | undefined {
  const [, sessionPath = '', layer, , stream] = extensionPattern.exec(path) ?? [];
  const session = parseResourcePath(sessionPath);
  const extension = layer === undefined ? 'events' : 'layer';
  return session && { ...session, extension, ...(stream !== undefined && { stream }) };
}

function parseResourcePath(path: string): SignallingRoute | undefined {
  const [, protocol, resourceID, key] = pattern.exec(path) ?? [];
  if (resourceID === undefined || (protocol !== 'whip' && protocol !== 'whep')) return undefined;
  return { protocol, resourceID, ...(key !== undefined && { key }) };
}

/** Of the endpoint or session URL. */
export function signallingPath({ protocol, resourceID, key }: SignallingRoute): string {
  return key === undefined ? `/${protocol}/${resourceID}` : `/${protocol}/${resourceID}/${key}`;
}

/** Methods of an endpoint and of a session URL. */
export function allowedMethods(route: SignallingRoute): readonly string[] {
  if (route.stream !== undefined) return ['OPTIONS', 'GET', 'DELETE'];
  if (route.extension === 'events') return ['OPTIONS', 'POST'];
  if (route.extension === 'layer') return ['OPTIONS', 'POST', 'DELETE'];
  return route.key === undefined ? ['OPTIONS', 'GET', 'HEAD', 'POST'] : ['OPTIONS', 'GET', 'HEAD', 'PATCH', 'DELETE'];
}
