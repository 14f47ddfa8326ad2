import { Center, Code, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { EmptyIcon } from './icons';
import styles from './panel.module.css';

/** Empty state: says that there is nothing, and what to do. */
export function EmptyNote({ title, text, command, children }: { title: string; text: string; command?: string; children?: ReactNode }) {
  return (
    <Center className={styles.panel} py={48} px="md">
      <Stack align="center" gap="xs" maw={460}>
        <Text c="dimmed" lh={1}><EmptyIcon size={36} /></Text>
        <Title order={2} size="h4" ta="center">{title}</Title>
        <Text size="sm" c="dimmed" ta="center">{text}</Text>
        {command !== undefined && <Code style={{ overflowWrap: 'anywhere' }}>{command}</Code>}
        {children}
      </Stack>
    </Center>
  );
}
