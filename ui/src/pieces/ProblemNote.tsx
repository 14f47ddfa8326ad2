import { Alert, Button, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { refusalOf } from '../api/refusal';
import { WarnIcon } from './icons';
import { useProblemWords } from './useProblemWords';

/** A refusal, shown where it belongs: in place of what could not be loaded, or above the form that was refused. */
export function ProblemNote({ thrown, again }: { thrown: unknown; again?: () => void }) {
  const { t } = useTranslation();
  const refusal = refusalOf(thrown);
  const { title, sentence } = useProblemWords()(refusal);
  return (
    <Alert role="alert" color="red" variant="light" title={title} icon={<WarnIcon />}>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>{sentence}</Text>
      {refusal.field !== undefined && <Text size="xs" c="dimmed" mt={4}>{t('problem.field', { field: refusal.field })}</Text>}
      {again && <Button mt="sm" size="xs" variant="default" onClick={again}>{t('problem.again')}</Button>}
    </Alert>
  );
}
