import type { EntitlementStates } from './entitlements.js';
import type { SessionStatistics } from './sfu-commands.js';

/**
 * What the dashboard's page and the gateway say to each other, under `/dashboard/api`.
 *
 * - **Cookie**: signing in sets `rtms_session` (`HttpOnly`, `SameSite=Lax`, `Path=/`, `Secure` over TLS); fetch with
 *   `credentials: 'same-origin'`, the default. It is the browser's alone: no script reads it. Signing out clears it.
 * - **CSRF**: every request but GET and HEAD carries the `csrfToken` of the session in `X-CSRF-Token`, also those to
 *   `/v1` and `/admin/v1`; only signing in needs none. Without it: 403, reason `csrf_token_missing`. The token stays
 *   the same for as long as the session lives.
 * - **Same origin**: a cookie from a page of another origin is refused: 403, reason `origin_not_allowed`.
 * - **`/v1` by cookie**: send no `Authorization`. The caller is the account with all operations of its main keys;
 *   `X-RTMS-Environment: sandbox | production` narrows it to one environment, as a key of that type. Without the header
 *   the caller reaches rooms of both, and makes sandbox rooms. Administrators call `/admin/v1` in the same way, and get 403 `not_permitted` from `/v1` and from what is
 *   about an account here.
 * - **Over**: a session that was revoked or ran out gets 401 `invalid_credentials` from every route.
 * - Every answer is `{ success: true, … }` or the failure form of `/v1`: `{ success: false, error, code, reason }`.
 *
 * | Route | Sent | Answer |
 * |---|---|---|
 * | `POST /session` | `SignInRequest` | 201 `SessionAnswer`; 401 `invalid_credentials` or `second_factor_required`; 429 with `Retry-After` |
 * | `GET /session` | | `SessionAnswer` |
 * | `DELETE /session` | | `{ success, signedOut: true }` |
 * | `POST /session/confirmation` | `{ currentPassword }` | `SessionAnswer`; new keys and passwords need it ten minutes after the sign-in, else 403 `confirmation_required`; 403 `wrong_password` |
 * | `POST /password` | `ChangePasswordRequest` | `SessionAnswer`; ends every other session of this user; 403 `wrong_password` |
 * | `POST /totp` | `{}` | 201 `TotpSetupAnswer`; each call makes a new secret until one is confirmed |
 * | `GET /totp` | | `SecondFactorAnswer` |
 * | `POST /totp/confirm` | `{ code }` | `TotpConfirmedAnswer`; from then on signing in needs a code; 403 `wrong_code`, 409 `already_exists` |
 * | `POST /totp/recovery-codes` | `BothFactors` | 201 `RecoveryCodesAnswer`: those from before are void; 403 `wrong_password`, `wrong_code`; 409 `no_second_factor` |
 * | `POST /password-reset` | `{ token, newPassword }`, without a session | `{ success, passwordReset: true }`; 401 `invalid_credentials` |
 * | `DELETE /totp` | `BothFactors` | `SessionAnswer`; 403 `wrong_password`, `wrong_code`; 409 `no_second_factor` |
 * | `GET /keys` | | `KeysAnswer`: the account's main keys |
 * | `POST /keys` | `{ type }` | 201 `IssuedKeyAnswer`; 409 `name_taken` when there is a current one |
 * | `POST /keys/rotate` | `{ type, overlapHours? }` | 201 `IssuedKeyAnswer` |
 * | `POST /keys/:keyID/disable` | `{ force? }` | `{ success, key: MainKey }`; 409 `last_key` |
 * | `POST /keys/:keyID/enable` | `{}` | `{ success, key: MainKey }`; 409 `already_revoked` |
 * | `DELETE /keys/:keyID?force=true` | | `{ success, key: MainKey }`; 409 `last_key` |
 * | `GET /overview?from&to&bucket` | RFC 3339, `minute`, `hour` or `day`; all optional | `OverviewAnswer` |
 * | `GET /entitlements` | | `EntitlementsAnswer` |
 * | `GET /rooms/:meetingID/live` | | `RoomLiveAnswer` |
 * | `GET /external-sessions/:sessionID/statistics` | | `StatisticsAnswer`, measured anew each time but for the picture, which is looked at every 15 s; 409 `source_not_active`, 503 while no node answers |
 * | `GET /events` | | `text/event-stream` of `DashboardEvent` |
 */
export const dashboardApi = '/dashboard/api';

export const dashboardCookie = 'rtms_session';
export const csrfHeader = 'X-CSRF-Token';
export const environmentHeader = 'X-RTMS-Environment';

