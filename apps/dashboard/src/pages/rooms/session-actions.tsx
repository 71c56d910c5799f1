import {
  IconCircleDot,
  IconKeyframe,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlugX,
  IconTicket,
} from '@tabler/icons-react';
import { ActionMenu, type MenuAction } from '../../parts/action-menu.js';
import { ConfirmButton } from '../../parts/confirm-button.js';
import { useAction } from '../../parts/use-action.js';
import { frameTexts } from '../../texts/frame.js';
import { roomTexts as texts } from '../../texts/rooms.js';
import {
  controlTrack,
  endSession,
  renewIngestToken,
  startRecording,
  type ExternalSession,
  type TrackAction,
} from './meeting-api.js';

interface SessionActionsProps {
  session: ExternalSession;
  onToken: (session: ExternalSession) => void;
}

export function SessionActions({ session, onToken }: SessionActionsProps) {
  const actions = useSessionActions({ session, onToken });
  const { displayName, state } = session;
  if (state === 'ended' || state === 'failed') return null;
  return (
    <>
      <ActionMenu label={`${frameTexts.actions}: ${displayName}`} actions={actions} />
      <ConfirmButton
        label={texts.endSession(displayName)}
        icon={IconPlugX}
        title={texts.endSessionTitle}
        text={texts.endSessionText}
        confirmLabel={texts.endIt}
        run={() => endSession(session)}
        success={texts.sessionEnded}
        changes={['externalSession', 'playback', 'broadcast']}
      />
    </>
  );
}

/** What a session's state allows now. */
function useSessionActions({ session, onToken }: SessionActionsProps): MenuAction[] {
  const { displayName, state, tracks, ingest, meetingID, sessionID } = session;
  const onTracks = useAction({
    run: ({ action, ids }: { action: TrackAction; ids: readonly string[] }) =>
      Promise.all(ids.map(id => controlTrack(session, id, action))),
    changes: ['externalSession'],
  });
  const record = useAction({
    run: () => startRecording(session),
    success: texts.recordingStarted,
    changes: ['recording'],
  });
  const renew = useAction({ run: () => renewIngestToken(meetingID, sessionID), onDone: onToken });
  const idsOf = (wanted: string) => tracks.filter(track => track.state === wanted).map(({ trackID }) => trackID);
  const [live, paused] = [idsOf('live'), idsOf('paused')];
  const video = tracks
    .filter(({ kind, state: each }) => kind === 'video' && each === 'live')
    .map(({ trackID }) => trackID);
  const choices: [boolean, MenuAction][] = [
    [
      video.length > 0,
      {
        label: texts.keyframe(displayName),
        icon: IconKeyframe,
        onClick: () => onTracks.mutate({ action: 'requestKeyframe', ids: video }),
      },
    ],
    [
      live.length > 0,
      {
        label: texts.pause(displayName),
        icon: IconPlayerPause,
        onClick: () => onTracks.mutate({ action: 'pause', ids: live }),
      },
    ],
    [
      paused.length > 0,
      {
        label: texts.resume(displayName),
        icon: IconPlayerPlay,
        onClick: () => onTracks.mutate({ action: 'resume', ids: paused }),
      },
    ],
    [state === 'active', { label: texts.record(displayName), icon: IconCircleDot, onClick: () => record.mutate() }],
    [
      ingest.protocol === 'whip',
      { label: texts.newToken(displayName), icon: IconTicket, onClick: () => renew.mutate() },
    ],
  ];
  return choices.filter(([isPossible]) => isPossible).map(([, action]) => action);
}
