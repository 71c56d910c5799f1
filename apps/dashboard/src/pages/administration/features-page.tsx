import { shownKey } from '../../api/resource.js';
import { Page } from '../../parts/page.js';
import { readFeatures, setFeature } from './administration-api.js';
import { featureNames, SwitchList } from './switch-list.js';

const hints = {
  whip: 'Cameras and encoders publish into rooms over WebRTC.',
  whep: 'WebRTC players watch external sessions.',
  hls: 'Broadcasts to large audiences.',
  srt: 'Encoders publish over SRT.',
  rtmp: 'Encoders publish over RTMP.',
  rtmps: 'Encoders publish over RTMP with TLS.',
} as const;

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
      />
    </Page>
  );
}
