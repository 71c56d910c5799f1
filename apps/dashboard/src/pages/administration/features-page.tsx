import { shownKey } from '../../api/resource.js';
import { useQuery } from '@tanstack/react-query';
import { Loaded, Page } from '../../parts/page.js';
import { counted } from '../../parts/formats.js';
import { readFeatures, readFeatureUse, setFeature } from './administration-api.js';
import { featureNames, SwitchList, type Feature } from './switch-list.js';

const hints = {
  whip: 'Cameras and encoders publish into rooms over WebRTC.',
  whep: 'WebRTC players watch external sessions.',
  hls: 'Broadcasts to large audiences.',
  srt: 'Encoders publish into rooms by SRT, through an ingest node.',
  rtmp: 'Encoders publish into rooms by RTMP, unencrypted, through an ingest node.',
  rtmps: 'Encoders publish into rooms by RTMP over TLS, through an ingest node.',
} as const;

/** The media that use a feature. */
const liveNames: Record<Feature, string> = {
  whip: 'live session',
  whep: 'watched playback',
  hls: 'live broadcast',
  srt: 'live session',
  rtmp: 'live session',
  rtmps: 'live session',
};

export default function FeaturesPage() {
  return (
    <Page
      title="Features"
      description="The features of the platform. A feature that is off here is off for every account, from the next request on."
    >
      <SwitchList
        label="Features"
        queryKey={shownKey('admin', 'features')}
        read={signal => readFeatures(undefined, signal)}
        write={(feature, isOn) => setFeature(undefined, feature, isOn)}
        names={featureNames}
        hints={hints}
        consequenceOf={(feature, isOn) => <Consequence feature={feature} isOn={isOn} />}
      />
    </Page>
  );
}

function Consequence({ feature, isOn }: { feature: Feature; isOn: boolean }) {
  const query = useQuery({
    queryKey: shownKey('admin', 'feature-use'),
    queryFn: ({ signal }) => readFeatureUse(signal),
  });
  if (isOn) return <>Every account may use it from the next request on, unless it is off for the account.</>;
  return (
    <Loaded query={query} height={40}>
      {use => (
        <>
          {`${counted(use[feature], liveNames[feature])} on the platform now: they continue. `}
          The gateway refuses new ones in every account (403) from the next request on.
        </>
      )}
    </Loaded>
  );
}
