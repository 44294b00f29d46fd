import * as uptimeReports from '@agency/contract/descriptors/uptime-reports'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '../../../lib/api.ts'
import { saveText } from '../../../lib/download.ts'
import { formatCount, formatPercent } from '../../../lib/format.ts'
import { formatSpan } from '../../../lib/format-time.ts'
import { Button } from '../../../ui/Button.tsx'
import { Facts } from '../../../ui/Facts.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { ListFailure } from '../../../ui/ListFailure.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import css from '../customers.module.css'
import { monthsUntil } from './months.ts'

/** How their sites did in a month, and the page that can be handed on. */
export function UptimeReport({ customerId }: { customerId: string }) {
  const [months] = useState(() => monthsUntil(Date.now()))
  const [month, setMonth] = useState(months[1]?.value ?? '')
  const query = useQuery(q(uptimeReports.getUptimeReport, { params: { id: customerId }, query: { month } }))
  const report = query.data?.report
  return (
    <section className={css['report']} aria-label="Uptime report">
      <h3>Uptime report</h3>
      <SelectField label="Month" value={month} choices={months} onChange={setMonth} />
      <ListFailure
        error={query.error}
        what="the report"
        at={report ? query.dataUpdatedAt : null}
        onRetry={() => void query.refetch()}
      />
      {report ? (
        <>
          <Facts
            facts={[
              { label: 'Sites', value: formatCount(report.sites) },
              {
                label: 'Uptime',
                value: report.uptime_percent === null ? 'Unknown' : formatPercent(report.uptime_percent, 3),
              },
              {
                label: 'Confirmed downtime',
                value:
                  report.uptime_percent === null
                    ? 'Unknown'
                    : report.down_seconds === 0
                      ? 'None'
                      : formatSpan(report.down_seconds),
              },
              {
                label: 'Outages',
                value: report.uptime_percent === null && report.outages === 0 ? 'Unknown' : formatCount(report.outages),
              },
            ]}
          />
          <Button
            variant="outlined"
            startIcon={<Icon name="download" />}
            onClick={() => saveText(report.file_name, report.html)}
          >
            Download report
          </Button>
          <p className={css['muted']}>A page to print or send. Uptime excludes maintenance and unknown time.</p>
        </>
      ) : query.isPending ? (
        <SkeletonLines count={4} />
      ) : null}
    </section>
  )
}
