import type { AccountRole, DashboardRole, EntitlementStates } from './accounts/account.js';
import { encoderProtocols } from './ingest-commands.js';
import type { SessionStatistics } from './sfu-commands.js';
import type { HealthCode } from './vocabulary/states.js';
import type { ParticipantRole } from './vocabulary/token-claims.js';

/**
 * The API between the dashboard and the gateway, under `/dashboard/api`.
 *
 * - **Cookie**: signing in sets `rtms_session` (`HttpOnly`, `SameSite=Lax`, `Path=/`, `Secure` over TLS); fetch with
 *   `credentials: 'same-origin'`, the default. Scripts cannot read the cookie. Signing out clears it.
 * - **CSRF**: every request except GET and HEAD needs the session's `csrfToken` in `X-CSRF-Token`, also to `/v1` and
 *   `/admin/v1`. Only signing in needs none. Without it: 403 `csrf_token_missing`. The token does not change during a
 *   session.
 * - **Same origin**: a request with the cookie from another origin gets 403 `origin_not_allowed`.
 * - **`/v1` by cookie**: send no `Authorization`. The caller is the account with the operations of the user's role;
 *   `X-RTMS-Environment: sandbox | production` limits the caller to one environment, like a key of that type. Without the
 *   header the caller reaches rooms of both and creates sandbox rooms. Administrators call `/admin/v1` in the same way, and
 *   get 403 `not_permitted` from `/v1` and from the routes for accounts.
 * - **Ended sessions**: a revoked or expired session gets 401 `invalid_credentials` from every route but `GET /session`.
 * - Every response is `{ success: true, … }` or the failure body of `/v1`: `{ success: false, error, code, reason }`.
 *
 * | Route | Sent | Answer |
 * |---|---|---|
 * | `POST /session` | `SignInRequest` | 201 `SessionAnswer`; 401 `invalid_credentials` or `second_factor_required`; 429 with `Retry-After` |
 * | `GET /session` | | `CurrentSessionAnswer`: the session is null if nobody is signed in |
 * | `DELETE /session` | | `{ success, signedOut: true }` |
 * | `POST /session/confirmation` | `{ currentPassword }` | `SessionAnswer`; new keys and passwords need it ten minutes after the sign-in, else 403 `confirmation_required`; 403 `wrong_password` |
 * | `POST /password` | `ChangePasswordRequest` | `SessionAnswer`; ends every other session of this user; 403 `wrong_password` |
 * | `POST /totp` | `{}` | 201 `TotpSetupAnswer`; each call makes a new secret until one is confirmed |
 * | `GET /totp` | | `SecondFactorAnswer` |
 * | `POST /totp/confirm` | `{ code }` | `TotpConfirmedAnswer`; from then on signing in needs a code; 403 `wrong_code`, 409 `already_exists` |
 * | `POST /totp/recovery-codes` | `BothFactors` | 201 `RecoveryCodesAnswer`: those from before are void; 403 `wrong_password`, `wrong_code`; 409 `no_second_factor` |
 * | `POST /password-reset` | `{ token, newPassword }`, without a session | `{ success, passwordReset: true }`; 401 `invalid_credentials` |
 * | `DELETE /totp` | `BothFactors` | `SessionAnswer`; 403 `wrong_password`, `wrong_code`; 409 `no_second_factor` |
 * | `GET /users` | | a page of users of the account, for owners as all routes of users and invitations |
 * | `POST /users/:userID/role` | `{ role }` | `{ success, user }`; 409 `last_owner` |
 * | `POST /users/:userID/reset-link` | | `{ success, resetLink }` |
 * | `DELETE /users/:userID` | | ends the user's sessions; 409 `last_owner` |
 * | `GET /invitations` | | a page of the open invitations |
 * | `POST /invitations` | `{ email, role }` | 201 `{ success, invitation }` with the link; 403 `limit_reached`, 409 `already_exists` |
 * | `DELETE /invitations/:invitationID` | | the link stops working |
 * | `POST /invitations/accept` | `{ token, newPassword }`, without a session | 201 `{ success, email }`; 401 `invalid_credentials`, 409 `name_taken` |
 * | `GET /setup` | without a session | `{ success, setup: { isEmpty } }`: whether there is no user |
 * | `POST /setup` | `{ code, email, newPassword }`, without a session | 201 `{ success, email }`; 401 `invalid_credentials`, 409 `already_exists` |
 * | `GET /keys` | | `KeysAnswer`: the account's main keys |
 * | `POST /keys` | `{ type }` | 201 `IssuedKeyAnswer`; 409 `name_taken` when there is a current one |
 * | `POST /keys/rotate` | `{ type, overlapHours? }` | 201 `IssuedKeyAnswer` |
 * | `POST /keys/:keyID/disable` | `{ force? }` | `{ success, key: MainKey }`; 409 `last_key` |
 * | `POST /keys/:keyID/enable` | `{}` | `{ success, key: MainKey }`; 409 `already_revoked` |
 * | `DELETE /keys/:keyID?force=true` | | `{ success, key: MainKey }`; 409 `last_key` |
 * | `GET /overview?from&to&bucket` | RFC 3339, `minute`, `hour` or `day`; all optional | `OverviewAnswer` |
 * | `GET /overview/live` | | `LiveAnswer`: the newest live sessions. |
 * | `GET /entitlements` | | `EntitlementsAnswer` |
 * | `GET /ingest-protocols` | | `IngestProtocolsAnswer` |
 * | `GET /rooms/:meetingID/live` | | `RoomLiveAnswer` |
 * | `GET /external-sessions/:sessionID/statistics` | | `StatisticsAnswer`, measured anew each time but for the picture, which is looked at every 15 s; 409 `source_not_active`, 503 while no node answers |
 * | `GET /events` | | `text/event-stream` of `DashboardEvent` |
 */
