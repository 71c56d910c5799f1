export { Player, type PlayerOptions } from './player.js';
export type { PlayerState, PlayerStatus } from './player-status.js';
export type { PlayerSource, WhepEndpoint } from './transports/player-source.js';
export type { PlayerReason } from './transports/failure.js';
export type { MediaKind, PlayerStats, TransportKind } from './transports/transport.js';
export { type HttpSession, offerOverHttp } from './transports/http-session.js';
export { RtmsPlayerElement } from './player-element.js';
