import { agentBounds } from '@rtms/contracts';
import { isCredentialParameter } from './credentials.js';
import type { Findings } from './findings.js';
import type { Sourced } from './reading.js';
import { removed } from './secret-text.js';

/** The address when it can be used as it is; else null, and a person has to give one. */
export function webhookUrl({ text: address, path }: Sourced, findings: Findings): string | null {
  if (address === '') return null;
  const url = httpsURL(address);
  if (!url) {
    findings.finish('webhook_not_https', path, {});
    return null;
  }
  if (!address.includes(removed) && !carriesCredential(url)) return address;
  findings.finish('webhook_with_credential', path, { host: url.hostname });
  return null;
}

function httpsURL(address: string): URL | undefined {
  if (address.length > agentBounds.webhookUrl || !/^https:\/\/[^\s\\{}]+$/i.test(address)) return undefined;
  return URL.canParse(address) ? new URL(address) : undefined;
}

function carriesCredential({ username, password, searchParams }: URL): boolean {
  if (username !== '' || password !== '') return true;
  return [...searchParams.keys()].some(isCredentialParameter);
}
