import { Button, Select, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { STATES } from '../api/shapes';
import { FilterBar } from '../pieces/FilterBar';
import { inputOfInstant, instantOfInput, ownZone } from '../pieces/times';
import { TypedFilter } from '../pieces/TypedFilter';
import type { useFilters } from '../pieces/useFilters';
import { FILTERS } from './tasks';

type Filters = ReturnType<typeof useFilters<(typeof FILTERS)[number]>>;

export function TaskFilterBar({ filters, isFiltered }: { filters: Filters; isFiltered: boolean }) {
  const { t } = useTranslation();
  const { values, set, clear } = filters;
  const states = [{ value: '', label: t('tasks.anyState') }, ...STATES.map((state) => ({ value: state as string, label: t(`state.${state}`) }))];
  return (
    <FilterBar
      first={<Select label={t('tasks.state')} data={states} value={values.state} onChange={(state) => set({ state: state ?? '' })} allowDeselect={false} />}
      active={FILTERS.filter((name) => name !== 'state' && values[name] !== '').length}
    >
      <TypedFilter label={t('tasks.job')} placeholder={t('tasks.idHint')} value={values.job} onSettled={(job) => set({ job })} width={170} />
      <TypedFilter label={t('tasks.queue')} placeholder={t('tasks.idHint')} value={values.queue} onSettled={(queue) => set({ queue })} width={130} />
      <TypedFilter label={t('tasks.worker')} placeholder={t('tasks.idHint')} value={values.worker} onSettled={(worker) => set({ worker })} width={150} />
      <Moment label={t('tasks.since')} value={values.since} onChange={(since) => set({ since })} />
      <Moment label={t('tasks.until')} value={values.until} onChange={(until) => set({ until })} />
      {isFiltered && <Button variant="subtle" onClick={clear}>{t('common.clearFilters')}</Button>}
    </FilterBar>
  );
}

function Moment({ label, value, onChange }: { label: string; value: string; onChange: (instant: string) => void }) {
  return (
    <TextInput
      type="datetime-local"
      label={label}
      title={ownZone()}
      value={inputOfInstant(value).slice(0, 16)}
      onChange={(event) => onChange(instantOfInput(event.currentTarget.value) ?? '')}
    />
  );
}
