import { ActionIcon, Tooltip } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';

interface IconButtonProps {
  label: string;
  icon: Icon;
  onClick: () => void;
  loading?: boolean;
  disabled?: boolean;
  color?: string;
}

export function IconButton({ label, icon: ButtonIcon, ...rest }: IconButtonProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" aria-label={label} {...rest}>
        <ButtonIcon size={16} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
