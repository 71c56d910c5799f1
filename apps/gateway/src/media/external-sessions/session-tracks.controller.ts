import { Body, Controller, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { ErrorReason } from '@rtms/contracts';
import { RequestID } from '@rtms/http';
import type { Request } from 'express';
import { RequireOperation } from '../../platform/auth/auth.decorators.js';
import { Action } from '../../platform/http/action.decorator.js';
import { ApiAnswer, ApiOperation, ApiTag } from '../../platform/http/api.decorators.js';
import { one } from '../../platform/http/answers.js';
import { presentOne } from '../../platform/http/present.js';
import { ownerOf, type Owner } from '../resources/owned-rows.js';
import { TrackActionDto, externalSessionSchema } from './external-session.dto.js';
import { ExternalSessionsService } from './external-sessions.service.js';
import type { TrackAction } from './decide-track-action.js';
import { SessionTracksService } from './session-tracks.service.js';

const answer = one('externalSession', externalSessionSchema);
const reasons = ['session_ended', 'track_ended', 'controller_unavailable'] as const satisfies ErrorReason[];

interface NamedTrack {
  owner: Owner;
  sessionID: string;
  trackID: string;
}

/** `@CurrentTrack() track: NamedTrack`: the track in the path, and the caller's scope. */
const CurrentTrack = createParamDecorator((_: unknown, context: ExecutionContext): NamedTrack => {
  const { sessionID = '', trackID = '' } = context.switchToHttp().getRequest<Request<Record<string, string>>>().params;
  return { owner: ownerOf(context), sessionID, trackID };
});

@ApiTag({ name: 'External sessions', post: 'postTrack' })
@Controller('v1/meetings/:meetingID/external-sessions/:sessionID/tracks/:trackID')
@RequireOperation('ingestMedia')
export class SessionTracksController {
  constructor(
    private readonly tracks: SessionTracksService,
    private readonly sessions: ExternalSessionsService,
  ) {}

  @Action('pause')
  @ApiOperation({
    operationId: 'pauseTrack',
    summary: 'Pause a track',
    description: 'Viewers receive no media of the track until it is resumed.',
  })
  @ApiAnswer(answer, ...reasons)
  pause(@CurrentTrack() track: NamedTrack, @Body() _: TrackActionDto, @RequestID() requestID: string) {
    return this.change(track, 'pause', requestID);
  }

  @Action('resume')
  @ApiOperation({ operationId: 'resumeTrack', summary: 'Resume a track' })
  @ApiAnswer(answer, ...reasons)
  resume(@CurrentTrack() track: NamedTrack, @Body() _: TrackActionDto, @RequestID() requestID: string) {
    return this.change(track, 'resume', requestID);
  }

  @Action('requestKeyframe')
  @ApiOperation({ operationId: 'requestTrackKeyframe', summary: 'Request a keyframe of a video track' })
  @ApiAnswer(answer, ...reasons)
  requestKeyframe(@CurrentTrack() track: NamedTrack, @Body() _: TrackActionDto, @RequestID() requestID: string) {
    return this.change(track, 'requestKeyframe', requestID);
  }

  @Action('close')
  @ApiOperation({ operationId: 'closeTrack', summary: 'Close a track', description: 'Closing is final.' })
  @ApiAnswer(answer, ...reasons)
  close(@CurrentTrack() track: NamedTrack, @Body() _: TrackActionDto, @RequestID() requestID: string) {
    return this.change(track, 'close', requestID);
  }

  private async change({ owner, sessionID, trackID }: NamedTrack, action: TrackAction, requestID: string) {
    await this.tracks.change(owner, { sessionID, trackID, action }, requestID);
    return presentOne('externalSession', await this.sessions.get(owner, sessionID));
  }
}
