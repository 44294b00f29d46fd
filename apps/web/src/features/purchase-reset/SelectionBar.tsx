import type { PurchasedSite } from '@agency/contract/types'
import { formatCount } from '../../lib/format.ts'
import { Button } from '../../ui/Button.tsx'
import { ReasonedButton } from '../../ui/ReasonedButton.tsx'
import css from './purchase-reset.module.css'
import { mostSelected, type SiteSelection } from './use-selection.ts'

type Props = {
  /** The sites of the page that is shown. */
  sites: readonly PurchasedSite[]
  selection: SiteSelection
  denial: string | undefined
  onBulkReset: () => void
}

export function SelectionBar({ sites, selection: { ids, select, clear }, denial, onBulkReset }: Props) {
  const all = sites.length > 0 && sites.every(({ id }) => ids.has(id))
  const full = ids.size >= mostSelected ? `Select at most ${mostSelected} sites` : undefined
  return (
    <div className={css['bar']} role="toolbar" aria-label="Selection">
      <ReasonedButton
        size="small"
        blocked={full}
        disabled={all || sites.length === 0}
        onClick={() => select(sites, true)}
      >
        Select All
      </ReasonedButton>
      <Button size="small" disabled={ids.size === 0} onClick={clear}>
        Clear Selection
      </Button>
      <span className={css['count']} role="status">
        {formatCount(ids.size)} selected
      </span>
      <ReasonedButton size="small" variant="contained" blocked={denial} onClick={onBulkReset}>
        Bulk Reset
      </ReasonedButton>
    </div>
  )
}
