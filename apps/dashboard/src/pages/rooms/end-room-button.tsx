import { IconDoorExit } from '@tabler/icons-react';
import { ConfirmButton } from '../../parts/confirm-button.js';
import { roomsTexts as texts } from '../../texts/rooms.js';
import { endRoom, type Room } from './rooms-api.js';

export function EndRoomButton({
  room: { meetingID, roomName },
  withLabel = false,
}: {
  room: Room;
  withLabel?: boolean;
}) {
  return (
    <ConfirmButton
      label={withLabel ? texts.end : texts.endNamed(roomName ?? texts.unnamed)}
      withLabel={withLabel}
      icon={IconDoorExit}
      title={texts.endTitle}
      text={texts.endText}
      confirmLabel={texts.end}
      run={() => endRoom(meetingID)}
      success={texts.ended}
      changes={['room', 'externalSession', 'playback', 'broadcast', 'recording', 'participant']}
    />
  );
}
