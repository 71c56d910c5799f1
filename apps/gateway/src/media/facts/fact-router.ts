import { Injectable } from '@nestjs/common';
import type {
  BroadcastFact,
  ExternalSessionFact,
  Fact,
  PlaybackFact,
  RecordingFact,
  RestreamFact,
} from '@rtms/contracts';
import { BroadcastLifecycleService } from '../broadcasts/broadcast-lifecycle.service.js';
import { SessionFactsService } from '../external-sessions/session-facts.service.js';
import { PlaybackLifecycleService } from '../playbacks/playback-lifecycle.service.js';
import { RecordingLifecycleService } from '../recordings/recording-lifecycle.service.js';
import { RestreamLifecycleService } from '../restreams/restream-lifecycle.service.js';

/** Passes each fact to the service of its resource. */
@Injectable()
export class FactRouter {
  constructor(
    private readonly sessions: SessionFactsService,
    private readonly playbacks: PlaybackLifecycleService,
    private readonly broadcasts: BroadcastLifecycleService,
    private readonly recordings: RecordingLifecycleService,
    private readonly restreams: RestreamLifecycleService,
  ) {}

  async apply(fact: Fact): Promise<void> {
    if (isAbout<ExternalSessionFact>(fact, 'external_session')) return this.sessions.apply(fact);
    if (isAbout<PlaybackFact>(fact, 'playback')) return this.playbacks.applyFact(fact);
    if (isAbout<BroadcastFact>(fact, 'broadcast')) return this.broadcasts.applyFact(fact);
    if (isAbout<RecordingFact>(fact, 'recording')) return this.recordings.applyFact(fact);
    if (isAbout<RestreamFact>(fact, 'restream')) return this.restreams.applyFact(fact);
  }
}

function isAbout<Body extends Fact['body']>(fact: Fact, resource: string): fact is Fact<Body> {
  return fact.body.type.startsWith(`${resource}.`);
}
