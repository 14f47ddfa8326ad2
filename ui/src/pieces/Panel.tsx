import type { ReactNode } from 'react';
import styles from './panel.module.css';

/** A framed part of a page, with its heading and what can be done about it. */
export function Panel({ title, aside, children, flush = false }: { title: string; aside?: ReactNode; children: ReactNode; flush?: boolean }) {
  return (
    <section className={styles.panel} aria-label={title}>
      <div className={styles.head}>
        <h2 className={styles.title} style={{ margin: 0 }}>{title}</h2>
        {aside}
      </div>
      <div className={flush ? undefined : styles.body}>{children}</div>
    </section>
  );
}

export type Fact = [name: string, value: ReactNode] | false | undefined;

/** Names and values, one below the other; what does not apply is left out. */
export function Facts({ facts }: { facts: Fact[] }) {
  return (
    <dl className={styles.facts}>
      {facts.filter((fact) => fact !== undefined && fact !== false).map(([name, value]) => (
        <div key={name} style={{ display: 'contents' }}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

export function Mono({ children }: { children: ReactNode }) {
  return <span className={styles.mono}>{children}</span>;
}
