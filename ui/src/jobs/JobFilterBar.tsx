import { Button, Input, SegmentedControl, Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { FilterBar } from '../pieces/FilterBar';
import { SearchIcon } from '../pieces/icons';
import { TypedFilter } from '../pieces/TypedFilter';
import type { useFilters } from '../pieces/useFilters';
import type { FILTERS } from './jobs';

const SORTS = [
  ['id', 'id'], ['-id', 'idDown'], ['name', 'name'], ['-name', 'nameDown'],
  ['next', 'next'], ['-next', 'nextDown'], ['-updated', 'updatedDown'], ['updated', 'updated'],
] as const;

export function JobFilterBar({ filters, isFiltered }: { filters: ReturnType<typeof useFilters<(typeof FILTERS)[number]>>; isFiltered: boolean }) {
  const { t } = useTranslation();
  const { values, set, clear } = filters;
  return (
    <FilterBar
      first={<TypedFilter label={t('common.search')} placeholder={t('jobs.searchHint')} value={values.q} onSettled={(q) => set({ q })} icon={<SearchIcon size={16} />} />}
      active={[values.enabled, values.label].filter(Boolean).length}
    >
      <Input.Wrapper label={t('jobs.enabledFilter')} labelElement="div">
        <SegmentedControl
          fullWidth
          aria-label={t('jobs.enabledFilter')}
          value={values.enabled}
          onChange={(enabled) => set({ enabled })}
          data={[{ value: '', label: t('common.all') }, { value: 'true', label: t('jobs.enabledOnly') }, { value: 'false', label: t('jobs.disabledOnly') }]}
        />
      </Input.Wrapper>
      <TypedFilter label={t('jobs.label')} placeholder={t('jobs.labelHint')} value={values.label} onSettled={(label) => set({ label })} width={180} />
      <Select
        label={t('common.sort')}
        w={220}
        value={values.sort || 'id'}
        onChange={(sort) => set({ sort: sort === 'id' ? '' : (sort ?? '') })}
        allowDeselect={false}
        data={SORTS.map(([value, word]) => ({ value, label: t(`jobs.sortBy.${word}`) }))}
      />
      {isFiltered && <Button variant="subtle" onClick={clear}>{t('common.clearFilters')}</Button>}
    </FilterBar>
  );
}
