import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ShownKind } from '../api/query-keys.js';
import { showSuccess } from './toasts.js';

export interface ActionOptions<Fields = void, Answer = unknown> {
  run: (fields: Fields) => Promise<Answer>;
  /** Said when it is done. */
  success?: string;
  /** What it changes; fetched again. */
  changes?: readonly ShownKind[];
  onDone?: (answer: Answer) => void;
  /** Whoever asked shows the failure. */
  quiet?: boolean;
}

/** Something that a user does to the account: a toast says how it ended, and what it changed is fetched again. */
export function useAction<Fields = void, Answer = unknown>(options: ActionOptions<Fields, Answer>) {
  const { run, success, changes = [], onDone, quiet = false } = options;
  const client = useQueryClient();
  return useMutation({
    mutationFn: run,
    meta: { quiet },
    onSuccess: async answer => {
      if (success !== undefined) showSuccess(success);
      onDone?.(answer);
      await Promise.all(changes.map(kind => client.invalidateQueries({ queryKey: [kind] })));
    },
  });
}
