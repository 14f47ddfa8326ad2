import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ProblemNote } from './ProblemNote';

/** A confirmation dialog: says what the action will do, holds its inputs, and shows the server's refusal in place. */
export function ConfirmDialog({ opened, title, text, verb, keep, danger = false, busy, thrown, onYes, onClose, children }: {
  opened: boolean;
  title: string;
  text: string;
  verb: string;
  /** What the button says that changes nothing; `Cancel` unless the action itself is a cancellation. */
  keep?: string;
  danger?: boolean;
  busy: boolean;
  thrown?: unknown;
  onYes: () => void;
  onClose: () => void;
  children?: ReactNode;
}) {
  const { t } = useTranslation();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onYes();
  };
  return (
    <Modal opened={opened} onClose={onClose} title={title} centered closeButtonProps={{ 'aria-label': t('common.close') }}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>{text}</Text>
          {children}
          {thrown != null && <ProblemNote thrown={thrown} />}
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose}>{keep ?? t('common.cancel')}</Button>
            <Button type="submit" color={danger ? 'red' : undefined} loading={busy}>{verb}</Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
