import { IconDoorExit } from '@tabler/icons-react';
import { rooms, type Room } from '../../api/resource.js';
import { useMay } from '../../api/session.js';
import { ConfirmButton } from '../../parts/buttons.js';

export function EndRoomButton({ room, withLabel = false }: { room: Room; withLabel?: boolean }) {
  const { meetingID, roomName } = room;
  if (!useMay('manageRooms')) return null;
  return (
    <ConfirmButton
      label={withLabel ? 'End room' : `End ${roomName ?? 'Unnamed room'}`}
      withLabel={withLabel}
      icon={IconDoorExit}
      title="End this room?"
      text="All its playbacks, broadcasts, recordings and sessions end, too."
      confirmLabel="End room"
      run={() => rooms.act('end', { meetingID })}
      success="The room was ended."
      changes={['room', 'externalSession', 'playback', 'broadcast', 'recording', 'participant']}
    />
  );
}
