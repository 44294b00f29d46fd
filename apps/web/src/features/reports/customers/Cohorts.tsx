import { formatCount, formatMoney } from '../../../lib/format.ts'
import { formatMonth } from '../../../lib/format-time.ts'
import { useSearchState } from '../../../lib/use-search-state.ts'
import { HeatMap } from '../../../ui/chart/HeatMap.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { SubTabLinks } from '../../../ui/SubTabLinks.tsx'
import { Definitions } from '../Definitions.tsx'
import css from '../reports.module.css'
import { type CustomerReport, reportsSearch } from '../reports-search.ts'
import { cohortTable } from './cohort-rows.ts'

const kinds = [
  ['revenue', 'Net revenue'],
  ['customers', 'Customers'],
] as const

/** What is left of those who began in a month, month after month. */
export function Cohorts({ data, hrefOf }: { data: CustomerReport; hrefOf: (figure: string) => string }) {
  const { state, hrefFor } = useSearchState(reportsSearch)
  const { cohorts, currency } = data
  const table = cohortTable(cohorts, {
    ...{ kind: state.cohorts, currency },
    hrefOf: (month, offset) => hrefOf(`cohort:${month}:${offset}`),
  })
  return (
    <div className={css['section']}>
      <Panel
        title="Retention by cohort"
        actions={<Definitions of="Retention" definitions={data.definitions} figures={['cohorts']} />}
      >
        <SubTabLinks
          label="Retention of"
          tabs={kinds.map(([cohorts_, label]) => ({ href: hrefFor({ cohorts: cohorts_ }), label }))}
          current={hrefFor({ cohorts: state.cohorts })}
        />
        {cohorts.length === 0 ? (
          <EmptyState compact text="No MRR in this currency yet." />
        ) : (
          <HeatMap
            title={`Retention of ${state.cohorts === 'customers' ? 'customers' : 'MRR'} by month`}
            first="Started in"
            size={state.cohorts === 'customers' ? 'Customers' : 'MRR'}
            columns={table.columns}
            rows={table.rows.map(({ cohort, cells }) => ({
              id: cohort.month,
              name: `${formatMonth(cohort.month)}${cohort.reconstructed ? ' *' : ''}`,
              size: state.cohorts === 'customers' ? formatCount(cohort.customers) : formatMoney(cohort.mrr, currency),
              cells,
            }))}
          />
        )}
        <p className={css['note']}>
          Columns: months since the start.{' '}
          {cohorts.some(({ reconstructed }) => reconstructed) ? '* Partly reconstructed from invoices.' : null}
        </p>
      </Panel>
    </div>
  )
}
