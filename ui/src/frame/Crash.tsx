import { Button, Center, Stack, Text, Title } from '@mantine/core';
import { Component, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

/** Catches a fault of ours and says so plainly, instead of a white page. Give it the address as key: another page is another try. */
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
