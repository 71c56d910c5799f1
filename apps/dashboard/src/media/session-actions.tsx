import {
  IconCircleDot,
  IconKeyframe,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlugX,
  IconTicket,
  type Icon,
} from '@tabler/icons-react';
import {
  controlTrack,
  endSession,
  isOver,
  renewIngestToken,
  startRecording,
  type ExternalSession,
  type TrackAction,
  type TrackKind,
} from '../api/meetings.js';
import { useAction } from '../parts/actions.js';
import { isForEncoder } from './hand-over/encoder-commands.js';
import { ActionMenu, ConfirmButton, type MenuAction } from '../parts/buttons.js';

interface SessionActionsProps {
  session: ExternalSession;
  /** Called with the session and its new token. */
  onToken: (session: ExternalSession) => void;
  /** On the page of the session: the button that ends it has words. */
  withLabel?: boolean;
}

/** Pause, resume, keyframe, recording, new token, and the end of a session. */
export function SessionActions({ session, onToken, withLabel = false }: SessionActionsProps) {
  const actions = useSessionActions({ session, onToken });
  const { displayName } = session;
  if (isOver(session)) return null;
  return (
    <>
      <ActionMenu label={`Actions: ${displayName}`} actions={actions} />
      <ConfirmButton
        label={withLabel ? 'End session' : `End ${displayName}`}
        withLabel={withLabel}
        icon={IconPlugX}
        title="End this session?"
        text="Its playbacks, broadcasts and restreams end first. Then the publisher is disconnected."
        confirmLabel="End"
        run={() => endSession(session)}
        success="The session was ended."
        changes={['externalSession', 'playback', 'broadcast', 'restream']}
      />
    </>
  );
}

/** The actions that the state of a session allows. */
function useSessionActions({ session, onToken }: SessionActionsProps): MenuAction[] {
  const { displayName, state, tracks, ingest, meetingID, sessionID } = session;
  const onTracks = useAction({
    run: ({ action, ids }: { action: TrackAction; ids: readonly string[] }) =>
      Promise.all(ids.map(id => controlTrack(session, id, action))),
    changes: ['externalSession'],
  });
  const record = useAction({
    run: () => startRecording(session),
    success: 'The recording starts.',
    changes: ['recording'],
  });
  const renew = useAction({ run: () => renewIngestToken(meetingID, sessionID), onDone: onToken });
  const idsOf = (wanted: string, ofKind?: TrackKind) =>
    tracks.filter(each => each.state === wanted && each.kind === (ofKind ?? each.kind)).map(({ trackID }) => trackID);
  const forTracks = (label: string, icon: Icon, action: TrackAction, ids: string[]): [boolean, MenuAction] => [
    ids.length > 0,
    { label: `${label} ${displayName}`, icon, onClick: () => onTracks.mutate({ action, ids }) },
  ];
  const choices: [boolean, MenuAction][] = [
    forTracks('Request a keyframe from', IconKeyframe, 'requestKeyframe', idsOf('live', 'video')),
    forTracks('Pause', IconPlayerPause, 'pause', idsOf('live')),
    forTracks('Resume', IconPlayerPlay, 'resume', idsOf('paused')),
    [state === 'active', { label: `Record ${displayName}`, icon: IconCircleDot, onClick: () => record.mutate() }],
    [
      isForEncoder(session),
      {
        label: `${ingest.protocol === 'whip' ? 'New ingest token for' : 'Replace the secret of'} ${displayName}`,
        icon: IconTicket,
        onClick: () => renew.mutate(),
      },
    ],
  ];
  return choices.filter(([isPossible]) => isPossible).map(([, action]) => action);
}
