import { decideRecordingStep, type RecordingStep, type SourceStanding } from './decide-recording-step.js';
import type { RecordingJobState } from '@rtms/contracts';

describe('decideRecordingStep', () => {
  it.each<[RecordingJobState, SourceStanding, RecordingStep]>([
    ['starting', 'sending', 'none'],
    ['starting', 'away', 'interrupt'],
    ['starting', 'gone', 'end'],
    ['recording', 'sending', 'none'],
    ['recording', 'away', 'interrupt'],
    ['recording', 'gone', 'end'],
    ['interrupted', 'sending', 'resume'],
    ['interrupted', 'away', 'none'],
    ['interrupted', 'gone', 'end'],
    ['processing', 'sending', 'none'],
    ['processing', 'away', 'none'],
    ['processing', 'gone', 'none'],
  ])('of a job that is %s with a source that is %s says %s', (job, source, step) => {
    expect(decideRecordingStep(job, source)).toBe(step);
  });
});
