import type { Finding } from './finding.js';

const labels = { ok: 'OK  ', warn: 'WARN', fail: 'FAIL' } as const;

/** One line for each; what to do stands behind it. */
export function printFindings(findings: readonly Finding[]): string {
  return findings.map(line).join('');
}

/** 1 when something does not work; warnings alone are no failure. */
export function exitCodeOf(findings: readonly Finding[]): 0 | 1 {
  return findings.some(({ level }) => level === 'fail') ? 1 : 0;
}

function line({ check, nodeID, level, message, advice }: Finding): string {
  const name = nodeID === undefined ? check : `${nodeID} ${check}`;
  return `${labels[level]} ${name.padEnd(32)} ${onOneLine(message)}${advice === undefined ? '' : ` → ${advice}`}\n`;
}

function onOneLine(message: string): string {
  return message.replaceAll(/\s*\n\s*/g, '; ');
}
