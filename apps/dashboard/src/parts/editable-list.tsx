import { Button } from '@mantine/core';
import { IconPencil, IconPlus, type Icon } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { shownKey, type ShownKind } from '../api/query-keys.js';
import type { Resource } from '../api/resource.js';
import { ConfirmButton } from './confirm-button.js';
import { EmptyState } from './empty-state.js';
import { IconButton } from './icon-button.js';
import { Page } from './page.js';
import { ResourceTable, type Column } from './resource-table.js';

export function AddButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={onClick}>
      {label}
    </Button>
  );
}

/** What is said of a record that can be changed and deleted; the functions take its name. */
interface RecordTexts {
  edit: (name: string) => string;
  delete: (name: string) => string;
  deleteTitle: string;
  deleteText: (name: string) => string;
  deleted: string;
}

interface RecordActionsProps {
  texts: RecordTexts;
  kind: ShownKind;
  name: string;
  onEdit: () => void;
  remove: () => Promise<void>;
  /** Between changing and deleting. */
  children?: ReactNode;
}

/** The buttons of a row. */
export function RecordActions({ texts, kind, name, onEdit, remove, children }: RecordActionsProps) {
  return (
    <>
      <IconButton label={texts.edit(name)} icon={IconPencil} onClick={onEdit} />
      {children}
      <ConfirmButton
        label={texts.delete(name)}
        title={texts.deleteTitle}
        text={texts.deleteText(name)}
        run={remove}
        success={texts.deleted}
        changes={[kind]}
      />
    </>
  );
}

interface EditableListProps<Item> {
  texts: RecordTexts & { title: string; description: string; add: string; emptyTitle: string; emptyText: string };
  kind: ShownKind;
  icon: Icon;
  resource: Pick<Resource<Item, never, never>, 'list' | 'remove'>;
  idOf: (item: Item) => string;
  /** As a person calls it. */
  nameOf: (item: Item) => string;
  columns: readonly Column<Item>[];
  form: (props: { edited: Item | 'new' | undefined; onClose: () => void }) => ReactNode;
}

/** The page of a resource whose records are listed, added, changed and deleted, and nothing else. */
export function EditableList<Item extends object>(props: EditableListProps<Item>) {
  const { texts, kind, icon, resource, idOf, nameOf, columns, form: Form } = props;
  const [edited, setEdited] = useState<Item | 'new'>();
  return (
    <Page
      title={texts.title}
      description={texts.description}
      actions={<AddButton label={texts.add} onClick={() => setEdited('new')} />}
    >
      <ResourceTable
        label={texts.title}
        queryKey={shownKey(kind, 'list')}
        list={(page, signal) => resource.list(page, {}, signal)}
        rowKey={idOf}
        columns={columns}
        rowActions={item => (
          <RecordActions
            texts={texts}
            kind={kind}
            name={nameOf(item)}
            onEdit={() => setEdited(item)}
            remove={() => resource.remove(idOf(item))}
          />
        )}
        empty={<EmptyState icon={icon} title={texts.emptyTitle} text={texts.emptyText} />}
      />
      <Form edited={edited} onClose={() => setEdited(undefined)} />
    </Page>
  );
}
