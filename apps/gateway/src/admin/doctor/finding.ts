import { messageOf } from '@rtms/logging';
import { z } from 'zod';

export const findingLevels = ['ok', 'warn', 'fail'] as const;

/** The result of one check of the doctor. */
export const findingSchema = z
  .strictObject({
    check: z.string().describe('Name of the check, as in docs/doctor.md.'),
    nodeID: z.string().optional().describe('The checked node; absent for a check of the platform.'),
    level: z.enum(findingLevels).describe('Result of the check.'),
    message: z.string().describe('The finding in words.'),
    advice: z.string().optional().describe('The next step for the administrator.'),
  })
  .meta({ id: 'Finding', description: 'The result of one check.' });

export type Finding = z.infer<typeof findingSchema>;

/** A result without the name of its check. */
export type Judgement = Omit<Finding, 'check' | 'nodeID'>;

export const ok = (message: string): Judgement => ({ level: 'ok', message });
export const warn = (message: string, advice: string): Judgement => ({ level: 'warn', message, advice });
export const fail = (message: string, advice: string): Judgement => ({ level: 'fail', message, advice });

/** A measured value, or the reason why there is none. */
export type Measured<Value> = { value: Value } | { failure: string };

export async function measure<Value>(attempt: () => Promise<Value>): Promise<Measured<Value>> {
  try {
    return { value: await attempt() };
  } catch (error) {
    return { failure: failureOf(error) };
  }
}

/** When all addresses of a host refuse the connection, only the inner errors have a message. */
function failureOf(error: unknown): string {
  const [first] = error instanceof AggregateError ? (error.errors as unknown[]) : [];
  return messageOf(first ?? error);
}
