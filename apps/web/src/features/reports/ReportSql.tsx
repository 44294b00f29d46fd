import * as reportSql from '@agency/contract/descriptors/report-sql'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { q } from '../../lib/api.ts'
import { copyText } from '../../lib/clipboard.ts'
import { paths } from '../../lib/paths.ts'
import { useDenial } from '../../lib/session.ts'
import { ActionMenu } from '../../ui/MoreMenu.tsx'
import { ReasonedButton } from '../../ui/ReasonedButton.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { type ReportsSearch, rangeOf } from './reports-search.ts'

type Props = { path: string; state: ReportsSearch }

const reportOf = (path: string): 'revenue' | 'customers' | 'usage' | 'performance' => {
  if (path === paths.customersReport) return 'customers'
  if (path === paths.usageReport) return 'usage'
  return path === paths.performanceReport ? 'performance' : 'revenue'
}

/** Every figure of the report as a query: copied, and opened in the query console. */
export function ReportSql({ path, state }: Props) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const denial = useDenial(reportSql.getReportSql)
  return (
    <>
      <ReasonedButton
        variant="outlined"
        blocked={denial}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        Copy as SQL
      </ReasonedButton>
      {anchor ? <Figures path={path} state={state} anchor={anchor} onClose={() => setAnchor(null)} /> : null}
    </>
  )
}

function Figures({ path, state, anchor, onClose }: Props & { anchor: HTMLElement; onClose: () => void }) {
  const toast = useToast()
  const report = reportOf(path)
  const currency = report === 'customers' && state.currency !== '' ? { currency: state.currency } : {}
  const { data, error } = useQuery(q(reportSql.getReportSql, { query: { report, ...rangeOf(state), ...currency } }))
  if (!data && !error) return null
  const copy = async (figure: string, sql: string) => {
    if (await copyText(sql)) toast.success(`Copied ${figure} as SQL`)
  }
  return (
    <Suspense>
      <ActionMenu
        anchor={anchor}
        label="Copy as SQL"
        onClose={onClose}
        actions={
          data?.figures.map(({ figure, sql }) => ({
            ...{ label: figure, href: paths.databaseQuery(sql) },
            onSelect: () => void copy(figure, sql),
          })) ?? [{ label: 'The figures could not be loaded', disabledReason: error?.message }]
        }
      />
    </Suspense>
  )
}
