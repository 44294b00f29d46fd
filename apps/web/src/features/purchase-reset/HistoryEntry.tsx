import type { PurchaseReset } from '@agency/contract/types'
import { useId, useState } from 'react'
import { formatDate } from '../../lib/format-time.ts'
import type { Tone } from '../../theme/palette.ts'
import { Button } from '../../ui/Button.tsx'
import { DateTime } from '../../ui/DateTime.tsx'
import { ReasonedButton } from '../../ui/ReasonedButton.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { PurchaseDataFacts } from './PurchaseDataFacts.tsx'
import css from './purchase-reset.module.css'

const chips: Record<PurchaseReset['kind'], { label: string; tone: Tone }> = {
  reset: { label: 'Reset', tone: 'warning' },
  undo: { label: 'Undo', tone: 'info' },
}

type Props = { entry: PurchaseReset; denial: string | undefined; onUndo: () => void }

export function HistoryEntry({ entry, denial, onUndo }: Props) {
  const { siteName, kind, adminInfo, timestamp, resetReason } = entry
  const [open, setOpen] = useState(false)
  const details = useId()
  return (
    <li className={css['entry']}>
      <span className={css['head']}>
        <bdi className={css['name']} title={siteName}>
          {siteName}
        </bdi>
        <StatusChip {...chips[kind]} />
        {entry.isUndone ? <StatusChip label="Undone" tone="neutral" /> : null}
      </span>
      <span className={css['sub']}>
        <span>
          by <bdi>{adminInfo.name}</bdi>
        </span>
        <DateTime at={timestamp} show="date-time" />
      </span>
      <p className={css['reason']} dir="auto">
        {resetReason}
      </p>
      <span className={css['entryActs']}>
        <Button
          size="small"
          aria-expanded={open}
          aria-controls={open ? details : undefined}
          aria-label={`Original data of ${siteName}`}
          onClick={() => setOpen(!open)}
        >
          Original data
        </Button>
        {kind === 'reset' && !entry.isUndone ? (
          <ReasonedButton
            size="small"
            blocked={denial ?? entry.undoRefusal}
            aria-label={`Undo the reset of ${siteName}`}
            title={entry.undoableUntil ? `Possible until ${formatDate(entry.undoableUntil)}` : undefined}
            onClick={onUndo}
          >
            Undo
          </ReasonedButton>
        ) : null}
      </span>
      {open ? (
        <div id={details} className={css['original']}>
          <PurchaseDataFacts siteId={entry.siteId} data={entry.originalPurchaseData} />
        </div>
      ) : null}
    </li>
  )
}
