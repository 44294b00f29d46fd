import * as purchases from '@agency/contract/descriptors/purchases'
import { useState } from 'react'
import { useExport } from '../../lib/list/use-export.ts'
import { useCall } from '../../lib/use-call.ts'
import { Button } from '../../ui/Button.tsx'
import { ExportMenu } from '../../ui/ExportMenu.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { ReasonedButton } from '../../ui/ReasonedButton.tsx'

type Props = {
  /** undefined while it is not known. */
  unread: number | undefined
  onRefresh: () => Promise<unknown>
}

const unit = ['purchase', 'purchases'] as const

export function PurchaseActions({ unread, onRefresh }: Props) {
  const mark = useCall(purchases.markPurchasesRead, [purchases.listPurchases, purchases.getPurchase])
  const exported = useExport('purchases', unit)
  const [refreshing, setRefreshing] = useState(false)
  const handleRefresh = async () => {
    setRefreshing(true)
    await onRefresh()
    setRefreshing(false)
  }
  const handleMark = () => mark.mutate({}, { failure: 'The purchases could not be marked read. Nothing was changed.' })
  return (
    <>
      <ReasonedButton
        variant="outlined"
        startIcon={<Icon name="check" />}
        blocked={unread === 0 ? 'All purchases are read' : undefined}
        disabled={unread === undefined}
        loading={mark.isPending}
        onClick={handleMark}
      >
        Mark all read
      </ReasonedButton>
      <ExportMenu
        title="All purchases"
        isPending={exported.isPending}
        onExport={(format) => exported.start(format, {})}
      />
      <Button
        variant="contained"
        startIcon={<Icon name="refresh" />}
        loading={refreshing}
        onClick={() => void handleRefresh()}
      >
        Refresh Now
      </Button>
    </>
  )
}
