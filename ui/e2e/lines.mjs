/** A reporter for programs: one line for each test, as it ends: `passed` or `failed`, its name, and why, with tabs between. */
export default async function* lines(source) {
  const names = [];
  for await (const { type, data } of source) {
    if (type === 'test:start') {
      names[data.nesting] = data.name;
    }
    if (type === 'test:pass' && data.details.type !== 'suite') {
      const left = data.skip !== undefined || data.todo !== undefined;
      yield line(left ? 'failed' : 'passed', names, data, left ? 'It was left out.' : '');
    }
    // A suite fails with its tests, which are told by themselves; otherwise its preparation failed.
    if (type === 'test:fail' && data.details.error?.failureType !== 'subtestsFailed') {
      const { error } = data.details;
      yield line('failed', names, data, String(error.cause?.stack ?? error.cause ?? error.message));
    }
  }
}

const line = (outcome, names, { name, nesting }, why) => `${[outcome, [...names.slice(0, nesting), name].join(': '), why].map((text) => text.replaceAll('\t', ' ').replaceAll('\n', '\\n')).join('\t')}\n`;
