import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './rows.module.css';

export { styles as rowStyles };

export interface Column {
  key: string;
  head: ReactNode;
  narrow?: boolean;
}

/** A table whose rows become cards on a phone; as high while loading as it will be, so that nothing jumps. */
export function Rows({ label, columns, loading, expected = 8, framed = true, children }: {
  label: string;
  columns: Column[];
  loading: boolean;
  expected?: number | undefined;
  framed?: boolean;
  children: ReactNode;
}) {
  return (
    <div className={framed ? styles.wrap : styles.bare}>
      <table className={styles.rows} aria-label={label} aria-busy={loading}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.key} scope="col" className={column.narrow ? styles.narrow : undefined}>{column.head}</th>
            ))}
          </tr>
        </thead>
        <tbody>{loading ? <Waiting columns={columns.length} rows={expected} /> : children}</tbody>
      </table>
    </div>
  );
}

function Waiting({ columns, rows }: { columns: number; rows: number }) {
  return Array.from({ length: rows }, (_, row) => (
    <tr key={row} aria-hidden="true">
      {Array.from({ length: columns }, (_, column) => (
        <td key={column}><Skeleton height={22} width={column === 0 ? '60%' : '80%'} /></td>
      ))}
    </tr>
  ));
}
