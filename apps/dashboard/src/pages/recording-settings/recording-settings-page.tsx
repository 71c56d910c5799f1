import { LoadFailure } from '../../parts/load-failure.js';
import { Page } from '../../parts/page.js';
import { Waiting } from '../../parts/waiting.js';
import { recordingSettingsTexts as texts } from '../../texts/recording-settings.js';
import { useRecordingSetting } from './recording-settings-api.js';
import { RecordingSettingsForm } from './recording-settings-form.js';

export default function RecordingSettingsPage() {
  return (
    <Page title={texts.title} description={texts.description}>
      <Content />
    </Page>
  );
}

function Content() {
  const { data: stored, error, refetch } = useRecordingSetting();
  if (error && stored === undefined) return <LoadFailure error={error} onRetry={() => void refetch()} />;
  if (stored === undefined) return <Waiting h={420} />;
  return <RecordingSettingsForm key={stored?.updatedAt ?? 'none'} stored={stored} />;
}
