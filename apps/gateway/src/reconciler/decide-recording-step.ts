import type { RecordingJobState } from '@rtms/contracts';

/** Where the source of a recording stands: `away` may come back. */
export type SourceStanding = 'sending' | 'away' | 'gone';
export type RecordingStep = 'interrupt' | 'resume' | 'end' | 'none';

/** What a recording's job needs that does not follow its source, because a command or a fact came too late or never. */
export function decideRecordingStep(job: RecordingJobState, source: SourceStanding): RecordingStep {
  if (job === 'processing') return 'none';
  if (source === 'gone') return 'end';
  if (source === 'away') return job === 'interrupted' ? 'none' : 'interrupt';
  return job === 'interrupted' ? 'resume' : 'none';
}
