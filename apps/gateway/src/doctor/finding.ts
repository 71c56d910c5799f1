import { z } from 'zod';

export const findingLevels = ['ok', 'warn', 'fail'] as const;

/** One line of the doctor's. */
export const findingSchema = z
  .strictObject({
    /** What was looked at; `docs/doctor.md` has each of them. */
    check: z.string(),
    /** Of which node; absent: of the platform. */
    nodeID: z.string().optional(),
    level: z.enum(findingLevels),
    message: z.string(),
    /** What to do, where it is not well. */
    advice: z.string().optional(),
  })
  .meta({ id: 'Finding' });

export type Finding = z.infer<typeof findingSchema>;

/** A line without the name of its check. */
export type Judgement = Omit<Finding, 'check' | 'nodeID'>;

export const ok = (message: string): Judgement => ({ level: 'ok', message });
export const warn = (message: string, advice: string): Judgement => ({ level: 'warn', message, advice });
export const fail = (message: string, advice: string): Judgement => ({ level: 'fail', message, advice });
