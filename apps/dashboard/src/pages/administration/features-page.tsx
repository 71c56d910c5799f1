import { shownKey } from '../../api/query-keys.js';
import { Page } from '../../parts/page.js';
import { administrationTexts as texts } from '../../texts/administration.js';
import { readFeatures, setFeature } from './administration-api.js';
import { SwitchList } from './switch-list.js';

export default function FeaturesPage() {
  return (
    <Page title={texts.features} description={texts.featuresDescription}>
      <SwitchList
        label={texts.features}
        queryKey={shownKey('admin', 'features')}
        read={signal => readFeatures(undefined, signal)}
        write={(feature, isOn) => setFeature(undefined, feature, isOn)}
        names={texts.featureNames}
        hints={texts.featureTexts}
      />
    </Page>
  );
}