export const dashboardRoles = ['owner', 'administrator'] as const;
/** `owner`: of one account; `administrator`: of the platform, without an account. */
export type DashboardRole = (typeof dashboardRoles)[number];

export interface SignInRequest {
  /** Letter case makes no difference. */
  email: string;
  password: string;
  /** Six digits, or a recovery code; needed when the user has a second factor. A code is good once. */
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
  /** At the latest; without a request for some time it ends earlier, at `idleExpiresAt`. */
  expiresAt: string;
  idleExpiresAt: string;
}

export interface SessionAnswer {
  success: true;
  session: DashboardSession;
}

export interface TotpSetupAnswer {
  success: true;
  /** `uri` is `otpauth://totp/…`, for a QR code; `secret` is the same in base32, for typing. */
  totp: { secret: string; uri: string };
}

/** How many are made at a time. */
export const recoveryCodeCount = 10;

/** `recoveryCodes` take the place of a code when the app is lost, each once; they stand in this answer and nowhere else. */
export interface TotpConfirmedAnswer extends SessionAnswer {
  recoveryCodes: string[];
}

export interface RecoveryCodesAnswer {
  success: true;
  recoveryCodes: string[];
}

export interface SecondFactorAnswer {
  success: true;
  secondFactor: { enabled: boolean; recoveryCodesLeft: number };
}

/** `code`: six digits, or a recovery code. */
export interface BothFactors {
  currentPassword: string;
  code: string;
}

export interface MainKey {
  keyID: string;
  type: 'sandbox' | 'production';
  /** The first eight characters and the last four. */
  maskedKey: string;
  state: 'active' | 'overlapping' | 'disabled' | 'expired' | 'revoked';
  createdAt: string;
  expiresAt: string | null;
}

export interface KeysAnswer {
  success: true;
  keys: MainKey[];
}

/** The credential's two halves, in this answer and nowhere else. */
export interface IssuedKeyAnswer {
  success: true;
  key: MainKey & { apiUserName: string; apiKey: string };
}

export const overviewBuckets = ['minute', 'hour', 'day'] as const;
export type OverviewBucket = (typeof overviewBuckets)[number];

export interface OverviewNow {
  roomsActive: number;
  /** In rooms, external sessions not counted. */
  participants: number;
  externalSessionsActive: number;
  viewers: number;
  broadcastsActive: number;
  recordingsRunning: number;
  /** Whole minutes that are left. */
  minutesLeft: Record<'sandbox' | 'production', { meetingMinutes: number; recordingMinutes: number }>;
}

/** What began, and what ran, from `start` until the next bucket. */
export interface OverviewPoint {
  start: string;
  /** Of participants and external sessions, as they really ran; with fractions. */
  participantMinutes: number;
  recordingMinutes: number;
  roomsCreated: number;
  externalSessionsCreated: number;
  broadcastsCreated: number;
}

/**
 * Without parameters the last 24 hours by the hour. At most 750 buckets; buckets without anything are there too. The
 * first one begins at or before `from`, on a whole minute, hour or day of UTC.
 */
export interface OverviewAnswer {
  success: true;
  overview: { from: string; to: string; bucket: OverviewBucket; now: OverviewNow; points: OverviewPoint[] };
}

export interface EntitlementsAnswer {
  success: true;
  entitlements: EntitlementStates;
}

export interface RoomMember {
  participantID: string;
  userName: string;
  role: string;
  state: string;
  createdAt: string;
}

/** What of a room changes by the second; everything else is told by `/v1`. */
export interface RoomLiveAnswer {
  success: true;
  /** `members`: the newest 200 who are in the room or may still come; `viewers`: of each playback that runs. */
  live: { members: RoomMember[]; viewers: { playbackID: string; sourceSessionID: string; viewerCount: number }[] };
}

export interface StatisticsAnswer {
  success: true;
  statistics: SessionStatistics;
}

export const dashboardEventKinds = [
  'room',
  'externalSession',
  'playback',
  'broadcast',
  'recording',
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
] as const;
export type DashboardEventKind = (typeof dashboardEventKinds)[number];

/**
 * Something of the account was made, changed or deleted: fetch it again. The stream has `event: change` with this as
 * JSON in `data`; `event: ready` once changes are watched, also after each reconnect: fetch everything then. Several
 * changes of a second come together. The service closes the stream when it stops or when the session is over.
 */
export interface DashboardEvent {
  changes: { kind: DashboardEventKind; id: string }[];
}
