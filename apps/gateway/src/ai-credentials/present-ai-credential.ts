import { presentTime } from '../http/present.js';
import type { AiCredential, AiKind } from './ai-credential.entity.js';

/** A credential as callers see it; the key itself is never part of it. */
export interface PresentedAiCredential {
  aiCredentialID: string;
  nickName: string;
  kind: AiKind;
  provider: string;
  model: string | null;
  maskedApiKey: string;
  baseUrl: string | null;
  options: object;
  createdAt: string;
  updatedAt: string;
}

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
