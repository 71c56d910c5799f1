import { Body, Controller, Param } from '@nestjs/common';
import type { ErrorReason } from '@rtms/contracts';
import { RequestID } from '@rtms/http';
import { RequireOperation } from '../../platform/auth/auth.decorators.js';
import { Action } from '../../platform/http/action.decorator.js';
import { ApiAnswer, ApiOperation, ApiTag } from '../../platform/http/api.decorators.js';
import { one } from '../../platform/http/answers.js';
import { presentOne } from '../../platform/http/present.js';
import { CurrentOwner } from '../resources/current-owner.decorator.js';
import type { Owner } from '../resources/owned-rows.js';
import { TrackActionDto } from './external-session.dto.js';
import { ExternalSessionsService } from './external-sessions.service.js';
import { externalSessionSchema } from './present-external-session.js';
import { SessionTracksService, type TrackRequest } from './session-tracks.service.js';

const answer = one('externalSession', externalSessionSchema);
const reasons = ['session_ended', 'track_ended', 'controller_unavailable'] as const satisfies ErrorReason[];

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
  pause(
    @CurrentOwner() owner: Owner,
    @Param('sessionID') sessionID: string,
    @Param('trackID') trackID: string,
    @Body() _: TrackActionDto,
    @RequestID() requestID: string,
  ) {
    return this.change(owner, { sessionID, trackID, action: 'pause' }, requestID);
  }

  @Action('resume')
  @ApiOperation({ operationId: 'resumeTrack', summary: 'Resume a track' })
  @ApiAnswer(answer, ...reasons)
  resume(
    @CurrentOwner() owner: Owner,
    @Param('sessionID') sessionID: string,
    @Param('trackID') trackID: string,
    @Body() _: TrackActionDto,
    @RequestID() requestID: string,
  ) {
    return this.change(owner, { sessionID, trackID, action: 'resume' }, requestID);
  }

  @Action('requestKeyframe')
  @ApiOperation({ operationId: 'requestTrackKeyframe', summary: 'Request a keyframe of a video track' })
  @ApiAnswer(answer, ...reasons)
  requestKeyframe(
    @CurrentOwner() owner: Owner,
    @Param('sessionID') sessionID: string,
    @Param('trackID') trackID: string,
    @Body() _: TrackActionDto,
    @RequestID() requestID: string,
  ) {
    return this.change(owner, { sessionID, trackID, action: 'requestKeyframe' }, requestID);
  }

  @Action('close')
  @ApiOperation({ operationId: 'closeTrack', summary: 'Close a track', description: 'Closing is final.' })
  @ApiAnswer(answer, ...reasons)
  close(
    @CurrentOwner() owner: Owner,
    @Param('sessionID') sessionID: string,
    @Param('trackID') trackID: string,
    @Body() _: TrackActionDto,
    @RequestID() requestID: string,
  ) {
    return this.change(owner, { sessionID, trackID, action: 'close' }, requestID);
  }

  private async change(owner: Owner, request: TrackRequest, requestID: string) {
    await this.tracks.change(owner, request, requestID);
    return presentOne('externalSession', await this.sessions.get(owner, request.sessionID));
  }
}
