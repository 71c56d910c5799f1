import { Body, Controller, Param } from '@nestjs/common';
import type { ErrorReason } from '@rtms/contracts';
import { RequireOperation } from '../auth/auth.decorators.js';
import { Action } from '../http/action.decorator.js';
import { Answers, one } from '../http/answers.js';
import { presentOne } from '../http/present.js';
import { RequestID } from '../http/request-id.decorator.js';
import { CurrentOwner } from '../media/current-owner.decorator.js';
import type { Owner } from '../media/owned-rows.js';
import { TrackActionDto } from './dto/track-action.dto.js';
import { ExternalSessionsService } from './external-sessions.service.js';
import { externalSessionSchema } from './present-external-session.js';
import { SessionTracks, type TrackRequest } from './session-tracks.service.js';

const answer = one('externalSession', externalSessionSchema);
const reasons = ['session_ended', 'track_ended', 'controller_unavailable'] as const satisfies ErrorReason[];

@Controller('v1/meetings/:meetingID/external-sessions/:sessionID/tracks/:trackID')
@RequireOperation('ingestMedia')
export class SessionTracksController {
  constructor(
    private readonly tracks: SessionTracks,
    private readonly sessions: ExternalSessionsService,
  ) {}

  @Action('pause')
  @Answers(answer, ...reasons)
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
  @Answers(answer, ...reasons)
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
  @Answers(answer, ...reasons)
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
  @Answers(answer, ...reasons)
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
