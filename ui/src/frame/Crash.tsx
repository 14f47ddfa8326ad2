import { Button, Center, Stack, Text, Title } from '@mantine/core';
import { Component, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

/** Error boundary: shows a message instead of a blank page. Use the address as its key, so that another page resets it. */
export class Crash extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    return this.state.failed ? <Apology /> : this.props.children;
  }
}

function Apology() {
  const { t } = useTranslation();
  return (
    <Center mih="60dvh" p="md">
      <Stack align="center" gap="sm" maw={440} role="alert">
        <Title order={1} size="h3">{t('frame.crashedTitle')}</Title>
        <Text ta="center" c="dimmed">{t('frame.crashedText')}</Text>
        <Button onClick={() => window.location.reload()}>{t('frame.reload')}</Button>
      </Stack>
    </Center>
  );
}
