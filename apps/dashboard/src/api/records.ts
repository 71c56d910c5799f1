import type { components as AdministrationComponents } from './generated/administration.js';
import type { components as PublicComponents } from './generated/public.js';

type PublicSchemas = PublicComponents['schemas'];
type AdministrationSchemas = AdministrationComponents['schemas'];

/** A record or body of the public API, by its name in the OpenAPI document: `ApiRecord<'Room'>`. */
export type ApiRecord<Name extends keyof PublicSchemas> = PublicSchemas[Name];

/** The same of the administration API. */
export type AdminRecord<Name extends keyof AdministrationSchemas> = AdministrationSchemas[Name];

/** The fields that an action takes: `ActionFields<'DomainsCreateBody'>`. */
export type ActionFields<Name extends keyof PublicSchemas> = Omit<PublicSchemas[Name], 'action'>;
