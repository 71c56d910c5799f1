import type { ActionFields, ApiRecord } from '../../api/records.js';
import { resource } from '../../api/resource.js';

export type AiCredential = ApiRecord<'AiCredential'>;
export type AiCredentialFields = ActionFields<'AicredentialsCreateBody'>;

export const aiCredentials = resource<AiCredential, AiCredentialFields, ActionFields<'AicredentialsUpdateBody'>>({
  path: '/v1/aicredentials',
  one: 'aiCredential',
  many: 'aiCredentials',
  id: 'aiCredentialID',
});
