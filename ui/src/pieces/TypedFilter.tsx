import { CloseButton, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';

const PATIENCE_MS = 300;

/** A filter that is typed: asks the server only once the typing rests. */
export function TypedFilter({ label, placeholder, value, onSettled, icon, width }: {
  label: string;
  placeholder?: string;
  value: string;
  onSettled: (value: string) => void;
  icon?: ReactNode;
  width?: number | string;
}) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState(value);
  const settle = useDebouncedCallback(onSettled, PATIENCE_MS);
  // The address may change by the back button or "clear filters"; what is typed follows it.
  useEffect(() => setTyped((now) => (now.trim() === value ? now : value)), [value]);
  const change = (next: string) => {
    setTyped(next);
    settle(next.trim());
  };
  return (
    <TextInput
      label={label}
      placeholder={placeholder}
      value={typed}
      onChange={(event) => change(event.currentTarget.value)}
      leftSection={icon}
      rightSection={typed === '' ? null : <CloseButton size="sm" aria-label={t('common.clear')} onClick={() => change('')} />}
      w={width}
      autoComplete="off"
      spellCheck={false}
    />
  );
}
