/** What a WHIP or WHEP path names: an endpoint, or with `key` one of its session URLs. */
export interface SignallingRoute {
  protocol: 'whip' | 'whep';
  /** External session or playback. */
  resourceID: string;
  key?: string;
}

const pattern = /^\/(whip|whep)\/([A-Za-z0-9_-]{1,128})(?:\/([A-Za-z0-9_-]{1,128}))?\/?$/;

/** undefined for any other path. */
export function parseSignallingPath(path: string): SignallingRoute | undefined {
  const [, protocol, resourceID, key] = pattern.exec(path) ?? [];
  if (resourceID === undefined || (protocol !== 'whip' && protocol !== 'whep')) return undefined;
  return { protocol, resourceID, ...(key !== undefined && { key }) };
}

export function signallingPath({ protocol, resourceID, key }: SignallingRoute): string {
  return key === undefined ? `/${protocol}/${resourceID}` : `/${protocol}/${resourceID}/${key}`;
}

/** Methods of an endpoint and of a session URL. */
export function allowedMethods(route: SignallingRoute): readonly string[] {
  return route.key === undefined ? ['OPTIONS', 'GET', 'HEAD', 'POST'] : ['OPTIONS', 'GET', 'HEAD', 'PATCH', 'DELETE'];
}
