import { useQuery } from '@tanstack/react-query';
import { IconTicket } from '@tabler/icons-react';
import { useState } from 'react';
import { shownKey } from '../../api/query-keys.js';
import { disposableKeyColumns } from '../../parts/disposable-key-columns.js';
import { EmptyState } from '../../parts/empty-state.js';
import { IssuedCredentialDialog, type IssuedCredential } from '../../parts/issued-credential.js';
import { LoadFailure } from '../../parts/load-failure.js';
import { MainKeyCards } from '../../parts/main-key-cards.js';
import { ResourceTable } from '../../parts/resource-table.js';
import { Section } from '../../parts/section.js';
import { Waiting } from '../../parts/waiting.js';
import { administrationTexts as texts } from '../../texts/administration.js';
import { accountPath } from './administration-api.js';
import { createKey, listDisposableKeys, readKeys, rotateKey } from './account-keys-api.js';

/** Of an account: its main keys, to be made and rotated for it, and what it has handed out. */
export function AccountKeys({ accountID }: { accountID: string }) {
  return (
    <>
      <Section title={texts.mainKeys}>
        <MainKeys accountID={accountID} />
      </Section>
      <Section title={texts.disposableKeys}>
        <ResourceTable
          label={texts.disposableKeys}
          queryKey={shownKey('admin', 'disposableKeys', accountID)}
          list={(page, signal) => listDisposableKeys(accountID, page, signal)}
          rowKey={({ keyID }) => keyID}
          columns={disposableKeyColumns}
          empty={<EmptyState icon={IconTicket} title={texts.disposableEmpty} text={texts.disposableEmptyText} />}
        />
      </Section>
    </>
  );
}

function MainKeys({ accountID }: { accountID: string }) {
  const [issued, setIssued] = useState<IssuedCredential>();
  const {
    data: keys,
    error,
    refetch,
  } = useQuery({
    queryKey: shownKey('admin', 'keys', accountID),
    queryFn: ({ signal }) => readKeys(accountID, signal),
  });
  if (error && !keys) return <LoadFailure error={error} onRetry={() => void refetch()} />;
  if (!keys) return <Waiting h={150} />;
  return (
    <>
      <MainKeyCards
        keys={keys}
        create={type => createKey(accountID, type)}
        rotate={(type, overlapHours) => rotateKey(accountID, type, overlapHours)}
        keysPath={accountPath(accountID, '/keys')}
        onIssued={setIssued}
        changes={['admin']}
      />
      <IssuedCredentialDialog issued={issued} onClose={() => setIssued(undefined)} />
    </>
  );
}
