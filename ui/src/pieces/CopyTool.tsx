import { ActionIcon, CopyButton, Tooltip } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { CopyIcon, DoneIcon } from './icons';

export function CopyTool({ text }: { text: string }) {
  const { t } = useTranslation();
  return (
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? t('common.copied') : t('common.copy')}>
          <ActionIcon variant="subtle" color="gray" onClick={copy} aria-label={copied ? t('common.copied') : t('common.copy')}>
            {copied ? <DoneIcon /> : <CopyIcon />}
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  );
}
