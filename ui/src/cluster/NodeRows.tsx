import { Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Node } from '../api/shapes';
import { Ago } from '../pieces/Ago';
import { CrownIcon } from '../pieces/icons';
import { LabelList } from '../pieces/LabelList';
import { Mono } from '../pieces/Panel';
import { Rows, rowStyles } from '../pieces/Rows';
import styles from './cluster.module.css';

export function NodeRows({ nodes }: { nodes: Node[] }) {
  const { t } = useTranslation();
  const columns = (['node', 'roles', 'address', 'version', 'since', 'heartbeat'] as const).map((key) => ({ key, head: t(`cluster.col.${key}`) }));
  return (
    <section aria-label={t('cluster.nodes')}>
      <h2 className={styles.heading}>{t('cluster.nodes')}</h2>
      <Rows label={t('cluster.nodes')} columns={columns} loading={false}>
        {nodes.map((node) => (
          <tr key={node.id}>
            <td className={rowStyles.main}>
              <Group gap={8} wrap="nowrap">
                <Mono>{node.id}</Mono>
                {node.leads && <span className={styles.leads}><CrownIcon size={14} />{t('cluster.leads')}</span>}
              </Group>
            </td>
            <td data-label={t('cluster.col.roles')}><LabelList labels={node.roles.map((role) => t(`role.${role}`))} /></td>
            <td data-label={t('cluster.col.address')}>{node.address ?? t('common.none')}</td>
            <td data-label={t('cluster.col.version')}>{node.version ?? t('common.none')}</td>
            <td data-label={t('cluster.col.since')}><Ago at={node.since} /></td>
            <td data-label={t('cluster.col.heartbeat')}><Ago at={node.heartbeat} /></td>
          </tr>
        ))}
      </Rows>
    </section>
  );
}
