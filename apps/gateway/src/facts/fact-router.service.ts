import { Injectable } from '@nestjs/common';
import type { BroadcastFact, ExternalSessionFact, Fact, PlaybackFact, RecordingFact } from '@rtms/contracts';
import { BroadcastLifecycle } from '../broadcasts/broadcast-lifecycle.service.js';
import { SessionFacts } from '../external-sessions/session-facts.service.js';
import { PlaybackLifecycle } from '../playbacks/playback-lifecycle.service.js';
import { RecordingLifecycle } from '../recordings/recording-lifecycle.service.js';

/** Brings each fact to the resource that it is about. */
@Injectable()
export class FactRouter {
  constructor(
    private readonly sessions: SessionFacts,
    private readonly playbacks: PlaybackLifecycle,
    private readonly broadcasts: BroadcastLifecycle,
    private readonly recordings: RecordingLifecycle,
  ) {}

  async apply(fact: Fact): Promise<void> {
    if (isAbout<ExternalSessionFact>(fact, 'external_session')) return this.sessions.apply(fact);
    if (isAbout<PlaybackFact>(fact, 'playback')) return this.playbacks.applyFact(fact);
    if (isAbout<BroadcastFact>(fact, 'broadcast')) return this.broadcasts.applyFact(fact);
    if (isAbout<RecordingFact>(fact, 'recording')) return this.recordings.applyFact(fact);
  }
}

function isAbout<Body extends Fact['body']>(fact: Fact, resource: string): fact is Fact<Body> {
  return fact.body.type.startsWith(`${resource}.`);
}
