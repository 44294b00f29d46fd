import * as systemAnalytics from '@agency/contract/descriptors/system-analytics'
import { Suspense, useState } from 'react'
import { paths } from '../../lib/paths.ts'
import type { ApiError } from '../../lib/problems.ts'
import { useCall } from '../../lib/use-call.ts'
import { Icon } from '../../ui/Icon.tsx'
import { ActionMenu } from '../../ui/MoreMenu.tsx'
import { ReasonedButton } from '../../ui/ReasonedButton.tsx'
import { useToast } from '../../ui/Toast.tsx'

type Format = 'csv' | 'json'
const formats: Record<Format, string> = { csv: 'CSV', json: 'JSON' }

type Props = { days: { first: string; last: string } | null }

/** A browser opens a tab at a press only: it waits there, empty, for its file. */
export function ExportReport({ days }: Props) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const order = useCall(systemAnalytics.exportSystemAnalytics)
  const toast = useToast()

  const start = (format: Format) => {
    if (!days) return
    const tab = window.open('', '_blank')
    if (tab) tab.opener = null
    order.mutate(
      { body: { format, report_type: 'system_overview', date_range: { start_date: days.first, end_date: days.last } } },
      {
        onSuccess: ({ data: { download_url: url } }) => {
          if (url === null) {
            tab?.close()
            toast.success('Exporting the report. The file will be under Exports.', {
              label: 'Exports',
              href: paths.exports,
            })
          } else if (tab) tab.location.href = new URL(url, window.location.origin).href
          else window.location.assign(url)
        },
        onError: (error: ApiError) => {
          tab?.close()
          toast.error('The report could not be exported', error)
        },
      },
    )
  }

  return (
    <>
      <ReasonedButton
        variant="outlined"
        startIcon={<Icon name="download" />}
        blocked={order.denial ?? (days ? undefined : 'Choose both days first')}
        loading={order.isPending ? 'Exporting' : false}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        Export Report
      </ReasonedButton>
      {anchor ? (
        <Suspense>
          <ActionMenu
            anchor={anchor}
            label="Export Report"
            onClose={() => setAnchor(null)}
            actions={Object.entries(formats).map(([format, label]) => ({
              label,
              onSelect: () => start(format as Format),
            }))}
          />
        </Suspense>
      ) : null}
    </>
  )
}
