import type { DashboardEventKind } from '@rtms/contracts';
import type { QueryKey } from '@tanstack/react-query';
import type { components as AdministrationComponents } from './generated/administration.js';
import type { components as PublicComponents } from './generated/public.js';
import { request, type QueryValues } from './request.js';

type PublicSchemas = PublicComponents['schemas'];
type AdministrationSchemas = AdministrationComponents['schemas'];

/** A record or body of the public API, by its name in the OpenAPI document: `ApiRecord<'Room'>`. */
export type ApiRecord<Name extends keyof PublicSchemas> = PublicSchemas[Name];

/** A record or body of the administration API. */
export type AdminRecord<Name extends keyof AdministrationSchemas> = AdministrationSchemas[Name];

/** The fields of an action: `ActionFields<'CreateDomainBody'>`. */
export type ActionFields<Name extends keyof PublicSchemas> = Omit<PublicSchemas[Name], 'action'>;

/** Kinds of cached data that no event announces. */
type OtherKind =
  | 'overview'
  | 'log'
  | 'statistics'
  | 'key'
  | 'document'
  | 'admin'
  | 'secondFactor'
  | 'entitlements'
  | 'team';

export type ShownKind = DashboardEventKind | OtherKind;

/** Every query key begins with a kind, so that an event of that kind fetches the data again. */
export function shownKey(kind: ShownKind, ...rest: readonly unknown[]): QueryKey {
  return [kind, ...rest];
}

export interface PageOf {
  startIndex: number;
  pageSize: number;
}

export interface Listing<Item> extends PageOf {
  items: Item[];
  total: number;
  /** false: `total` is a lower bound. */
  isTotalKnown?: boolean;
}

/** A resource of `/v1`: one path, and an `action` in each body. */
export interface Resource<Item, Creating = object, Updating = Partial<Creating>> {
  /** The key of one record in responses, and the kind of its events. */
  kind: ShownKind;
  idOf: (item: Item) => string;
  list: (page: PageOf, filter?: QueryValues, signal?: AbortSignal) => Promise<Listing<Item>>;
  /** The newest 100, for a field that offers them. */
  newest: (signal: AbortSignal, filter?: QueryValues) => Promise<Item[]>;
  find: (id: string, signal?: AbortSignal) => Promise<Item>;
  create: (fields: Creating) => Promise<Item>;
  update: (stored: Item, fields: Updating) => Promise<Item>;
  remove: (stored: Item) => Promise<void>;
  /** Sends any action, and resolves to the whole response body. */
  act: <Answer>(action: string, fields: object) => Promise<Answer>;
}

/** A response names one record `kind` and a list `${kind}s`; `id` is the field of the identifier. */
export function resource<Item extends object, Creating = object, Updating = Partial<Creating>>(
  path: string,
  kind: ShownKind,
  id = `${kind}ID`,
): Resource<Item, Creating, Updating> {
  const act = <Answer>(action: string, fields: object) =>
    request<Answer>('POST', path, { body: { action, ...fields } });
  const record = async (answer: Promise<Record<string, unknown>>) => (await answer)[kind] as Item;
  const idOf = (item: Item) => (item as Readonly<Record<string, string>>)[id] ?? '';
  const list = (page: PageOf, filter?: QueryValues, signal?: AbortSignal) =>
    listOf<Item>(path, `${kind}s`, { ...filter, ...page }, signal);
  return {
    kind,
    idOf,
    list,
    newest: async (signal, filter) => (await list({ startIndex: 0, pageSize: 100 }, filter, signal)).items,
    find: (wanted, signal) => record(request('GET', path, { query: { action: 'get', [id]: wanted }, signal })),
    create: fields => record(act('create', fields as object)),
    update: (stored, fields) => record(act('update', { [id]: idOf(stored), ...(fields as object) })),
    remove: async stored => void (await act('delete', { [id]: idOf(stored) })),
    act,
  };
}

/** One page of a list of any API. */
export async function listOf<Item>(
  path: string,
  many: string,
  query: QueryValues & PageOf,
  signal?: AbortSignal,
): Promise<Listing<Item>> {
  const answer = await request<Record<string, unknown> & Omit<Listing<Item>, 'items'>>('GET', path, { query, signal });
  const { total, startIndex, pageSize } = answer;
  return { items: answer[many] as Item[], total, startIndex, pageSize };
}

export type Agent = ApiRecord<'Agent'>;
export type AiCredential = ApiRecord<'AiCredential'>;
export type DisposableKey = ApiRecord<'DisposableKey'>;
export type Domain = ApiRecord<'Domain'>;
export type EventsSetting = ApiRecord<'EventsSetting'>;
export type Recording = ApiRecord<'Recording'>;
export type RecordingSetting = ApiRecord<'RecordingSetting'>;
export type Room = ApiRecord<'Room'>;
export type SipConfig = ApiRecord<'SipConfig'>;
export type SubUser = ApiRecord<'SubUser'>;
export type TranslationConfig = ApiRecord<'TranslationConfig'>;
export type Webhook = ApiRecord<'Webhook'>;

/** An entry of the account's event log. */
export type AccountEvent = ApiRecord<Extract<keyof PublicSchemas, `${string}Event`>>;

type Creating<Name extends `Create${string}Body` & keyof PublicSchemas> = ActionFields<Name>;
type WebhookChanges = Omit<ActionFields<'UpdateWebhookBody'>, 'webhookID'>;
type SubUserChanges = Omit<ActionFields<'UpdateSubUserBody'>, 'subUserID'>;

export const agents = resource<Agent, Creating<'CreateAgentBody'>>('/v1/agents', 'agent');
export const aiCredentials = resource<AiCredential, Creating<'CreateAiCredentialBody'>>(
  '/v1/aicredentials',
  'aiCredential',
);
export const disposableKeys = resource<DisposableKey, Creating<'CreateDisposableKeyBody'>>(
  '/v1/disposable-keys',
  'disposableKey',
  'keyID',
);
export const domains = resource<Domain, Creating<'CreateDomainBody'>>('/v1/domains', 'domain');
export const eventsSettings = resource<EventsSetting, Creating<'CreateEventSettingBody'>>(
  '/v1/eventssettings',
  'eventsSetting',
);
export const recordings = resource<Recording>('/v1/recordings', 'recording');
export const recordingSettings = resource<RecordingSetting, Creating<'CreateRecordingSettingBody'>>(
  '/v1/recordingsettings',
  'recordingSetting',
);
export const rooms = resource<Room, Creating<'CreateRoomBody'>>('/v1/rooms', 'room', 'meetingID');
export const sipConfigs = resource<SipConfig, Creating<'CreateSipConfigBody'>>('/v1/sipconfigs', 'sipConfig');
export const subUsers = resource<SubUser, Creating<'CreateSubUserBody'>, SubUserChanges>('/v1/subusers', 'subUser');
export const translationConfigs = resource<TranslationConfig, Creating<'CreateTranslationConfigBody'>>(
  '/v1/translationconfigs',
  'translationConfig',
);
export const webhooks = resource<Webhook, Creating<'CreateWebhookBody'>, WebhookChanges>('/v1/webhooks', 'webhook');
