import type { AnalyticsRange } from '@agency/contract/types'
import { useExport } from '../../lib/list/use-export.ts'
import { ExportMenu } from '../../ui/ExportMenu.tsx'
import { ReasonedButton } from '../../ui/ReasonedButton.tsx'

type Props = { id: string; range: AnalyticsRange; isEmpty: boolean }

const unit = ['row', 'rows'] as const

export function AnalyticsActions({ id, range, isEmpty }: Props) {
  const exported = useExport('domain_analytics', unit)
  if (isEmpty)
    return (
      <ReasonedButton variant="outlined" blocked="There are no figures to export">
        Export
      </ReasonedButton>
    )
  return (
    <ExportMenu
      title="Figures of this period"
      isPending={exported.isPending}
      onExport={(format) => exported.start(format, { zone_id: id, period: { range } })}
    />
  )
}
