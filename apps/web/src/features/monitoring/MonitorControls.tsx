import type { SearchState } from '../../lib/use-search-state.ts'
import { Button } from '../../ui/Button.tsx'
import { FilterSelect } from '../../ui/FilterField.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { intervalChoices, type MonitorSearch, type monitorSearch } from './monitor-search.ts'
import css from './monitoring.module.css'

type Props = { search: SearchState<typeof monitorSearch>; isFetching: boolean; onRefresh: () => void }

export function MonitorControls({ search: { state, set }, isFetching, onRefresh }: Props) {
  const isAuto = state.auto === 'on'
  return (
    <>
      <label className={css['auto']}>
        <input
          type="checkbox"
          checked={isAuto}
          onChange={(event) => set({ auto: event.target.checked ? 'on' : 'off' })}
        />
        Auto-refresh
      </label>
      <FilterSelect
        label="Refresh interval"
        value={state.interval}
        choices={intervalChoices}
        disabledReason={isAuto ? undefined : 'Auto-refresh is off'}
        // Reading the address never fails: what is none of the values is the default.
        onChange={(interval) => set({ interval: interval as MonitorSearch['interval'] })}
      />
      <Button variant="outlined" startIcon={<Icon name="refresh" />} loading={isFetching} onClick={onRefresh}>
        Refresh
      </Button>
    </>
  )
}
