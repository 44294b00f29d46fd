import type { PurchasedSite } from '@agency/contract/types'
import { purchaseStatusChips } from '../../lib/purchase-status.ts'
import { useSessionState } from '../../lib/session.ts'
import { Button } from '../../ui/Button.tsx'
import { Money } from '../../ui/Money.tsx'
import { ProductionLink } from '../../ui/ProductionLink.tsx'
import { ReasonedButton } from '../../ui/ReasonedButton.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { PurchaseDataFacts } from './PurchaseDataFacts.tsx'
import css from './purchase-reset.module.css'

type Props = {
  site: PurchasedSite
  selected: boolean
  open: boolean
  /** Why whoever looks may not reset. */
  denial: string | undefined
  onSelect: (selected: boolean) => void
  onToggle: () => void
  onReset: () => void
}

export function SiteRow({ site, selected, open, denial, onSelect, onToggle, onReset }: Props) {
  const { id, siteName, siteId, data } = site
  const details = `details-${id}`
  return (
    <li className={css['site']} data-selected={selected}>
      <div className={css['line']}>
        <input
          type="checkbox"
          className={css['check']}
          aria-label={`Select ${siteName}`}
          checked={selected}
          onChange={(event) => onSelect(event.target.checked)}
        />
        <div className={css['words']}>
          <span className={css['head']}>
            <bdi className={css['name']} title={siteName}>
              {siteName}
            </bdi>
            <SiteChips site={site} />
          </span>
          <span className={css['sub']}>
            <code className={css['id']} title={siteId}>
              {siteId}
            </code>
            {site.productionUrl ? <ProductionLink address={site.productionUrl} /> : null}
          </span>
        </div>
        <span className={css['amount']}>
          <Money amount={data.amount} currency={data.currency} />
        </span>
        <span className={css['acts']}>
          <Button
            size="small"
            aria-expanded={open}
            aria-controls={open ? details : undefined}
            aria-label={`Details of ${siteName}`}
            onClick={onToggle}
          >
            Details
          </Button>
          <ReasonedButton
            size="small"
            variant="outlined"
            blocked={denial ?? site.refusal}
            aria-label={`Reset ${siteName}`}
            onClick={onReset}
          >
            Reset
          </ReasonedButton>
        </span>
      </div>
      {open ? (
        <div id={details} className={css['details']}>
          {site.refusal ? <p className={css['refusal']}>Cannot be reset now. {site.refusal}</p> : null}
          <PurchaseDataFacts siteId={siteId} data={data} purchaseHref />
        </div>
      ) : null}
    </li>
  )
}

/** In which mode it was bought, and what became of the money where that is not plain. */
function SiteChips({ site: { mode, status } }: { site: PurchasedSite }) {
  const { mode: consoleMode } = useSessionState()
  return (
    <>
      {mode === 'live' ? (
        <StatusChip label="Live" tone="warning" title="Real payment" />
      ) : (
        <StatusChip label={consoleMode === 'demo' ? 'Demo' : 'Test'} tone="info" title="No real money" />
      )}
      {status === 'completed' ? null : <StatusChip {...purchaseStatusChips[status]} />}
    </>
  )
}
