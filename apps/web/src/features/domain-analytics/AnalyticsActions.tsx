import * as domainAnalytics from '@agency/contract/descriptors/domain-analytics'
import type { AnalyticsRange } from '@agency/contract/types'
import { useState } from 'react'
import { download } from '../../lib/download.ts'
import { ReasonedButton } from '../../ui/ReasonedButton.tsx'
import { useToast } from '../../ui/Toast.tsx'

type Props = { id: string; range: AnalyticsRange; isEmpty: boolean }

export function AnalyticsActions({ id, range, isEmpty }: Props) {
  const toast = useToast()
  const [isRunning, setRunning] = useState(false)
  const save = async () => {
    setRunning(true)
    try {
      await download(domainAnalytics.exportZoneAnalytics, { params: { id }, query: { range } }, 'analytics.csv')
    } catch (error) {
      toast.error('The analytics could not be exported', error as Error)
    } finally {
      setRunning(false)
    }
  }
  return (
    <ReasonedButton
      variant="outlined"
      loading={isRunning ? 'Exporting' : false}
      blocked={isEmpty ? 'There are no figures to export' : undefined}
      onClick={() => void save()}
    >
      Export CSV
    </ReasonedButton>
  )
}
