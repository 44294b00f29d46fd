import type { SearchState } from '../../lib/use-search-state.ts'
import { FilterDate, FilterSelect } from '../../ui/FilterField.tsx'
import css from './analytics.module.css'
import { type AnalyticsSearch, type analyticsSearch, rangeChoices } from './analytics-search.ts'

export function RangeBar({ search: { state, set } }: { search: SearchState<typeof analyticsSearch> }) {
  const { range, from, to } = state
  const isOdd = range === 'custom' && from !== '' && to !== '' && from > to
  return (
    <div className={css['range']}>
      <FilterSelect
        label="Date range"
        value={range}
        choices={rangeChoices}
        // Reading the address never fails: what is none of the values is the default.
        onChange={(value) => set({ range: value as AnalyticsSearch['range'] })}
      />
      {range === 'custom' ? (
        <>
          <FilterDate label="From" value={from} onChange={(value) => set({ from: value })} />
          <FilterDate label="To" value={to} onChange={(value) => set({ to: value })} />
        </>
      ) : null}
      {isOdd ? (
        <p role="alert" className={css['problem']}>
          The last day must not be before the first. Shown are the last 30 days.
        </p>
      ) : range === 'custom' && (from === '' || to === '') ? (
        <p className={css['note']}>Choose both days. Shown are the last 30 days.</p>
      ) : null}
    </div>
  )
}