export const dashboardApi = '/dashboard/api';

export const dashboardCookie = 'rtms_session';
export const csrfHeader = 'X-CSRF-Token';
export const environmentHeader = 'X-RTMS-Environment';

export interface SignInRequest {
  /** Case-insensitive. */
  email: string;
  password: string;
  /** Six digits or a recovery code, if the user has a second factor. A code is valid once. */
  code?: string;
}

/** `newPassword` has 12 to 256 characters. */
export interface ChangePasswordRequest {
  currentPassword: string;
  newPassword: string;
}

export interface DashboardSession {
  user: {
    userID: string;
    email: string;
    role: DashboardRole;
    /** Whether signing in needs a code. */
    totpEnabled: boolean;
  };
  /** null for an administrator. */
  account: { accountID: string; name: string; apiUserName: string } | null;
  csrfToken: string;
  /** Latest end of the session. Without requests it ends earlier, at `idleExpiresAt`. */
  expiresAt: string;
  idleExpiresAt: string;
}

/** A response of this API. */
type Success<Fields> = { success: true } & Fields;

export type SessionAnswer = Success<{ session: DashboardSession }>;

/** null: nobody is signed in. */
export type CurrentSessionAnswer = Success<{ session: DashboardSession | null }>;

/** `uri` is `otpauth://totp/…`, for a QR code; `secret` is the same in base32, for typing. */
export type TotpSetupAnswer = Success<{ totp: { secret: string; uri: string } }>;

/** Number of recovery codes. */
export const recoveryCodeCount = 10;

/** Each recovery code replaces a code of the app once. Only this response contains them. */
export type RecoveryCodesAnswer = Success<{ recoveryCodes: string[] }>;
export type TotpConfirmedAnswer = SessionAnswer & RecoveryCodesAnswer;

export type SecondFactorAnswer = Success<{ secondFactor: { enabled: boolean; recoveryCodesLeft: number } }>;

/** `code`: six digits, or a recovery code. */
export interface BothFactors {
  currentPassword: string;
  code: string;
}

/** A user who signs in to the dashboard of the account. */
export interface TeamUser {
  userID: string;
  email: string;
  role: AccountRole;
  /** Whether signing in needs a code. */
  totpEnabled: boolean;
  createdAt: string;
}

export interface Invitation {
  invitationID: string;
  email: string;
  role: AccountRole;
  createdAt: string;
  expiresAt: string;
}

/** Only this response contains the link. */
export type IssuedInvitationAnswer = Success<{ invitation: Invitation & { url: string } }>;
export type ResetLinkAnswer = Success<{ resetLink: { url: string; expiresAt: string } }>;

export interface MainKey {
  keyID: string;
  type: 'sandbox' | 'production';
  /** The first eight characters and the last four. */
  maskedKey: string;
  state: 'active' | 'overlapping' | 'disabled' | 'expired' | 'revoked';
  createdAt: string;
  expiresAt: string | null;
}

