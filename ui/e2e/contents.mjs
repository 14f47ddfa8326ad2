/** Fills a real server with what the interface can show. */
const bash = (script) => ({ type: 'script', interpreter: 'bash', script });

/** Counts in its log until it is cancelled. */
export const COUNTING = bash('i=0; while [ $i -lt 600 ]; do i=$((i+1)); echo "counted to $i & <b>on</b>"; sleep 0.2; done');

export async function fill(belfry) {
  const jobs = {
    'nightly-invoices': { name: 'Nightly invoices', description: 'One invoice run per night, for every customer of the region.', trigger: { cron: '0 30 2 * * *', zone: 'Europe/Berlin' }, executor: bash('echo writing invoices; sleep 1; echo done'), payload: { region: 'eu' }, metadata: { team: 'billing', tier: 'gold' }, priority: 'high', timeout: '10m' },
    'clock-change': { name: 'When clocks change', trigger: { cron: '0 30 2 ? 3,10 SUN', zone: 'Europe/Berlin' }, executor: bash('true'), metadata: { team: 'billing' } },
    'heartbeat-probe': { name: 'Heartbeat probe', trigger: { every: '10s' }, executor: bash('echo alive'), metadata: { team: 'platform' } },
    'count-on': { name: 'Count on', trigger: 'none', executor: COUNTING, overlap: 'allow' },
    'import-orders': { name: 'Import orders', trigger: { cron: '*/5 * * * *' }, executor: { type: 'local', handler: 'import-orders' }, metadata: { team: 'shop' }, queue: 'imports', retry: { max: 0 } },
    'rebuild-index': { name: 'Rebuild the search index', trigger: { after: 'import-orders', on: 'succeeded' }, executor: { type: 'http', method: 'POST', url: 'https://search.example.org/rebuild', body: { day: '${scheduled.date}' } } },
    'monthly-report': { name: '月度报表', trigger: { cron: '0 0 8 1 * ?', zone: 'Asia/Shanghai' }, executor: { type: 'http', url: 'https://reports.example.org/monthly' }, metadata: { team: 'finance' }, enabled: false },
    'year-end': { name: 'Close the year', trigger: { at: '2030-12-31T23:00:00Z' }, executor: bash('echo closed') },
  };
  for (const [id, job] of Object.entries(jobs)) {
    await belfry.put(`/jobs/${id}`, job);
  }
}
