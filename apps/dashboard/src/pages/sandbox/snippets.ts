import type { SandboxRequest } from './sandbox-request.js';

/** The same call for a shell. The key is read from the environment: it never stands in what is copied. */
export function curlSnippet({ method, target, body }: SandboxRequest, baseUrl: string): string {
  const lines = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} ${shellQuoted(`${baseUrl}${target}`)}`,
    '-H "Authorization: Bearer $RTMS_API_USERNAME:$RTMS_API_KEY"',
  ];
  if (body) lines.push("-H 'Content-Type: application/json'", `-d ${shellQuoted(JSON.stringify(body, null, 2))}`);
  return lines.join(' \\\n  ');
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** The same call in TypeScript, with what a server has anyway. */
export function typeScriptSnippet({ method, target, body }: SandboxRequest, baseUrl: string): string {
  return [
    'const { RTMS_API_USERNAME, RTMS_API_KEY } = process.env;',
    '',
    `const response = await fetch(${JSON.stringify(`${baseUrl}${target}`)}, {`,
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    '  headers: {',
    '    Authorization: `Bearer ${RTMS_API_USERNAME}:${RTMS_API_KEY}`,',
    ...(body ? ["    'Content-Type': 'application/json',"] : []),
    '  },',
    ...(body ? [`  body: JSON.stringify(${indented(JSON.stringify(body, null, 2))}),`] : []),
    '});',
    'const answer = await response.json();',
    'if (!response.ok) throw new Error(`${answer.code}: ${answer.error}`);',
  ].join('\n');
}

function indented(text: string): string {
  return text.replaceAll('\n', '\n  ');
}

/** The message itself. */
export function httpSnippet({ method, target, body }: SandboxRequest): string {
  const head = [`${method} ${target}`, 'Authorization: Bearer <api-username>:<api-key>'];
  if (!body) return head.join('\n');
  return [...head, 'Content-Type: application/json', '', JSON.stringify(body, null, 2)].join('\n');
}
