import type { SignallingRequest, SignallingResponse, TokenPurpose } from '@rtms/contracts';
import type { Room } from '../rooms/room.js';
import type { SignalledPeer } from '../rooms/signalled-peer.js';
import type { MediaCredential } from './credential.js';

/** A parsed WHIP or WHEP path: an endpoint, or with `key` one of its session URLs. */
export interface SignallingRoute {
  protocol: 'whip' | 'whep';
  /** Id of the external session or playback. */
  resourceID: string;
  key?: string;
  /** Below a viewer's session URL. */
  extension?: 'events' | 'layer';
  /** Id of one event stream. */
  stream?: string;
}

const pattern = /^\/(whip|whep)\/([A-Za-z0-9_-]{1,128})(?:\/([A-Za-z0-9_-]{1,128}))?\/?$/;
const extensionPattern = /^(\/whep\/[^/]+\/[^/]+)\/(?:(layer)|(events)(?:\/([A-Za-z0-9_-]{1,128}))?)\/?$/;

/** Parses a path. Returns undefined if it is not a WHIP or WHEP path. */
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

/** Writes the path of an endpoint or a session URL. */
export function signallingPath({ protocol, resourceID, key }: SignallingRoute): string {
  return key === undefined ? `/${protocol}/${resourceID}` : `/${protocol}/${resourceID}/${key}`;
}

/** The allowed methods of a path. */
export function allowedMethods(route: SignallingRoute): readonly string[] {
  if (route.stream !== undefined) return ['OPTIONS', 'GET', 'DELETE'];
  if (route.extension === 'events') return ['OPTIONS', 'POST'];
  if (route.extension === 'layer') return ['OPTIONS', 'POST', 'DELETE'];
  return route.key === undefined ? ['OPTIONS', 'GET', 'HEAD', 'POST'] : ['OPTIONS', 'GET', 'HEAD', 'PATCH', 'DELETE'];
}

/** An accepted offer: the content of the 201 response. */
export interface Opened {
  peer: SignalledPeer;
  answer: string;
}

/** A request below a session URL. */
export interface ExtensionRequest {
  route: SignallingRoute;
  request: SignallingRequest;
  sessionUrl: string;
  /** The URL by which other nodes reach this node. */
  internalUrl: string;
}

/** `@Inject(ENDPOINTS) endpoints: Endpoints`. */
export const ENDPOINTS = Symbol('Endpoints');
export type Endpoints = Readonly<Record<SignallingRoute['protocol'], Endpoint>>;

/** The differences between WHIP and WHEP. `SignallingService` does everything else. */
export interface Endpoint {
  readonly protocol: SignallingRoute['protocol'];
  readonly purpose: TokenPurpose;
  /** Accepts an offer. */
  open(room: Room, resourceID: string, request: SignallingRequest, credential: MediaCredential): Promise<Opened>;
  /** The open connection of a session URL. */
  find(room: Room, resourceID: string, key: string): SignalledPeer | undefined;
  /** The client sent DELETE. */
  leave(room: Room, resourceID: string, key: string, requestID: string): Promise<void>;
  /** Entries of the `Link` header of the 201, beside the ICE servers. */
  links?(sessionUrl: string): string;
  /** Serves the paths below a session URL. */
  extend?(room: Room, call: ExtensionRequest): Promise<SignallingResponse>;
  /** The body of GET with `Accept: application/json`; undefined if the protocol has none. */
  describe(room: Room, resourceID: string): object | undefined;
}