export type KeysAnswer = Success<{ keys: MainKey[] }>;

/** Both halves of the credential. Only this response contains them. */
export type IssuedKeyAnswer = Success<{ key: MainKey & { apiUserName: string; apiKey: string } }>;

export const overviewBuckets = ['minute', 'hour', 'day'] as const;
export type OverviewBucket = (typeof overviewBuckets)[number];

export interface OverviewNow {
  roomsActive: number;
  /** Participants in rooms, without external sessions. */
  participants: number;
  externalSessionsActive: number;
  viewers: number;
  broadcastsActive: number;
  recordingsRunning: number;
  /** Remaining whole minutes. */
  minutesLeft: Record<'sandbox' | 'production', { meetingMinutes: number; recordingMinutes: number }>;
}

/** Starts and minutes from `start` to the next bucket. */
export interface OverviewPoint {
  start: string;
  /** Actual minutes of participants and external sessions, with fractions. */
  participantMinutes: number;
  recordingMinutes: number;
  roomsCreated: number;
  externalSessionsCreated: number;
  broadcastsCreated: number;
}

/**
 * Default: the last 24 hours by hour. At most 750 buckets, empty ones included. The first bucket starts at or before `from`,
 * at a whole minute, hour or day of UTC.
 */
export type OverviewAnswer = Success<{
  overview: { from: string; to: string; bucket: OverviewBucket; now: OverviewNow; points: OverviewPoint[] };
}>;

/** An external session that sends media. */
export interface LiveSession {
  sessionID: string;
  meetingID: string;
  displayName: string;
  roomName: string | null;
  health: HealthCode[];
  /** Connected WHEP viewers. */
  viewers: number;
  broadcasts: number;
  recordings: number;
  activatedAt: string;
  /** Signed path of a JPEG, below the gateway; null without video. Each answer signs it anew. */
  thumbnail: string | null;
}

/** Whether the account has ever done it. */
export interface FirstSteps {
  key: boolean;
  room: boolean;
  publish: boolean;
  watch: boolean;
  broadcast: boolean;
}

/** `sessions`: the newest 24 of `total`. */
export type LiveAnswer = Success<{ live: { sessions: LiveSession[]; total: number; steps: FirstSteps } }>;

export type EntitlementsAnswer = Success<{ entitlements: EntitlementStates }>;

/** The protocols of encoders. */
export const shownIngestProtocols = ['whip', ...encoderProtocols] as const;

/** Reasons for which the account may not use a protocol. */
export const protocolObstacles = ['disabled_on_platform', 'disabled_for_account', 'not_entitled'] as const;
export type ProtocolObstacle = (typeof protocolObstacles)[number];

/** null: the account may use the protocol. */
export type IngestProtocolStates = Record<(typeof shownIngestProtocols)[number], ProtocolObstacle | null>;
export type IngestProtocolsAnswer = Success<{ ingestProtocols: IngestProtocolStates }>;

export interface RoomMember {
  participantID: string;
  userName: string;
  role: ParticipantRole;
  state: string;
  createdAt: string;
}

/**
 * The parts of a room that change every second. `/v1` has the rest. `members`: the newest 200 in the room or expected. `viewers`:
 * by running playback.
 */
export type RoomLiveAnswer = Success<{
  live: { members: RoomMember[]; viewers: { playbackID: string; sourceSessionID: string; viewerCount: number }[] };
}>;

export type StatisticsAnswer = Success<{ statistics: SessionStatistics }>;

export const dashboardEventKinds = [
  'room',
  'externalSession',
  'playback',
  'broadcast',
  'recording',
  'restream',
  'participant',
  'balance',
  'key',
  'disposableKey',
  'domain',
  'eventsSetting',
  'recordingSetting',
  'subUser',
  'aiCredential',
  'sipConfig',
  'translationConfig',
  'agent',
  'webhook',
] as const;
export type DashboardEventKind = (typeof dashboardEventKinds)[number];

/**
 * A resource of the account was created, changed or deleted; fetch it again. The stream sends `event: change` with this JSON in
 * `data`. It sends `event: ready` once it watches changes, also after each reconnect; fetch everything then. Changes of one
 * second are combined. The service closes the stream when it stops or when the session ends.
 */
export interface DashboardEvent {
  /** `id` null: any number of resources of this kind. */
  changes: { kind: DashboardEventKind; id: string | null }[];
}
