import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { EmptyNote } from '../pieces/EmptyNote';

export function NotFound() {
  const { t } = useTranslation();
  return (
    <EmptyNote title={t('frame.notFoundTitle')} text={t('frame.notFoundText')}>
      <Button component={Link} to="/" mt="sm">{t('frame.toStart')}</Button>
    </EmptyNote>
  );
}
