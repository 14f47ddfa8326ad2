import { Group, SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Json } from '../api/shapes';
import { CopyTool } from './CopyTool';
import { remember, remembered } from './memory';
import { Panel } from './Panel';
import styles from './panel.module.css';
import { yamlOf } from './yaml';

type Form = 'yaml' | 'json';
const MEMORY = 'belfry.dataForm';

export function DataText({ text, label }: { text: string; label: string }) {
  return <pre className={styles.code} tabIndex={0} aria-label={label}>{text}</pre>;
}

/** A value as YAML or JSON, whichever the reader likes; which is remembered. */
export function DataView({ title, value }: { title: string; value: Json }) {
  const { t } = useTranslation();
  const [form, setForm] = useState<Form>(remembered(MEMORY) === 'json' ? 'json' : 'yaml');
  const text = form === 'yaml' ? yamlOf(value) : JSON.stringify(value, null, 2);
  const choose = (chosen: string) => {
    setForm(chosen as Form);
    remember(MEMORY, chosen);
  };
  const tools = (
    <Group gap="xs">
      <SegmentedControl size="xs" value={form} onChange={choose} aria-label={title} data={[{ value: 'yaml', label: t('common.yaml') }, { value: 'json', label: t('common.json') }]} />
      <CopyTool text={text} />
    </Group>
  );
  return (
    <Panel title={title} aside={tools} flush>
      <DataText text={text} label={title} />
    </Panel>
  );
}
