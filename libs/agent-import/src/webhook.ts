import { agentBounds } from '@rtms/contracts';
import type { Findings } from './findings.js';
import { isSecretName } from './secret-name.js';
import { removed } from './secret-shape.js';

/** The address when it can be used as it is; else null, and a person has to give one. */
export function webhookUrl(address: string, findings: Findings): string | null {
  if (address === '') return null;
  const url = httpsURL(address);
  if (!url) {
    findings.finish('webhook', 'Give the webhook an https address: the definition’s is none.');
    return null;
  }
  if (!address.includes(removed) && !carriesKey(url)) return address;
  findings.finish(
    'webhook',
    `Give the webhook its address again: the definition’s, at ${url.hostname}, carries a key.`,
  );
  return null;
}

function httpsURL(address: string): URL | undefined {
  if (address.length > agentBounds.webhookUrl || !/^https:\/\/[^\s\\{}]+$/i.test(address)) return undefined;
  return URL.canParse(address) ? new URL(address) : undefined;
}

function carriesKey({ username, password, searchParams }: URL): boolean {
  if (username !== '' || password !== '') return true;
  return [...searchParams.keys()].some(isSecretName);
}
