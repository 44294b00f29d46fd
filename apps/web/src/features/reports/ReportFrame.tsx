import { ListFailure } from '../../ui/ListFailure.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { StillWaiting } from '../../ui/StillWaiting.tsx'
import css from './reports.module.css'
import type { Report, Shown } from './use-report.ts'

type Props<A> = {
  report: Report<A>
  /** "the usage report" */
  what: string
  /** The panels that will be there. */
  panels: readonly string[]
  children: Shown<A>
}

/** A report with all its states. */
export function ReportFrame<A>({ report, what, panels, children }: Props<A>) {
  const { data, error, isPending, at, retry } = report
  return (
    <>
      <ListFailure error={error} what={what} at={at} onRetry={retry} />
      {data !== undefined ? (
        children(data)
      ) : isPending ? (
        <>
          <StillWaiting />
          <div className={css['panels']}>
            {panels.map((title) => (
              <Panel key={title} title={title} loading skeleton={<Skeleton height={240} />}>
                {null}
              </Panel>
            ))}
          </div>
        </>
      ) : null}
    </>
  )
}
