import { Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPencil, type Icon } from '@tabler/icons-react';
import { Fragment, useState, type ReactNode } from 'react';
import type { QueryValues } from '../api/request.js';
import type { Resource, ShownKind } from '../api/resource.js';
import { AddButton, ConfirmButton, IconButton } from './buttons.js';
import { Page } from './page.js';
import { ResourceTable, type Column } from './resource-table.js';

/** For the form of one record. */
export interface RecordFormProps<Item> {
  /** undefined: a new record. */
  record: Item | undefined;
  /** For `FormModal`. */
  modal: { title: string; success: string; changes: readonly ShownKind[]; isOpen: boolean; onClose: () => void };
}

interface EditableListProps<Item> {
  title: string;
  description: string;
  storedOnly?: string;
  icon: Icon;
  /** For labels and messages: "domain" makes "Add domain" and "The domain was added.". */
  noun: string;
  resource: Pick<Resource<Item, never, never>, 'kind' | 'idOf' | 'list' | 'remove'>;
  columns: readonly Column<Item>[];
  /** For the buttons of a row. */
  nameOf: (item: Item) => string;
  /** The consequence of deleting the record. */
  deleteText: (name: string) => string;
  emptyTitle: string;
  emptyText: string;
  form: (props: RecordFormProps<Item>) => ReactNode;
  filter?: QueryValues;
  /** Beside the button that adds a record. */
  actions?: ReactNode;
  /** Between the buttons that change and delete a row. */
  rowActions?: (item: Item) => ReactNode;
  /** Above the table. */
  children?: ReactNode;
}

/** A page that lists, adds, changes and deletes the records of a resource. */
export function EditableList<Item extends object>(props: EditableListProps<Item>) {
  const { title, noun, resource, nameOf, filter = {}, form } = props;
  // Each opening mounts the form anew, with the values of the record.
  const [{ record, count }, setOpening] = useState<{ record?: Item; count: number }>({ count: 0 });
  const [isOpen, { open, close }] = useDisclosure();
  const edit = (edited?: Item) => {
    setOpening(before => ({ count: before.count + 1, ...(edited && { record: edited }) }));
    open();
  };
  const modal = {
    title: record ? `Change ${noun}` : `Add ${noun}`,
    success: `The ${noun} was ${record ? 'changed' : 'added'}.`,
    changes: [resource.kind],
    isOpen,
    onClose: close,
  };
  return (
    <Page
      title={title}
      description={props.description}
      storedOnly={props.storedOnly}
      actions={
        <Group gap="xs">
          {props.actions}
          <AddButton label={`Add ${noun}`} onClick={() => edit()} />
        </Group>
      }
    >
      {props.children}
      <ResourceTable
        key={JSON.stringify(filter)}
        label={title}
        queryKey={[resource.kind, 'list', filter]}
        list={(page, signal) => resource.list(page, filter, signal)}
        rowKey={resource.idOf}
        columns={props.columns}
        rowActions={item => (
          <>
            <IconButton label={`Change ${nameOf(item)}`} icon={IconPencil} onClick={() => edit(item)} />
            {props.rowActions?.(item)}
            <ConfirmButton
              label={`Delete ${nameOf(item)}`}
              title={`Delete this ${noun}?`}
              text={props.deleteText(nameOf(item))}
              run={() => resource.remove(item)}
              success={`The ${noun} was deleted.`}
              changes={[resource.kind]}
            />
          </>
        )}
        empty={{ icon: props.icon, title: props.emptyTitle, text: props.emptyText }}
      />
      <Fragment key={count}>{form({ record, modal })}</Fragment>
    </Page>
  );
}
