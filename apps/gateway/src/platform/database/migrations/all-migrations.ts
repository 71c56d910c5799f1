import { Initial1795398467912 } from './1795398467912-initial.js';
import { UserRoles1795456000001 } from './1795456000001-user-roles.js';
import { UserRolesChecked1795456000002 } from './1795456000002-user-roles-checked.js';
import { SessionHistory1795456000003 } from './samples/1795456000003-session-history.js';
import { AccountEvents1795456100001 } from './account-events/1795456100001-account-events.js';
import { AccountEventTriggers1795456100002 } from './account-events/1795456100002-account-event-triggers.js';
import { Webhooks1795456200001 } from './1795456200001-webhooks.js';
import { IngestKeys1795456300001 } from './1795456300001-ingest-keys.js';
import { Compositions1795456500001 } from './1795456500001-compositions.js';
import { CompositionsIndexed1795456500002 } from './1795456500002-compositions-indexed.js';
import { Restreams1795456600001 } from './1795456600001-restreams.js';
import { WebrtcRenditions1795456700001 } from './1795456700001-webrtc-renditions.js';
import { BroadcastRestreams1795456800001 } from './1795456800001-broadcast-restreams.js';
import { IngestCalls1795460200001 } from './1795460200001-ingest-calls.js';
import { BroadcastDvrAndSlates1795460200002 } from './1795460200002-broadcast-dvr-and-slates.js';
import { RecordingsHls1795460300001 } from './recordings/1795460300001-recordings-hls.js';
import { ViewerSamples1795460500001 } from './samples/1795460500001-viewer-samples.js';
import { RecordingSpans1795461200001 } from './recordings/1795461200001-recording-spans.js';
import { ComposedFiles1795461200002 } from './recordings/1795461200002-composed-files.js';
import { BroadcastLatency1795461300001 } from './1795461300001-broadcast-latency.js';
import { HlsViewerSamples1795461500001 } from './samples/1795461500001-hls-viewer-samples.js';
import { DeletedComposedFiles1795470600001 } from './recordings/1795470600001-deleted-composed-files.js';

/** Every migration. TypeORM runs them in the order of the times in their names. */
export const allMigrations = [
  Initial1795398467912,
  UserRoles1795456000001,
  UserRolesChecked1795456000002,
  SessionHistory1795456000003,
  AccountEvents1795456100001,
  AccountEventTriggers1795456100002,
  Webhooks1795456200001,
  IngestKeys1795456300001,
  Compositions1795456500001,
  CompositionsIndexed1795456500002,
  Restreams1795456600001,
  WebrtcRenditions1795456700001,
  BroadcastRestreams1795456800001,
  IngestCalls1795460200001,
  BroadcastDvrAndSlates1795460200002,
  RecordingsHls1795460300001,
  ViewerSamples1795460500001,
  RecordingSpans1795461200001,
  ComposedFiles1795461200002,
  BroadcastLatency1795461300001,
  HlsViewerSamples1795461500001,
  DeletedComposedFiles1795470600001,
];
