import styles from './workers.module.css';

/** A share as a small bar with its figure; red where it becomes tight. */
export function Bar({ label, share, text }: { label: string; share: number; text: string }) {
  const percent = Math.round(Math.min(1, Math.max(0, share)) * 100);
  return (
    <span className={styles.bar}>
      <span className={styles.name}>{label}</span>
      <span className={styles.track} role="meter" aria-label={label} aria-valuemin={0} aria-valuemax={100} aria-valuenow={percent} aria-valuetext={text}>
        <span className={styles.fill} data-tight={percent >= 90} style={{ width: `${percent}%` }} />
      </span>
      <span className={styles.figure}>{text}</span>
    </span>
  );
}
