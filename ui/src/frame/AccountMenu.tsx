import { ActionIcon, Menu, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { refusalOf } from '../api/refusal';
import { ExitIcon, PersonIcon } from '../pieces/icons';
import { toastRefusal } from '../pieces/toast';
import { ownZone } from '../pieces/times';
import { useProblemWords } from '../pieces/useProblemWords';
import { useRole } from '../session/May';
import { logout, useMe } from '../session/session';
import { LanguageChoice } from './LanguageChoice';
import { SchemeChoice } from './SchemeChoice';

export function AccountMenu() {
  const { t } = useTranslation();
  const me = useMe();
  const role = useRole();
  const leave = useLeave();
  return (
    <Menu width={240} position="bottom-end" shadow="md" closeOnItemClick={false}>
      <Menu.Target>
        <ActionIcon variant="default" size="lg" aria-label={t('frame.account')}><PersonIcon /></ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <div style={{ padding: '8px 12px' }}>
          <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>{t('frame.signedIn', { name: me.name })}</Text>
          <Text size="xs" c="dimmed">{t(`role.${role}`)}</Text>
        </div>
        <Menu.Divider />
        <Menu.Label>{t('frame.language')}</Menu.Label>
        <div style={{ padding: '0 12px 8px' }}><LanguageChoice fullWidth /></div>
        <Menu.Label>{t('frame.scheme')}</Menu.Label>
        <div style={{ padding: '0 12px 8px' }}><SchemeChoice /></div>
        <Menu.Divider />
        <Text size="xs" c="dimmed" px="sm" py={6}>{t('frame.zone', { zone: ownZone() })}</Text>
        <Menu.Item leftSection={<ExitIcon />} onClick={leave}>{t('frame.logout')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function useLeave() {
  const navigate = useNavigate();
  const client = useQueryClient();
  const words = useProblemWords();
  return () => {
    logout().then(
      () => {
        void navigate('/login', { replace: true });
        client.clear();
      },
      (thrown: unknown) => {
        const { title, sentence } = words(refusalOf(thrown));
        toastRefusal(title, sentence);
      },
    );
  };
}
