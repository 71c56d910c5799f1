import type { Command } from 'commander';
import { measure, type Finding } from '../doctor/finding.js';
import { judgeGateway } from '../doctor/judge-platform.js';
import type { AdminClient } from './admin-client.js';

/** The nodes need this time to try their media ports and encoders. */
const withinMs = 30_000;

export interface DoctorOptions {
  client: () => AdminClient;
  /** Runs the checks that need no gateway. */
  lookLocally: () => Promise<Finding[]>;
  write: (text: string) => void;
  exitWith: (code: 0 | 1) => void;
}

export function addDoctor(program: Command, { client, lookLocally, write, exitWith }: DoctorOptions): void {
  program
    .command('doctor')
    .description(
      'checks everything that the platform needs and prints one line for each check; ends with 1 when a check failed',
    )
    .option('--local', "checks settings, database and NATS without a gateway, with the gateway's environment")
    .action(async (_options: object, command: Command) => {
      const { json = false, local = false } = command.optsWithGlobals<{ json?: boolean; local?: boolean }>();
      const findings = local ? await lookLocally() : await askGateway(client());
      write(json ? `${JSON.stringify({ findings }, null, 2)}\n` : printFindings(findings));
      exitWith(exitCodeOf(findings));
    });
}

async function askGateway(client: AdminClient): Promise<Finding[]> {
  const answer = await measure(() => client.get('/doctor', withinMs));
  const line: Finding = { check: 'gateway', ...judgeGateway(answer) };
  return 'value' in answer ? [line, ...(answer.value as { findings: Finding[] }).findings] : [line];
}

const labels = { ok: 'OK  ', warn: 'WARN', fail: 'FAIL' } as const;

/** Prints one line for each finding, with the advice at its end. */
function printFindings(findings: readonly Finding[]): string {
  return findings.map(line).join('');
}

/** Returns 1 when a check failed. Warnings alone are no failure. */
function exitCodeOf(findings: readonly Finding[]): 0 | 1 {
  return findings.some(({ level }) => level === 'fail') ? 1 : 0;
}

function line({ check, nodeID, level, message, advice }: Finding): string {
  const name = nodeID === undefined ? check : `${nodeID} ${check}`;
  return `${labels[level]} ${name.padEnd(32)} ${onOneLine(message)}${advice === undefined ? '' : ` → ${advice}`}\n`;
}

function onOneLine(message: string): string {
  return message.replaceAll(/\s*\n\s*/g, '; ');
}
