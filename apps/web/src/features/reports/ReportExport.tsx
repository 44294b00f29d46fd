import { useExport } from '../../lib/list/use-export.ts'
import { paths } from '../../lib/paths.ts'
import { ExportMenu } from '../../ui/ExportMenu.tsx'
import { type ReportsSearch, rangeOf } from './reports-search.ts'

type Props = { path: string; state: ReportsSearch }

/** The table of the tab that is shown, in the range that is shown. */
export function ReportExport({ path, state }: Props) {
  const performance = useExport('report_performance', ['day', 'days'])
  const usage = useExport('report_usage', ['site', 'sites'])
  if (path === paths.performanceReport) {
    return (
      <ExportMenu
        title="Performance by day, in this range"
        isPending={performance.isPending}
        onExport={(format) => performance.start(format, rangeOf(state))}
      />
    )
  }
  if (path !== paths.usageReport) return null
  return (
    <ExportMenu
      title="Usage and profit of all sites, in this range"
      isPending={usage.isPending}
      onExport={(format) => usage.start(format, rangeOf(state))}
    />
  )
}
