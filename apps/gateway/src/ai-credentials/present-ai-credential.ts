import { z } from 'zod';
import { identifier, openObject, time } from '../http/answers.js';
import { presentTime } from '../http/present.js';
import { aiKinds, type AiCredential } from './ai-credential.entity.js';

/** A credential as callers see it; the key itself is never part of it. */
export const aiCredentialSchema = z
  .object({
    aiCredentialID: identifier('cred'),
    nickName: z.string(),
    kind: z.enum(aiKinds),
    provider: z.string(),
    model: z.string().nullable(),
    maskedApiKey: z.string(),
    baseUrl: z.string().nullable(),
    options: openObject,
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'AiCredential' });
export type PresentedAiCredential = z.infer<typeof aiCredentialSchema>;

export function presentAiCredential(credential: AiCredential): PresentedAiCredential {
  return {
    aiCredentialID: credential.id,
    nickName: credential.nickName,
    kind: credential.kind,
    provider: credential.provider,
    model: credential.model,
    maskedApiKey: credential.maskedApiKey,
    baseUrl: credential.baseUrl,
    options: credential.options,
    createdAt: presentTime(credential.createdAt),
    updatedAt: presentTime(credential.updatedAt),
  };
}
